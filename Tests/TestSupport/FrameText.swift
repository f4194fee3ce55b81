import AlcedoScreen
import Raster

extension Frame {
    /// The characters of a row as a terminal shows them.
    package func row(_ row: Int) -> String {
        String((0..<size.columns).compactMap { self[$0, row].character })
    }

    /// The rows without trailing blanks, then the pictures and placeholders.
    package var text: String {
        let rows = (0..<size.rows).map { number in
            var line = row(number)
            while line.last == " " { line.removeLast() }
            return line
        }
        let pictures = pictures.map { placement in
            let rect = placement.rect
            return "picture \(placement.picture.rawValue) at \(rect.column),\(rect.row) "
                + "size \(rect.columns)x\(rect.rows) step \(placement.transitionStep)"
        }
        let cursor = cursor.map { ["cursor at \($0.column),\($0.row)"] } ?? []
        return (rows + ["--"] + pictures + cursor).joined(separator: "\n") + "\n"
    }
}
