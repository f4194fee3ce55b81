import AlcedoFilters
import AlcedoScreen
import Raster

/// Thumbnails with names, marks and animation signs; the selected one has a frame.
struct GridPane {
    let state: BrowseState
    let layout: BrowseLayout

    private var glyphs: GlyphSet { state.glyphs }

    func draw(_ canvas: inout Canvas) {
        let (range, matcher) = (state.gridRange, state.list.filter.matcher())
        for row in range { draw(row, number: row - range.lowerBound, matcher, &canvas) }
    }

    private func draw(_ row: Int, number: Int, _ matcher: PictureFilter.Matcher, _ canvas: inout Canvas) {
        let index = state.list.index(at: row)
        let cell = layout.grid.cell(number)
        let isChosen = row == state.viewport.cursor
        drawPicture(index, layout.grid.picture(number), &canvas)
        if cell.rows > 1 { drawCaption(index, at: row, cell, matcher, &canvas) }
        if isChosen { drawFrame(cell, &canvas) }
    }

    private func drawPicture(_ index: Int, _ rect: Rect, _ canvas: inout Canvas) {
        guard !rect.isEmpty else { return }
        if let facts = state.thumbnails.picture(of: index) {
            let covered = rect.centered(state.cell.cells(covering: facts.size))
            return canvas.place(PicturePlacement(rect: covered, picture: facts.picture))
        }
        let text = state.statusText(of: index)
        let line = text.isWide ? text.field(width: min(14, rect.columns)) : text.sign
        let row = rect.row + rect.rows / 2
        canvas.write(line, centeredIn: rect, row)
        guard text.status.kind == .failed || text.isSkipped, row + 1 < rect.row + rect.rows else { return }
        canvas.write(text.fact(width: rect.columns), centeredIn: rect, row + 1)
    }

    /// Draws a line with corners above the cell, and the lower corners beside the caption.
    ///
    /// There are no lines at the sides, because the pictures of a row may be merged into one.
    private func drawFrame(_ cell: Rect, _ canvas: inout Canvas) {
        guard cell.columns > 1 else { return }
        let (line, bottom) = (String(repeating: glyphs.horizontal, count: cell.columns - 2), cell.row + cell.rows - 1)
        let last = cell.column + cell.columns - 1
        canvas.write(glyphs.corners[0] + line + glyphs.corners[1], cell.column, cell.row, width: cell.columns, .accent)
        guard bottom > cell.row else { return }
        canvas.select(cell.column + 1, bottom, width: cell.columns - 2)
        canvas.write(glyphs.corners[2], cell.column, bottom, width: 1, .accent)
        canvas.write(glyphs.corners[3], last, bottom, width: 1, .accent)
    }

    /// Returns the dimensions, the bytes and the distance of a picture of a group, as far as they fit.
    private func facts(_ index: Int, _ groups: DuplicateGroups, in width: Int) -> String {
        let size = state.list.facts[index].size.map { "\($0.width)\(glyphs.times)\($0.height)" }
        let bytes = state.statuses.bytes(of: index).map { Units.bytes($0) }
        let distance = groups.distance(of: index).map { "\($0) bits" }
        return [size, distance, bytes].compactMap { $0 }.reduce("") { line, fact in
            let longer = line.isEmpty ? fact : "\(line) \(fact)"
            return longer.count <= width ? longer : line
        }
    }

    /// Draws the mark, the status, the name, and a sign at the right for an animation.
    private func drawCaption(
        _ index: Int, at row: Int, _ cell: Rect, _ matcher: PictureFilter.Matcher, _ canvas: inout Canvas
    ) {
        let line = cell.row + cell.rows - 1
        let (start, end) = (cell.column + 1, cell.column + cell.columns - 2)
        let isInRange = state.markedRange?.contains(row) == true
        if isInRange || state.list.marks.contains(index) {
            canvas.write(glyphs.marked, start, line, width: end - start, .accent)
        }
        canvas.write(state.statusText(of: index).sign, start + 2, line, width: end - start - 2)
        let isMoving = state.list.facts[index].isMoving
        if isMoving { canvas.write(StyledText(glyphs.moving, .accent), endingAt: end, line, width: end - start - 4) }
        let width = max(0, end - start - 4 - (isMoving ? 2 : 0))
        let lead = state.duplicates.map {
            canvas.write(facts(index, $0, in: width * 2 / 3), start + 4, line, width: width, .dim) + 1
        }
        let room = max(0, start + 4 + width - (lead ?? start + 4))
        let name = NameText(of: index, in: state.list.items, state.names).text(
            width: room, ellipsis: glyphs.ellipsis, matching: matcher)
        canvas.write(name, lead ?? start + 4, line, width: room)
        if isInRange { canvas.select(cell.column, line, width: cell.columns) }
    }
}

