import BrowserCore
import Raster

/// Pictures' cells on the grid: filling them with sentinels, and clearing those that a picture leaves.
@MainActor
enum SentinelRuns {
    private static let sentinel = Cell(CursesScreen.sentinel)

    /// Puts sentinels into the cells of `rect`.
    static func fill(_ rect: Rect, of cells: inout [Cell], size: GridSize) {
        for row in max(0, rect.row)..<max(0, rect.row, min(size.rows, rect.row + rect.rows)) {
            for column in max(0, rect.column)..<max(0, rect.column, min(size.columns, rect.column + rect.columns)) {
                cells[row * size.columns + column] = sentinel
            }
        }
    }

    /// Bytes that write spaces over the cells that held a sentinel and hold none any more.
    static func vacated(from old: [Cell], to new: [Cell], columns: Int) -> [UInt8] {
        var sequences: [ControlSequence] = []
        var index = 0
        while index < old.count {
            let start = index
            let end = (start / columns + 1) * columns
            while index < end, old[index] == sentinel, new[index] != sentinel {
                index += 1
            }
            guard index > start else {
                index += 1
                continue
            }
            sequences += [.move(to: Position(column: start % columns, row: start / columns)), .spaces(index - start)]
        }
        guard !sequences.isEmpty else { return [] }
        return ([.saveCursor, .resetStyle] + sequences + [.restoreCursor]).bytes
    }
}
