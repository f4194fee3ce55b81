import AlcedoScreen
import Raster

/// The grid of thumbnails: cells of one size that fill an area.
///
/// A cell is as wide as the number of columns allows. Its rows are a gap that it shares with the cell above, the
/// picture, the caption, and the gap that it shares with the cell below; the frame of the selected cell lies in both
/// gaps.
struct GridLayout: Equatable {
    /// The numbers of columns that the user may choose.
    static let choices = 3...12
    /// The width of a cell for which the number of columns is chosen.
    private static let usualWidth = 23
    /// The fewest columns of a cell and rows of a picture.
    private static let least = GridSize(columns: 8, rows: 3)

    let area: Rect
    /// Cells per row, and visible rows; each at least 1.
    let columns: Int
    let rows: Int
    /// Rows of text below a picture: 2, less if there is no room.
    let captionRows: Int
    private let width: Int
    private let pictureRows: Int

    /// Creates the cells of an area.
    ///
    /// - Parameters:
    ///   - chosen: The number of columns that the user chose; nil for as many as suit the width.
    ///   - cell: The size of a character cell, so that pictures get a ratio of 4:3.
    ///   - mostRows: The most rows of cells; nil for no limit.
    ///   - all: The number of pictures in the whole list, if it is known: all of them get larger cells if they fit.
    ///   - count: The number of pictures of a group, which gets the largest cells; nil for other lists.
    init(
        in area: Rect, columns chosen: Int? = nil, cell: CellSize, mostRows: Int? = nil, all: Int? = nil,
        count: Int? = nil
    ) {
        self.area = area
        captionRows = area.rows >= 7 ? 2 : area.rows >= 5 ? 1 : 0
        let usual = Self.usualColumns(area.columns)
        let limit = max(1, mostRows ?? .max)
        let around = captionRows + 1
        let room = max(0, area.rows - 1)
        if let count {
            let most = min(limit, max(1, room / (Self.least.rows + around)))
            let best = Self.largestCells(for: count, columns: usual, rows: most, in: area)
            (columns, rows) = (best.columns, best.rows)
            pictureRows = max(0, room / best.rows - around)
        } else {
            func cells(_ columns: Int) -> (rows: Int, pictureRows: Int) {
                Self.rows(of: Self.height(Self.width(columns, in: area), cell), around: around, in: room, atMost: limit)
            }
            let fewest = min(usual, Self.choices.lowerBound)
            // Few rows of pictures, as of a small list or in a terminal that keeps few pictures, are made high.
            let large = (fewest...usual).first { number in
                let rows = cells(number).rows
                return rows == limit || all.map { $0 <= number * rows } ?? false
            }
            columns = max(1, min(max(1, area.columns / Self.least.columns), chosen ?? large ?? usual))
            (rows, pictureRows) = cells(columns)
        }
        width = Self.width(columns, in: area)
    }

    /// Returns the number of columns that suits a width: 3 at 60, 7 at 160, 11 at 250.
    static func usualColumns(_ width: Int) -> Int {
        let fitting = max(1, width / least.columns)
        return min(fitting, max(choices.lowerBound, (width * 2 + usualWidth) / (usualWidth * 2)))
    }

    private static func width(_ columns: Int, in area: Rect) -> Int {
        max(1, max(area.columns - 2, min(area.columns, columns)) / columns)
    }

    /// Returns the rows of a picture of the ratio 4:3 in a cell.
    private static func height(_ width: Int, _ cell: CellSize) -> Int {
        max(least.rows, (max(0, width - 2) * cell.width * 3 + cell.height * 2) / (cell.height * 4))
    }

    /// Returns how many cells lie below each other, and the rows of their pictures.
    ///
    /// One more row of cells is taken if the pictures lose at most a quarter for it; else each gets up to two spare
    /// rows.
    private static func rows(of height: Int, around: Int, in room: Int, atMost limit: Int) -> (Int, Int) {
        let fitting = min(limit, room / (height + around))
        guard fitting > 0 else { return (1, max(0, room - around)) }
        if fitting < limit {
            let smaller = room / (fitting + 1) - around
            if smaller >= least.rows, smaller * 4 >= height * 3 { return (fitting + 1, smaller) }
        }
        return (fitting, height + min(2, (room - fitting * (height + around)) / fitting))
    }

    /// Returns the columns and rows with which a number of cells are largest.
    private static func largestCells(for count: Int, columns: Int, rows: Int, in area: Rect) -> GridSize {
        let choices = (1...rows).map { GridSize(columns: min(columns, max(1, (count + $0 - 1) / $0)), rows: $0) }
        let whole = choices.filter { $0.columns * $0.rows >= count }
        // A cell of text is about twice as high as wide.
        return whole.max { one, other in
            min(area.columns / one.columns, 2 * area.rows / one.rows)
                < min(area.columns / other.columns, 2 * area.rows / other.rows)
        } ?? GridSize(columns: columns, rows: rows)
    }

    /// The number of visible thumbnails.
    var capacity: Int { columns * rows }

    /// Returns the area of a cell by its number on the screen, with the gaps above and below.
    func cell(_ number: Int) -> Rect {
        let left = area.column + (area.columns - columns * width) / 2
        let height = pictureRows + captionRows + 1
        let top = area.row + number / columns * height
        return Rect(
            column: left + number % columns * width, row: top, columns: width,
            rows: min(height + 1, area.row + area.rows - top))
    }

    /// Returns the area for a cell's picture.
    func picture(_ number: Int) -> Rect {
        let cell = cell(number)
        return Rect(column: cell.column + 1, row: cell.row + 1, columns: max(0, width - 2), rows: pictureRows)
    }

    /// Returns the cell at a position; nil outside of the cells.
    func number(at place: Position) -> Int? {
        (0..<capacity).first { cell($0).contains(place) }
    }

    /// Returns the first visible row of cells that shows the cursor and moves as little as possible; no row of cells
    /// stays free while there are pictures above.
    func top(_ old: Int, cursor: Int, count: Int) -> Int {
        let last = max(0, (count + columns - 1) / columns - rows)
        return min(max(min(old, last), cursor / columns - rows + 1), cursor / columns)
    }
}