/// The grid of thumbnails: cells of one size that fill an area.
struct GridLayout: Equatable {
    /// The usual size of a cell: picture, frame above, caption below, and a gap around it.
    private static let usual = GridSize(columns: 24, rows: 10)

    let area: Rect
    /// Cells per row, and visible rows; each at least 1.
    let columns: Int
    let rows: Int
    private let cellSize: GridSize

    /// Creates the cells of an area, in at most `mostRows` rows.
    ///
    /// - Parameter count: The number of pictures if it is known, so that few pictures become large.
    init(in area: Rect, mostRows: Int? = nil, count: Int? = nil) {
        self.area = area
        let most = GridSize(
            columns: Self.count(area.columns, by: Self.usual.columns),
            rows: min(Self.count(area.rows, by: Self.usual.rows), max(1, mostRows ?? .max)))
        let best = count.flatMap { Self.largestCells(for: $0, most, in: area) } ?? most
        (columns, rows) = (best.columns, best.rows)
        cellSize = GridSize(columns: area.columns / columns, rows: area.rows / rows)
    }

    /// Returns how many cells fit into a length, rounded to the nearest.
    private static func count(_ room: Int, by length: Int) -> Int { max(1, (room + length / 2) / length) }

    /// Returns the columns and rows with which a number of cells are largest; nil if there is no room for all.
    private static func largestCells(for count: Int, _ most: GridSize, in area: Rect) -> GridSize? {
        let choices = (1...most.rows).map { GridSize(columns: max(1, (count + $0 - 1) / $0), rows: $0) }
        // A cell of text is about twice as high as wide.
        return choices.filter { $0.columns <= most.columns }.max { one, other in
            min(area.columns / one.columns, 2 * area.rows / one.rows)
                < min(area.columns / other.columns, 2 * area.rows / other.rows)
        }
    }

    /// The number of visible thumbnails.
    var capacity: Int { columns * rows }

    /// Returns the area of a cell by its number on the screen.
    func cell(_ number: Int) -> Rect {
        let left = area.column + (area.columns - columns * cellSize.columns) / 2
        return Rect(
            column: left + number % columns * cellSize.columns, row: area.row + number / columns * cellSize.rows,
            columns: cellSize.columns, rows: cellSize.rows)
    }

    /// Returns the area for a cell's picture.
    func picture(_ number: Int) -> Rect {
        let cell = cell(number)
        return Rect(
            column: cell.column + 1, row: cell.row + 1, columns: max(0, cell.columns - 2), rows: max(0, cell.rows - 2))
    }

    /// Returns the cell at a position; nil outside of the cells.
    func number(at place: Position) -> Int? {
        (0..<capacity).first { cell($0).contains(place) }
    }

    /// Returns the first visible row of cells that shows the cursor and moves as little as possible.
    func top(_ old: Int, cursor: Int) -> Int { min(max(old, cursor / columns - rows + 1), cursor / columns) }
}

/// The thumbnails of the grid: visible ones and some around them.
struct Thumbnails: Sendable, Equatable {
    /// The requested items in this order, and the box that they must fit.
    struct Request: Sendable, Equatable {
        var items: [ItemID] = []
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
    var gridRange: Range<Int> {
        let grid = layout.grid
        let first = min(gridTop * grid.columns, list.count)
        return first..<min(list.count, first + grid.capacity)
    }

    /// Keeps the cursor visible, and requests the visible thumbnails, then those of the next page.
    mutating func refreshThumbnails() -> [BrowseEffect] {
        guard isGrid else { return requestThumbnails(Thumbnails.Request()) }
        let grid = layout.grid
        gridTop = grid.top(gridTop, cursor: viewport.cursor)
        let range = gridRange
        let ahead = range.upperBound..<min(list.count, range.upperBound + grid.capacity)
        let behind = max(0, range.lowerBound - grid.columns)..<range.lowerBound
        let rows = Array(range) + Array(ahead) + Array(behind)
        let box = cell.pixels(of: grid.picture(0))
        return requestThumbnails(Thumbnails.Request(items: rows.map { ItemID(list.index(at: $0)) }, box: box))
    }

    private mutating func requestThumbnails(_ request: Thumbnails.Request) -> [BrowseEffect] {
        let change = thumbnails.setRequest(request)
        guard change.isNew else { return [] }
        return change.released.map { .releasePicture($0) } + [.thumbnails(request.items, box: request.box)]
    }
}
