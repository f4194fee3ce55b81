import Raster

/// A picture's rows as PNG has them: each after the number of its filter.
struct FilteredRows: Sendable {
    let rows: PixelRows
    let filter: PNGFilter

    /// What packs these rows best: runs are all that filtered photographs have.
    func deflater(level: Int) -> Deflater { Deflater(level: level, strategy: filter == .paeth ? .runs : .matches) }

    /// Some rows, one after the other.
    func bytes(_ range: Range<Int>) -> [UInt8] {
        let stride = rows.stride
        let source = rowAbove(range) + rows.bytes(range)
        return [UInt8](unsafeUninitializedCapacity: range.count * (stride + 1)) { output, written in
            source.withUnsafeBufferPointer { source in
                for row in 0..<range.count {
                    let start = row * (stride + 1)
                    output[start] = filter.rawValue
                    filter.write(
                        UnsafeBufferPointer(rebasing: source[(row + 1) * stride..<(row + 2) * stride]),
                        above: UnsafeBufferPointer(rebasing: source[row * stride..<(row + 1) * stride]),
                        pixel: rows.channels,
                        to: UnsafeMutableBufferPointer(rebasing: output[start + 1..<start + 1 + stride]))
                }
            }
            written = range.count * (stride + 1)
        }
    }

    private func rowAbove(_ range: Range<Int>) -> [UInt8] {
        let first = range.lowerBound
        return first == 0 ? [UInt8](repeating: 0, count: rows.stride) : rows.bytes(first - 1..<first)
    }
}
