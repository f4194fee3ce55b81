import AlcedoBrowserCore
import AlcedoScreen
import Raster

extension Frame {
    /// Every rule about cells and pictures that this frame breaks.
    package var faults: [String] {
        var faults: [String] = []
        if cells.count != size.columns * size.rows { faults.append("cell count") }
        for row in 0..<size.rows { faults += rowFaults(row) }
        for placement in pictures { faults += pictureFaults(placement) }
        if let cursor, cursor.column >= size.columns || cursor.row >= size.rows { faults.append("cursor outside") }
        return faults
    }

    private func rowFaults(_ row: Int) -> [String] {
        (0..<size.columns).compactMap { column in
            guard let character = self[column, row].character else {
                let isSecondHalf = column > 0 && self[column - 1, row].character.map { CellWidth.of($0) } == 2
                return isSecondHalf ? nil : "stray half at \(column),\(row)"
            }
            if !SafeText.isSafe(character) { return "unsafe character at \(column),\(row)" }
            switch CellWidth.of(character) {
            case 1: return nil
            case 2:
                let hasHalf = column + 1 < size.columns && self[column + 1, row].character == nil
                return hasHalf ? nil : "wide character without its half at \(column),\(row)"
            default: return "weightless character at \(column),\(row)"
            }
        }
    }

    private func pictureFaults(_ placement: PicturePlacement) -> [String] {
        let rect = placement.rect
        let fits = rect.column >= 0 && rect.row >= 0 && rect.column + rect.columns <= size.columns
        guard fits, rect.row + rect.rows < size.rows, !rect.isEmpty else { return ["picture outside or on last row"] }
        let isBlank = (rect.row..<rect.row + rect.rows).allSatisfy { row in
            (rect.column..<rect.column + rect.columns).allSatisfy { self[$0, row] == Cell.blank }
        }
        let hasStep = (0...PicturePlacement.finished).contains(placement.transitionStep)
        return (isBlank ? [] : ["text under the picture"]) + (hasStep ? [] : ["transition step"])
    }
}
