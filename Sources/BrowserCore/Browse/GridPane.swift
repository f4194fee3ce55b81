import AlcedoFilters
import AlcedoScreen
import Raster

/// Thumbnails with names, marks and states; the selected one has a frame, and so have pictures that are not there yet.
struct GridPane {
    let state: BrowseState
    let layout: BrowseLayout
    private let range: Range<Int>

    init(state: BrowseState, layout: BrowseLayout) {
        (self.state, self.layout, range) = (state, layout, state.gridRange(in: layout.grid))
    }

    private var glyphs: GlyphSet { state.glyphs }
    private var items: ItemTable { state.list.items }

    func draw(_ canvas: inout Canvas) {
        let matcher = state.list.filter.matcher()
        for row in range {
            let (index, number) = (state.list.index(at: row), row - range.lowerBound)
            drawPicture(index, layout.grid.picture(number), &canvas)
            if layout.grid.captionRows > 0 { drawCaption(index, at: row, layout.grid.cell(number), matcher, &canvas) }
        }
        if range.contains(state.viewport.cursor) {
            drawFrame(layout.grid.cell(state.viewport.cursor - range.lowerBound), &canvas)
        }
    }

    // MARK: - The picture

    private func drawPicture(_ index: Int, _ rect: Rect, _ canvas: inout Canvas) {
        guard !rect.isEmpty else { return }
        if let facts = state.thumbnails.picture(of: index) {
            let covered = rect.centered(state.cell.cells(covering: facts.size))
            return canvas.place(PicturePlacement(rect: covered, picture: facts.picture, item: index))
        }
        let shape = shape(of: index, in: rect)
        if shape.rows > 2, shape.columns > 2 { canvas.box(shape) }
        canvas.write(sign(of: index, width: max(1, shape.columns - 4)), centeredIn: shape, shape.row + shape.rows / 2)
    }

    /// Returns the area that the picture will cover, as far as its size is known; at least enough for its state.
    private func shape(of index: Int, in rect: Rect) -> Rect {
        guard let size = state.list.facts[index].size else { return rect }
        let cells = state.cell.cells(covering: size.fitted(into: state.cell.pixels(of: rect)))
        return rect.centered(GridSize(columns: max(cells.columns, 10), rows: max(cells.rows, 3)))
    }

    /// Returns the state in the middle of a missing picture: a sign, a bar, or a sign and a short word.
    private func sign(of index: Int, width: Int) -> StyledText {
        let text = state.statusText(of: index)
        if text.status.kind == .loading { return text.field(width: max(4, width / 2)) }
        if text.isWide { return text.field(width: width) }
        var sign = text.sign
        guard text.status.kind == .failed else { return sign }
        let word = text.fact(width: 3).spans.map(\.text).joined()
        if word.count == 3, word.allSatisfy(\.isNumber) { sign.append(" " + word, .failure) }
        return sign
    }

    // MARK: - The frame

    /// Draws a frame in the gaps around the cell, with the selection's background behind the caption.
    ///
    /// A terminal that keeps few pictures gets those of a row as one. Where no text shows in it, and the terminal keeps no
    /// further ones around the sides, they are drawn beside the caption only.
    private func drawFrame(_ cell: Rect, _ canvas: inout Canvas) {
        guard cell.columns > 1, cell.rows > 1 else { return }
        let captions = layout.grid.captionRows
        let caption = cell.row + cell.rows - 1 - captions
        canvas.box(cell, .accent, sidesFrom: hasRoomForSides ? cell.row + 1 : caption)
        for row in 0..<captions { canvas.select(cell.column + 1, caption + row, width: cell.columns - 2) }
    }

    private var hasRoomForSides: Bool {
        state.showsTextInRows || state.mostThumbnailRows.map { layout.grid.rows + 2 <= $0 } ?? true
    }

    // MARK: - The caption

