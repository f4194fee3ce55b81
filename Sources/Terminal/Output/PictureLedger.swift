import BrowserCore
import Raster

/// The pictures on the screen; decides which ones to send, keep and remove for a new frame.
struct PictureLedger {
    /// The changes for one frame.
    struct Plan {
        /// The bytes that clear cells before pictures are drawn.
        var clearing: [UInt8] = []
        /// The bytes that remove obsolete pictures before anything is drawn.
        var removal: [UInt8] = []
        var draw: [TerminalPicture] = []
        /// The bytes that remove replaced pictures after their replacements are drawn, so that nothing flickers.
        var replacedRemoval: [UInt8] = []
        /// Whether some pictures could not be drawn yet.
        var isIncomplete = false
    }

    private struct Shown {
        var picture: TerminalPicture
        /// Whether the picture was sent completely.
        var isIntact = true
    }

    private var shown: [Shown] = []
    /// Removes pictures that may have survived a cleared screen; clearing text does not erase every kind.
    private var lostRemoval: [UInt8] = []

    /// The bytes that remove every picture that may be on the screen.
    var removalOfAll: [UInt8] { lostRemoval + shown.flatMap(\.picture.removal) }

    /// Compares the wanted pictures with those on the screen and returns the changes.
    ///
    /// - Parameters:
    ///   - wanted: the pictures of the new frame.
    ///   - cell: the cell size, which tells which cells a picture does not fill.
    ///   - style: sets the style of cleared cells.
    ///   - blanksReplaced: whether a picture stays below the one drawn over it until text is written there.
    ///   - mayDraw: false while the terminal is processing the last picture.
    mutating func plan(
        _ wanted: [TerminalPicture], cell: CellSize, style: ControlSequence = .resetStyle,
        blanksReplaced: Bool = false, mayDraw: Bool
    ) -> Plan {
        var plan = Plan()
        plan.removal = lostRemoval
        lostRemoval = []
        removeUnwanted(wanted, into: &plan)
        let drawn = shown.map(\.picture)
        for picture in wanted { place(picture, cell, style, mayDraw: mayDraw, into: &plan) }
        // A single picture has none below it that could reappear; blanking would only make it flicker.
        guard blanksReplaced, wanted.count > 1 else { return plan }
        for picture in plan.draw where drawn.contains(where: { $0.rect == picture.rect }) {
            plan.clearing += picture.blanking(style: style)
        }
        return plan
    }

    /// Records that the screen was cleared or has unknown contents.
    mutating func invalidate() {
        lostRemoval = removalOfAll
        shown = []
    }

    /// Records that pictures may not have been sent completely.
    mutating func damage(_ pictures: [TerminalPicture]) {
        for index in shown.indices where pictures.contains(where: { $0.isSame(as: shown[index].picture) }) {
            shown[index].isIntact = false
        }
    }

    // A picture at the place of a wanted one stays until that one is drawn over it.
    private mutating func removeUnwanted(_ wanted: [TerminalPicture], into plan: inout Plan) {
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
        // Equal removals identify the same picture in the same place.
        if let old, old.removal != picture.removal { plan.replacedRemoval += old.removal }
        plan.draw.append(picture)
        shown.append(Shown(picture: picture))
    }
}

/// Arranges the parts of a frame in output order.
///
/// The order is: begin synchronized output, changed text, save the cursor, each picture after a move to its cell,
/// restore the cursor, remove replaced pictures, end synchronized output, and, if requested, a status query whose reply
/// acknowledges everything before it. A visible cursor is hidden while pictures are drawn.
enum FrameComposer {
    static func chunks(
        text: [UInt8], plan: PictureLedger.Plan, isSynchronized: Bool, queriesStatus: Bool, showsCursor: Bool = false
    ) -> [OutputQueue.Chunk] {
        guard queriesStatus || !text.isEmpty || !plan.removal.isEmpty || !plan.draw.isEmpty else { return [] }
        let begin = isSynchronized ? ControlSequence.beginUpdate.bytes : []
        let end = isSynchronized ? ControlSequence.endUpdate.bytes : []
        var chunks = [OutputQueue.Chunk(.text, begin + plan.removal + text)]
        chunks += pictures(plan, showsCursor: showsCursor)
        let query = queriesStatus ? ControlSequence.queryStatus.bytes : []
        chunks.append(OutputQueue.Chunk(.text, plan.replacedRemoval + end + query))
        return chunks
    }

    private static func pictures(_ plan: PictureLedger.Plan, showsCursor: Bool) -> [OutputQueue.Chunk] {
        guard !plan.draw.isEmpty else { return [] }
        let hide = showsCursor ? ControlSequence.hideCursor.bytes : []
        let show = showsCursor ? ControlSequence.showCursor.bytes : []
        var chunks = [OutputQueue.Chunk(.text, ControlSequence.saveCursor.bytes + hide + plan.clearing)]
        for picture in plan.draw {
            let origin = Position(column: picture.rect.column, row: picture.rect.row)
            chunks.append(OutputQueue.Chunk(.text, ControlSequence.move(to: origin).bytes))
            chunks.append(OutputQueue.Chunk(.image(picture.cut), picture.bytes))
        }
        chunks.append(OutputQueue.Chunk(.text, ControlSequence.restoreCursor.bytes + show))
        return chunks
    }
}
