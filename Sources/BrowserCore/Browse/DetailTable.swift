import AlcedoScreen
import Raster

/// Details in one or two columns of label and value, by groups.
struct DetailTable {
    static let labelWidth = 10
    /// The width of a pane from which there are two columns below the picture.
    private static let doubleWidth = 90
    private static let gap = 3

    /// The lines of each column, in the order of their groups.
    private let columns: [[DetailLine]]
    /// The width of a column.
    private let width: Int
    private let ellipsis: String

    /// - Parameters:
    ///   - width: The width of the table.
    ///   - isBelow: Whether the table lies below the picture, where it has as few rows as possible.
    init(_ lines: [DetailLine], width: Int, isBelow: Bool, ellipsis: String) {
        self.ellipsis = ellipsis
        func group(_ group: DetailLine.Group) -> [DetailLine] { lines.filter { $0.group == group } }
        let first = group(.file) + group(.picture) + group(.transfer)
        guard isBelow, width + 2 >= Self.doubleWidth else {
            (columns, self.width) = ([first + group(.camera) + group(.more)], width)
            return
        }
        var halves = [first, group(.camera)]
        for line in group(.more) { halves[halves[1].count < halves[0].count ? 1 : 0].append(line) }
        (columns, self.width) = (halves, (width - Self.gap) / 2)
    }

    /// The rows in which each line has one row.
    private var leastRows: Int { columns.map(\.count).max() ?? 0 }

    /// The rows for which a picture is scaled down: the last group is scrolled to.
    var neededRows: Int {
        let rows = columns.map { $0.count { $0.group != .more } }.max() ?? 0
        return leastRows > rows ? rows + 1 : rows
    }

    /// The rows in which no value is cut, apart from very long ones.
    var wholeRows: Int {
        columns.map { DetailRows($0, width: valueWidth, count: 500, ellipsis: ellipsis).rows.count }.max() ?? 0
    }

    private var valueWidth: Int { max(0, width - Self.labelWidth - 1) }

    /// Returns the last line from which a number of rows can be filled; 0 if all lines fit.
    func lastTop(rows: Int) -> Int { leastRows > rows ? leastRows - max(0, rows - 1) : 0 }

    /// Draws the lines from `top` on; the last row tells that some are left over.
    ///
    /// - Returns: the first row that is free in the first column.
    @discardableResult
    func draw(in rect: Rect, from top: Int, glyphs: GlyphSet, _ canvas: inout Canvas) -> Int {
        let isCut = lastTop(rows: rect.rows) > 0
        let room = isCut ? rect.rows - 1 : rect.rows
        var next = rect.row
        for (place, lines) in columns.enumerated() {
            let column = rect.column + place * (width + Self.gap)
            let shown = Array(lines.dropFirst(min(top, max(0, lines.count - room))))
            let rows = rows(of: shown, count: room)
            for (offset, detail) in rows.enumerated() {
                guard let detail else { continue }
                let row = rect.row + offset
                if detail.isFirst {
                    canvas.write(detail.line.label, column, row, width: Self.labelWidth, .dim, cut: .end)
                }
                canvas.write(detail.part, column + Self.labelWidth + 1, row, width: valueWidth)
            }
            if place == 0 { next += rows.count }
        }
        if isCut, top < lastTop(rows: rect.rows) {
            canvas.write(glyphs.moreRows, rect.column, rect.row + rect.rows - 1, width: 1, .dim)
        }
        return next
    }

    /// Returns the rows of a column; nil is a blank row between groups, if there is room for all of them and for all of
    /// the values.
    private func rows(of lines: [DetailLine], count: Int) -> [DetailRows.Row?] {
        let changes = zip(lines, lines.dropFirst()).count { $0.group != $1.group }
        let whole = DetailRows(lines, width: valueWidth, count: 500, ellipsis: ellipsis).rows.count
        let blanks = whole + changes <= count ? changes : 0
        var rows: [DetailRows.Row?] = []
        for row in DetailRows(lines, width: valueWidth, count: count - blanks, ellipsis: ellipsis).rows {
            if blanks > 0, row.isFirst, let last = rows.last??.line, last.group != row.line.group { rows.append(nil) }
            rows.append(row)
        }
        return rows
    }
}

/// The place of the details: beside the picture or below it, where they leave the larger picture.
struct DetailsPlacement {
    /// The least width of details beside the picture.
    private static let leastColumns = 36
    private static let gap = 2
    /// The least width of a picture beside details.
    private static let leastPicture = 10

    let picture: Rect
    let info: Rect
    let isBeside: Bool

    /// - Parameters:
    ///   - preview: The pane.
    ///   - top: The rows of its title.
    ///   - edge: The columns that the picture keeps free at each side.
    init(_ state: BrowseState, in preview: Rect, top: Int, edge: Int) {
        let below = Self.below(state, in: preview, top: top, edge: edge)
        let room = preview.columns - 2 - Self.leastColumns - Self.gap
        let rows = preview.rows - top
        let beside = Rect(column: preview.column + 1, row: preview.row + top, columns: room, rows: rows)
        guard let shape = state.pictureShape, room >= Self.leastPicture,
            case let fitting = shape.scaled(to: state.cell.pixels(of: beside)),
            fitting.area > shape.scaled(to: state.cell.pixels(of: below.picture)).area
        else {
            (picture, info, isBeside) = (below.picture, below.info, false)
            return
        }
        // The details get the columns that the picture leaves free; a zoomed picture fills its area.
        let columns = state.zoom.isFit ? state.cell.cells(covering: fitting).columns : room
        picture = Rect(column: beside.column, row: beside.row, columns: columns, rows: rows)
        info = Rect(
            column: beside.column + columns + Self.gap, row: beside.row,
            columns: preview.columns - 2 - columns - Self.gap, rows: rows)
        isBeside = true
    }

    /// Returns the areas with the details below: at most half of the pane, more than they need only where the picture
    /// leaves rows free.
    private static func below(
        _ state: BrowseState, in preview: Rect, top: Int, edge: Int
    ) -> (picture: Rect, info: Rect) {
        let rows = max(0, preview.rows - top - 1)
        var picture = Rect(
            column: preview.column + edge, row: preview.row + top, columns: preview.columns - edge * 2, rows: rows)
        let table = state.detailTable(state.placedDetails, width: preview.columns - 2, isBelow: true)
        let fitting = state.pictureShape.map { $0.scaled(to: state.cell.pixels(of: picture)) }
        let free = fitting.map { rows - state.cell.cells(covering: $0).rows } ?? 0
        let wanted = free > table.neededRows ? min(free, table.wholeRows) : table.neededRows
        let taken = min(preview.rows / 2, wanted, rows)
        picture.rows = rows - taken
        let info = Rect(
            column: preview.column + 1, row: preview.row + preview.rows - taken, columns: preview.columns - 2,
            rows: taken)
        return (picture, info)
    }
}