    /// Draws the sign and the name, and below them the mark and what is to be said.
    private func drawCaption(
        _ index: Int, at row: Int, _ cell: Rect, _ matcher: PictureFilter.Matcher, _ canvas: inout Canvas
    ) {
        let line = layout.grid.picture(row - range.lowerBound).row + layout.grid.picture(0).rows
        let (start, width) = (cell.column + 4, max(0, cell.columns - 6))
        let isInRange = state.markedRange?.contains(row) == true
        let name = NameText(of: index, in: items, state.names)
        var (first, second) = lines(index, name, width: width)
        if layout.grid.captionRows < 2 { second = nil }
        canvas.write(state.statusText(of: index).sign, cell.column + 2, line, width: max(0, cell.columns - 3))
        let shown = Fitting.truncateMiddle(first, to: width, ellipsis: glyphs.ellipsis)
        canvas.write(NameText.text(shown, .plain, matching: matcher), start, line, width: width)
        if let second { canvas.write(second, start, line + 1, width: width) }
        if isInRange || state.list.marks.contains(index) {
            let isBeside = second == nil
            canvas.write(
                glyphs.marked, cell.column + (isBeside ? 1 : 2), line + (isBeside ? 0 : 1), width: 1, .accent)
            for row in 0..<layout.grid.captionRows {
                if isInRange { canvas.select(cell.column + 1, line + row, width: cell.columns - 2) }
                canvas.tint(cell.column + 1, line + row, width: cell.columns - 2)
            }
        }
    }

    /// Returns the two lines below a picture: its name, and what tells it from others of that name, else its state,
    /// else its kind and size; a long name continues in the second line if there is nothing else to say.
    private func lines(_ index: Int, _ name: NameText, width: Int) -> (String, StyledText?) {
        if let groups = state.duplicates {
            let kinds = Set(groups.items.prefix(100).map { items.name(at: $0).split(separator: ".").last ?? "" })
            return (kinds.count > 1 ? name.name : name.stem, StyledText(facts(index, groups, in: width), .dim))
        }
        let difference = name.query.isEmpty ? name.lead : name.query
        if !difference.isEmpty {
            let shown = Fitting.truncateMiddle(difference, to: width, ellipsis: glyphs.ellipsis)
            return (name.stem, StyledText(shown, .dim))
        }
        let text = state.statusText(of: index)
        if case .loading(let received, let total, let rate, _) = text.status {
            let share = total.map { Units.percent(received, of: $0) } ?? Units.bytes(received)
            let facts = [share, rate.map { Units.rate($0) }]
            return (name.stem, StyledText(Self.joined(facts, in: width), .dim))
        }
        if text.hasFacts {
            var line = text.fact(width: width)
            if let delay = text.delay(width: width - line.width - 2), line.width + delay.width + 2 <= width {
                line.append(delay, gap: 2)
            }
            return (name.stem, line)
        }
        return (name.stem, StyledText(kind(of: index, in: width), .dim))
    }

    /// Returns the kind, the sign of an animation and the bytes, as far as they fit.
    private func kind(of index: Int, in width: Int) -> String {
        let format = state.list.facts.format(of: index, in: items)?.rawValue
        let kind = format.map { state.list.facts[index].isMoving ? "\($0) \(glyphs.moving)" : $0 }
        return Self.joined([kind, state.statuses.bytes(of: index).map { Units.bytes($0) }], in: width)
    }

    /// Returns the dimensions, the distance and the bytes of a picture of a group, as far as they fit.
    private func facts(_ index: Int, _ groups: DuplicateGroups, in width: Int) -> String {
        let size = state.list.facts[index].size.map { "\($0.width)\(glyphs.times)\($0.height)" }
        let bytes = state.statuses.bytes(of: index).map { Units.bytes($0) }
        return Self.joined([size, groups.difference(of: index), bytes], in: width)
    }

