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
    /// Whether the cells stand in the middle of the area.
    private let isGroup: Bool

    /// Creates the cells of an area.
    ///
    /// - Parameters:
    ///   - chosen: The number of columns that the user chose; nil for as many as suit the width.
    ///   - cell: The size of a character cell, so that pictures get a ratio of 4:3.
    ///   - mostRows: The most rows of cells; nil for no limit.
    ///   - all: The number of pictures in the whole list, if it is known: all of them get larger cells if they fit.
    ///   - group: The number of pictures of a group, and the sizes of its first: they are shown as large as possible; nil
    ///     for other lists.
    init(
        in area: Rect, columns chosen: Int? = nil, cell: CellSize, mostRows: Int? = nil, all: Int? = nil,
        group: (count: Int, sizes: [PixelSize])? = nil
    ) {
        (self.area, isGroup) = (area, group != nil)
        captionRows = area.rows >= 7 ? 2 : area.rows >= 5 ? 1 : 0
        let usual = Self.usualColumns(area.columns)
        let limit = max(1, mostRows ?? .max)
        let around = captionRows + 1
        let room = max(0, area.rows - 1)
        if let group {
            let most = min(limit, max(1, room / (Self.least.rows + around)))
            /// Returns the area of the pictures in a number of rows, and the rows of a picture; no area if not all fit.
            func pictures(_ rows: Int) -> (area: Int, rows: Int, columns: Int) {
                let columns = min(usual, max(1, (group.count + rows - 1) / rows))
                let box = GridSize(columns: Self.width(columns, in: area) - 2, rows: room / rows - around)
                guard box.columns > 0, box.rows > 0 else { return (0, max(0, box.rows), columns) }
                let pixels = PixelSize(width: box.columns * cell.width, height: box.rows * cell.height)
                let fitted = group.sizes.map { $0.fitted(into: pixels) }
                let isWhole = rows == most || columns * rows >= group.count
                return (
                    isWhole ? fitted.reduce(1) { $0 + $1.width * $1.height } : 0,
                    max(Self.least.rows, fitted.map { cell.cells(covering: $0).rows }.max() ?? box.rows), columns
                )
            }
            let choices = (1...most).map { (rows: $0, pictures: pictures($0)) }
            let best = choices.dropFirst().reduce(choices[0]) { $1.pictures.area > $0.pictures.area ? $1 : $0 }
            (rows, columns) = (best.rows, best.pictures.columns)
            pictureRows = min(best.pictures.rows, max(0, room / rows - around))
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

    /// The number of visible thumbnails.
    var capacity: Int { columns * rows }

    /// Returns the area of a cell by its number on the screen, with the gaps above and below.
    func cell(_ number: Int) -> Rect {
        let left = area.column + (area.columns - columns * width) / 2
        let height = pictureRows + captionRows + 1
        let top = area.row + (isGroup ? max(0, area.rows - 1 - rows * height) / 2 : 0) + number / columns * height
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
    func number(at place: Position) -> Int? { (0..<capacity).first { cell($0).contains(place) } }

    /// Returns the first visible row of cells that shows the cursor and moves as little as possible; no row of cells
    /// stays free while there are pictures above.
    func top(_ old: Int, cursor: Int, count: Int) -> Int {
        let last = max(0, (count + columns - 1) / columns - rows)
        return min(max(min(old, last), cursor / columns - rows + 1), cursor / columns)
    }
}
