import Raster

/// Some bands of a picture as sixel data, with line feeds between them but none at the end.
struct SixelBands: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The highest register that the bands draw with.
    private(set) var lastRegister = 0

    /// Encodes `rows`, which begin at a multiple of six.
    init(_ picture: IndexedPicture, rows: Range<Int>) {
        let width = picture.size.width
        var columns = ColorColumns(width: width, colors: picture.colors.count)
        bytes.reserveCapacity(width * rows.count * 3 / 2)
        for top in stride(from: rows.lowerBound, to: rows.upperBound, by: SixelEnvelope.bandHeight) {
            if top > rows.lowerBound { bytes.append(SixelEnvelope.lineFeed) }
            let bottom = min(top + SixelEnvelope.bandHeight, rows.upperBound)
            picture.indices.withUnsafeBufferPointer { indices in
                columns.collect(UnsafeBufferPointer(rebasing: indices[(top * width)..<(bottom * width)]))
            }
            write(&columns)
        }
    }

    private mutating func write(_ columns: inout ColorColumns) {
        let colors = columns.sortedColors
        bytes.append(room: columns.bytesAtMost) { output in
            for (place, color) in colors.enumerated() {
                if place > 0 { output.append(SixelEnvelope.carriageReturn) }
                output.append(UInt8(ascii: "#"))
                output.append(decimal: color)
                columns.withEntries(of: color) { Self.write($0, to: &output) }
            }
        }
        lastRegister = max(lastRegister, colors.last ?? 0)
    }

    /// The columns of one colour from the left; what is not set is skipped, and nothing follows the last.
    private static func write(_ entries: UnsafeBufferPointer<UInt32>, to output: inout ByteWriter) {
        var (next, x) = (0, 0)
        while next < entries.count {
            let (column, mask) = (Int(entries[next] >> 6), UInt8(truncatingIfNeeded: entries[next] & 63))
            var run = 1
            while next + run < entries.count, entries[next + run] == entries[next] &+ UInt32(run) << 6 { run += 1 }
            output.append(SixelEnvelope.blank, times: column - x)
            output.append(SixelEnvelope.blank + mask, times: run)
            next += run
            x = column + run
        }
    }
}