    private static func joined(_ facts: [String?], in width: Int) -> String {
        facts.compactMap { $0 }.reduce("") { line, fact in
            let longer = line.isEmpty ? fact : "\(line)  \(fact)"
            return longer.count <= width ? longer : line
        }
    }
}

/// The thumbnails of the grid: visible ones and some around them.
struct Thumbnails: Sendable, Equatable {
    /// The requested items in this order, and the box that they must fit.
    struct Request: Sendable, Equatable {
        var items: [ItemID] = []
        /// The number of the first items that are visible.
        var visible = 0
        var box = PixelSize.zero
    }

    private(set) var request = Request()
    private var pictures: [Int: ShownPicture] = [:]

    func picture(of index: Int) -> ShownPicture? { pictures[index] }

    /// Replaces the request.
    ///
    /// - Returns: the thumbnails that are no longer needed, and whether the request changed.
    mutating func setRequest(_ new: Request) -> (released: [PictureID], isNew: Bool) {
        guard new != request else { return ([], false) }
        let isKept = new.box == request.box ? Set(new.items.map(\.rawValue)) : []
        let released = pictures.filter { !isKept.contains($0.key) }
        for index in released.keys { pictures[index] = nil }
        request = new
        return (released.values.map(\.picture), true)
    }

    /// Stores a thumbnail.
    ///
    /// - Returns: the picture that is not needed: the replaced one, or this one if it was not requested.
    mutating func receive(_ item: ItemID, _ facts: ShownPicture, for box: PixelSize) -> PictureID? {
        guard box == request.box, request.items.contains(item) else { return facts.picture }
        defer { pictures[item.rawValue] = facts }
        return pictures[item.rawValue]?.picture
    }
}

extension BrowseState {
    /// Whether the grid is visible.
    var showsGrid: Bool { isGrid && !isFullScreen }

    /// The visible rows of the grid.
    func gridRange(in grid: GridLayout) -> Range<Int> {
        let first = min(gridTop * grid.columns, list.count)
        return first..<min(list.count, first + grid.capacity)
    }

    /// Keeps the cursor visible, and requests the visible thumbnails, then those of the next page.
    mutating func refreshThumbnails() -> [BrowseEffect] {
        guard isGrid else { return requestThumbnails(Thumbnails.Request()) }
        let grid = layout.grid
        gridTop = grid.top(gridTop, cursor: viewport.cursor, count: list.count)
        let range = gridRange(in: grid)
        let ahead = range.upperBound..<min(list.count, range.upperBound + grid.capacity)
        let behind = max(0, range.lowerBound - grid.capacity)..<range.lowerBound
        let rows = visibleOrder(range) + Array(ahead) + Array(behind)
        let box = cell.pixels(of: grid.picture(0))
        return requestThumbnails(
            Thumbnails.Request(items: rows.map { ItemID(list.index(at: $0)) }, visible: range.count, box: box))
    }

    /// Returns the visible rows: the selected one, those whose pictures are cached, the others.
    private func visibleOrder(_ range: Range<Int>) -> [Int] {
        let others = range.filter { $0 != viewport.cursor }
        let isCached: (Int) -> Bool = { self.statuses.bytes(of: self.list.index(at: $0)) != nil }
        return range.filter { $0 == viewport.cursor } + others.filter(isCached) + others.filter { !isCached($0) }
    }

    /// Makes the cells larger or smaller by a number of columns, and keeps the cursor visible.
    mutating func changeGridColumns(by change: Int) {
        let limits = GridLayout.choices
        gridColumns = min(max(limits.lowerBound, layout.grid.columns + change), limits.upperBound)
    }

    private mutating func requestThumbnails(_ request: Thumbnails.Request) -> [BrowseEffect] {
        let change = thumbnails.setRequest(request)
        guard change.isNew else { return [] }
        return change.released.map { .releasePicture($0) } + [
            .thumbnails(request.items, box: request.box, visible: request.visible)
        ]
    }
}
