import BrowserCore
import Raster

/// Which pictures stand on the screen, and the decision which to send, to leave and to remove.
struct PictureLedger {
    /// What one frame must do about pictures.
    struct Plan {
        /// Bytes that clear cells before anything is drawn.
        var clearing: [UInt8] = []
        /// Bytes that take away what is not wanted any more, before anything is drawn.
        var removal: [UInt8] = []
        var draw: [TerminalPicture] = []
        /// Bytes that take away what the drawn pictures stand in the stead of, after them: so nothing flickers.
        var replacedRemoval: [UInt8] = []
        /// Pictures that should be drawn but may not be yet.
        var isIncomplete = false
    }

    private struct Shown {
        var picture: TerminalPicture
        /// False once it was cut while being sent.
        var isIntact = true
    }

    private var shown: [Shown] = []
    /// Of pictures that may still stand although the screen was cleared: clearing text leaves some kinds alone.
    private var lostRemoval: [UInt8] = []

    init() {}

    /// What takes away every picture that may stand.
    var wholeRemoval: [UInt8] { lostRemoval + shown.flatMap(\.picture.removal) }

    /// Compares what should stand on the screen with what does.
    ///
    /// - Parameters:
    ///   - wanted: the pictures of the new frame.
    ///   - cell: the size of a cell, to know which cells a picture does not fill.
    ///   - style: what sets the style of the cells that are cleared.
    ///   - blanksReplaced: whether a picture stays beneath the one that is drawn over it until text is written there.
    ///   - mayDraw: false while the terminal still works on the last picture.
    mutating func plan(
        _ wanted: [TerminalPicture], cell: CellSize, style: ControlSequence = .resetStyle,
        blanksReplaced: Bool = false, mayDraw: Bool
    ) -> Plan {
        var plan = Plan()
        plan.removal = lostRemoval
        lostRemoval = []
        removeUnwanted(wanted, mayDraw: mayDraw, into: &plan)
        let drawn = shown.map(\.picture)
        for picture in wanted { place(picture, cell, style, mayDraw: mayDraw, into: &plan) }
        // One that stands alone loses nothing to those beneath it, and would flicker.
        guard blanksReplaced, wanted.count > 1 else { return plan }
        for picture in plan.draw where drawn.contains(where: { $0.rect == picture.rect }) {
            plan.clearing += picture.blanking(style: style)
        }
        return plan
    }

    /// Takes note that the whole screen was cleared or is unknown.
    mutating func invalidate() {
        lostRemoval = wholeRemoval
        shown = []
    }

    /// Takes note that these may not have got through, or not wholly.
    mutating func damage(_ pictures: [TerminalPicture]) {
        for index in shown.indices where pictures.contains(where: { $0.isSame(as: shown[index].picture) }) {
            shown[index].isIntact = false
        }
    }

    // A picture in the very place of a wanted one stays until that one is drawn over it.
    private mutating func removeUnwanted(_ wanted: [TerminalPicture], mayDraw: Bool, into plan: inout Plan) {
        shown.removeAll { old in
            if wanted.contains(where: { $0.rect == old.picture.rect }) { return false }
            plan.removal += old.picture.removal
            return true
        }
    }

    private mutating func place(
        _ picture: TerminalPicture, _ cell: CellSize, _ style: ControlSequence, mayDraw: Bool, into plan: inout Plan
    ) {
        let index = shown.firstIndex { $0.picture.rect == picture.rect }
        if let index, shown[index].isIntact, shown[index].picture.isSame(as: picture) { return }
        guard mayDraw else {
            plan.isIncomplete = true
            return
        }
        let old = index.map { shown.remove(at: $0).picture }
        if old == nil || old?.pixels != picture.pixels {
            plan.clearing += picture.clearing(cell: cell, style: style)
        }
        // Equal removals mean the same picture in the same place.
        if let old, old.removal != picture.removal { plan.replacedRemoval += old.removal }
        plan.draw.append(picture)
        shown.append(Shown(picture: picture))
    }
}
