import AlcedoScreen
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
    ///   - blanksReplaced: whether the area of a replaced picture is cleared first, for terminals that keep the old
    ///     picture below the new one.
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

    /// Returns whether some of the wanted pictures are not on the screen.
    func lacks(_ wanted: [TerminalPicture]) -> Bool {
        wanted.contains { picture in
            !picture.isOutdated && !shown.contains { $0.isIntact && $0.picture.isSame(as: picture) }
        }
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
        guard !picture.isOutdated else { return }
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
///
/// The text and the pictures of a band of rows are sent together, from top to bottom. Otherwise a terminal that draws
/// slowly would show old pictures over new names.
enum FrameComposer {
    static func chunks(
        text: [(row: Int, bytes: [UInt8])], plan: PictureLedger.Plan, isSynchronized: Bool, queriesStatus: Bool,
        style: ControlSequence = .resetStyle, showsCursor: Bool = false
    ) -> [OutputQueue.Chunk] {
        let hasText = !text.allSatisfy(\.bytes.isEmpty)
        guard queriesStatus || hasText || !plan.removal.isEmpty || !plan.draw.isEmpty else { return [] }
        let begin = isSynchronized ? ControlSequence.beginUpdate.bytes : []
        let end = isSynchronized ? ControlSequence.endUpdate.bytes : []
        var chunks = [OutputQueue.Chunk(.text, begin + plan.removal)]
        var rest = text[...]
        var clearing = plan.clearing
        let bands = bands(of: plan.draw)
        for (drawn, next) in zip(bands, bands.dropFirst().map { $0[0].rect.row } + [.max]) {
            chunks.append(OutputQueue.Chunk(.text, rest.prefix { $0.row < next }.flatMap(\.bytes)))
            rest = rest.drop { $0.row < next }
            clearing += drawn.filter(\.replacesOther).flatMap { $0.blanking(style: style) }
            chunks += pictures(drawn, clearing, showsCursor: showsCursor)
            clearing = []
        }
        chunks.append(OutputQueue.Chunk(.text, rest.flatMap(\.bytes)))
        let query = queriesStatus ? ControlSequence.queryStatus.bytes : []
        chunks.append(OutputQueue.Chunk(.text, plan.replacedRemoval + end + query))
        return chunks
    }

    /// Returns the pictures by bands of rows.
    ///
    /// Those that share a row share a band: text of their rows would erase them.
    private static func bands(of pictures: [TerminalPicture]) -> [[TerminalPicture]] {
        var (bands, end): ([[TerminalPicture]], Int) = ([], .min)
        for picture in pictures.sorted(by: { $0.rect.row < $1.rect.row }) {
            if picture.rect.row < end { bands[bands.count - 1].append(picture) } else { bands.append([picture]) }
            end = max(end, picture.rect.row + picture.rect.rows)
        }
        return bands
    }

    private static func pictures(
        _ pictures: [TerminalPicture], _ clearing: [UInt8], showsCursor: Bool
    ) -> [OutputQueue.Chunk] {
        let hide = showsCursor ? ControlSequence.hideCursor.bytes : []
        let show = showsCursor ? ControlSequence.showCursor.bytes : []
        var chunks = [OutputQueue.Chunk(.text, ControlSequence.saveCursor.bytes + hide + clearing)]
        for picture in pictures {
            let origin = Position(column: picture.rect.column, row: picture.rect.row)
            chunks.append(OutputQueue.Chunk(.text, ControlSequence.move(to: origin).bytes))
            chunks.append(OutputQueue.Chunk(.image(picture.cut), picture.bytes))
        }
        chunks.append(OutputQueue.Chunk(.text, ControlSequence.restoreCursor.bytes + show))
        return chunks
    }
}

/// An encoded picture and the cells that it covers.
package struct TerminalPicture: Equatable, Sendable {
    /// The picture's identity; with `generation` and `rect` it decides whether the bytes must be sent again.
    package var picture: PictureID
    /// Distinguishes versions of the bytes: a transition's step, the cell size, the palette.
    package var generation: Int
    /// The cells that the pixels touch, above the last row.
    package var rect: Rect
    /// The size in pixels; nil if the picture fills `rect`.
    ///
    /// Partly filled cells are cleared of older pixels first.
    package var pixels: PixelSize?
    /// The bytes that draw the picture at the cursor, in the first cell of `rect`; they may be cut.
    package var bytes: [UInt8]
    /// The bytes that remove the picture where overwriting its cells does not (kitty); empty otherwise.
    ///
    /// They are equal for two pictures if these are the same image at the same place for the terminal.
    package var removal: [UInt8]
    /// The cells whose text the picture hides; `rect` by default.
    package var hidden: [Rect]
    /// Whether it stays where it is on the screen, but is not drawn any more.
    package var isOutdated = false
    /// Whether it takes the place of another picture, which is erased first.
    package var replacesOther = false
    /// The way to end `bytes` when they are cut.
    package var cut: PictureCut

    package init(
        picture: PictureID, generation: Int = 0, rect: Rect, pixels: PixelSize? = nil, bytes: [UInt8],
        removal: [UInt8] = [], cut: PictureCut = .cancel()
    ) {
        (self.picture, self.generation, self.rect, self.pixels) = (picture, generation, rect, pixels)
        (self.bytes, self.removal, self.cut, hidden) = (bytes, removal, cut, [rect])
    }

    /// Returns whether the other picture has the same pixels at the same place.
    func isSame(as other: TerminalPicture) -> Bool {
        picture == other.picture && generation == other.generation && rect == other.rect
    }

    /// Returns the bytes that write spaces over partly filled cells, which may show older pixels.
    ///
    /// - Parameters:
    ///   - origin: the position of the screen's first cell on the terminal that receives the bytes.
    ///   - style: sets the style of the spaces, which is visible beside the pixels.
    package func clearing(
        cell: CellSize, origin: Position = Position(column: 0, row: 0), style: ControlSequence = .resetStyle
    ) -> [UInt8] {
        Self.spaces(over: edges(cell: cell), origin, style)
    }

    /// Returns the bytes that write spaces over all cells that the picture hides.
    func blanking(style: ControlSequence) -> [UInt8] {
        Self.spaces(over: hidden, Position(column: 0, row: 0), style)
    }

    private static func spaces(over rects: [Rect], _ origin: Position, _ style: ControlSequence) -> [UInt8] {
        let rows = rects.flatMap { edge in
            (0..<edge.rows).map { row in
                (Position(column: origin.column + edge.column, row: origin.row + edge.row + row), edge.columns)
            }
        }
        guard !rows.isEmpty else { return [] }
        return style.bytes
            + rows.flatMap { [ControlSequence.move(to: $0), .spaces($1)].bytes }
    }

    /// The last column and row, if the pixels do not fill them.
    private func edges(cell: CellSize) -> [Rect] {
        guard let pixels else { return [] }
        let whole = GridSize(columns: pixels.width / cell.width, rows: pixels.height / cell.height)
        var edges: [Rect] = []
        if whole.columns < rect.columns {
            edges.append(
                Rect(
                    column: rect.column + whole.columns, row: rect.row, columns: rect.columns - whole.columns,
                    rows: rect.rows))
        }
        if whole.rows < rect.rows {
            edges.append(
                Rect(
                    column: rect.column, row: rect.row + whole.rows, columns: rect.columns,
                    rows: rect.rows - whole.rows))
        }
        return edges
    }
}
