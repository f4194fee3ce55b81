import Raster

/// A reader of decompressed PNG rows that unfilters them in order and converts them to RGBA.
struct PNGRows {
    private let rows: UnsafeMutableRawBufferPointer
    private let chunks: PNGChunks
    private let rowBytes: Int
    private var next = 0
    /// The row above, with four bytes per pixel; zero before the first row.
    private var above: [UInt8]
    private let colors: PNGColors?

    init(_ rows: UnsafeMutableRawBufferPointer, _ chunks: PNGChunks, rowBytes: Int) {
        (self.rows, self.chunks, self.rowBytes) = (rows, chunks, rowBytes)
        let isPlain = chunks.type.channels > 2 && chunks.transparency.isEmpty
        colors = isPlain ? nil : PNGColors(chunks)
        above = [UInt8](repeating: 0, count: isPlain ? chunks.width * 4 : 0)
    }

    /// Reads the next rows into memory; returns false if a row is invalid.
    mutating func read(into memory: UnsafeMutableRawBufferPointer, rows count: Int) -> Bool {
        let stride = chunks.width * 4
        for row in 0..<count {
            let target = UnsafeMutableRawBufferPointer(rebasing: memory[row * stride..<(row + 1) * stride])
            guard colors == nil ? readPlain(target) : readOther(target) else { return false }
            next += 1
        }
        return true
    }

    /// Reads a row of RGB or RGBA without a transparent colour.
    private mutating func readPlain(_ target: UnsafeMutableRawBufferPointer) -> Bool {
        let start = next * (rowBytes + 1)
        let row = UnsafeRawBufferPointer(rebasing: rows[start + 1..<start + 1 + rowBytes])
        let (filter, width, isOpaque) = (rows[start], chunks.width, chunks.type == .color)
        return above.withUnsafeMutableBytes { above in
            let isKnown = PNGFilters(row: row, above: UnsafeRawBufferPointer(above), target: target, width: width)
                .undo(filter, isOpaque: isOpaque)
            above.copyMemory(from: UnsafeRawBufferPointer(target))
            return isKnown
        }
    }

    /// Reads a row of any other type: unfilters it in place, then converts its samples to colours.
    private func readOther(_ target: UnsafeMutableRawBufferPointer) -> Bool {
        let start = next * (rowBytes + 1)
        let row = UnsafeMutableRawBufferPointer(rebasing: rows[start + 1..<start + 1 + rowBytes])
        let above = next == 0 ? nil : UnsafeRawBufferPointer(rebasing: rows[start - rowBytes..<start])
        let step = max(1, chunks.depth * chunks.type.channels / 8)
        guard PNGFilters.undo(rows[start], row, above: above, step: step) else { return false }
        return colors?.write(UnsafeRawBufferPointer(row), to: target) ?? false
    }
}
