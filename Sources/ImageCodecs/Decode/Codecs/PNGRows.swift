import Raster

/// The unpacked rows of a PNG, freed of their filters one after the other and turned into four bytes a pixel.
struct PNGRows {
    private let rows: UnsafeMutableRawBufferPointer
    private let chunks: PNGChunks
    private let rowBytes: Int
    private var next = 0
    /// The row before, in four bytes a pixel; black before the first.
    private var above: [UInt8]
    private let colors: PNGColors?

    init(_ rows: UnsafeMutableRawBufferPointer, _ chunks: PNGChunks, rowBytes: Int) {
        (self.rows, self.chunks, self.rowBytes) = (rows, chunks, rowBytes)
        let isPlain = chunks.type.channels > 2 && chunks.transparency.isEmpty
        colors = isPlain ? nil : PNGColors(chunks)
        above = [UInt8](repeating: 0, count: isPlain ? chunks.width * 4 : 0)
    }

    /// Fills memory with rows; false where one makes no sense.
    mutating func read(into memory: UnsafeMutableRawBufferPointer, rows count: Int) -> Bool {
        let stride = chunks.width * 4
        for row in 0..<count {
            let target = UnsafeMutableRawBufferPointer(rebasing: memory[row * stride..<(row + 1) * stride])
            guard colors == nil ? readPlain(target) : readOther(target) else { return false }
            next += 1
        }
        return true
    }

    /// Colour with or without alpha.
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

    /// Everything else: in place, byte by byte, then each sample by its colour.
    private func readOther(_ target: UnsafeMutableRawBufferPointer) -> Bool {
        let start = next * (rowBytes + 1)
        let row = UnsafeMutableRawBufferPointer(rebasing: rows[start + 1..<start + 1 + rowBytes])
        let above = next == 0 ? nil : UnsafeRawBufferPointer(rebasing: rows[start - rowBytes..<start])
        let step = max(1, chunks.depth * chunks.type.channels / 8)
        guard PNGFilters.undo(rows[start], row, above: above, step: step) else { return false }
        return colors?.write(UnsafeRawBufferPointer(row), to: target) ?? false
    }
}
