/// A conversion to RGBA for PNG samples that are not plain RGB or RGBA.
///
/// Source: W3C PNG, third edition, sections 11.2.1 and 11.3.1.
struct PNGColors {
    private let chunks: PNGChunks
    /// The pixel of each grey or palette sample; red is in the lowest byte.
    private let table: [UInt32]

    init(_ chunks: PNGChunks) {
        self.chunks = chunks
        table = chunks.type == .palette ? Self.palette(chunks) : Self.greys(chunks)
    }

    private static func pixel(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8) -> UInt32 {
        UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | UInt32(alpha) << 24
    }

    private static func palette(_ chunks: PNGChunks) -> [UInt32] {
        (0..<chunks.palette.count / 3).map { entry in
            let alpha = entry < chunks.transparency.count ? chunks.transparency[entry] : 255
            let color = chunks.palette[entry * 3..<entry * 3 + 3]
            return pixel(color[entry * 3], color[entry * 3 + 1], color[entry * 3 + 2], alpha)
        }
    }

    /// Returns the grey levels from black to white.
    ///
    /// The transparent level is stored in two bytes, of which only the bits of a sample count.
    private static func greys(_ chunks: PNGChunks) -> [UInt32] {
        let highest = 1 << chunks.depth - 1
        let hidden =
            chunks.type == .grey && chunks.transparency.count == 2 ? Int(chunks.transparency[1]) & highest : nil
        return (0...highest).map { sample in
            let level = UInt8(sample * 255 / highest)
            return pixel(level, level, level, sample == hidden ? 0 : 255)
        }
    }

    /// Converts a row to RGBA; returns false if a sample has no colour.
    func write(_ row: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) -> Bool {
        switch chunks.type {
        case .grey, .palette: return writeIndexed(row, to: target)
        case .greyAlpha: each(target) { Self.pixel(row[$0 * 2], row[$0 * 2], row[$0 * 2], row[$0 * 2 + 1]) }
        case .color:
            let hidden = chunks.transparency.count == 6 ? [1, 3, 5].map { chunks.transparency[$0] } : []
            each(target) { x in
                let isHidden = row[x * 3..<x * 3 + 3].elementsEqual(hidden)
                return Self.pixel(row[x * 3], row[x * 3 + 1], row[x * 3 + 2], isHidden ? 0 : 255)
            }
        case .colorAlpha: return false
        }
        return true
    }

    private func writeIndexed(_ row: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) -> Bool {
        let (depth, mask) = (chunks.depth, 1 << chunks.depth - 1)
        var isKnown = true
        each(target) { x in
            let bit = x * depth
            let sample = Int(row[bit >> 3]) >> (8 - depth - bit & 7) & mask
            guard sample < table.count else {
                isKnown = false
                return 0
            }
            return table[sample]
        }
        return isKnown
    }

    private func each(_ target: UnsafeMutableRawBufferPointer, _ pixel: (Int) -> UInt32) {
        for x in 0..<target.count / 4 { target.storeBytes(of: pixel(x), toByteOffset: x * 4, as: UInt32.self) }
    }
}
