import Raster

/// The colour table of a GIF frame.
struct GIFColors {
    /// Three bytes for each index: red, green and blue.
    let table: [UInt8]
    let transparentIndex: UInt8?

    /// The first row and the row step of the four passes of an interlaced frame.
    ///
    /// Source: GIF89a, appendix E.
    private static let passes = [(0, 8), (4, 8), (2, 4), (1, 2)]

    /// Returns whether every index has a colour.
    func covers(_ indices: [UInt8]) -> Bool { Int(indices.max() ?? 0) < table.count / 3 }

    /// Returns the pixels for the frame's indices; missing indices, and those without a colour, are transparent.
    func picture(_ size: PixelSize, _ indices: [UInt8], isInterlaced: Bool) -> PixelBuffer {
        let words = words
        let rows = isInterlaced ? Self.passes.flatMap { stride(from: $0.0, to: size.height, by: $0.1) } : nil
        return PixelBuffer(size: size) { bytes in
            let memory = UnsafeMutableRawBufferPointer(bytes)
            for place in 0..<size.height {
                let (source, target) = (place * size.width, (rows?[place] ?? place) * size.width)
                for x in 0..<size.width {
                    let word = source + x < indices.count ? words[Int(indices[source + x])] : 0
                    memory.storeBytes(of: word, toByteOffset: (target + x) * 4, as: UInt32.self)
                }
            }
        }
    }

    /// The pixel of each of 256 indices as four bytes: red in the lowest byte, alpha in the highest.
    private var words: [UInt32] {
        (0..<256).map { index in
            if index >= table.count / 3 || transparentIndex.map(Int.init) == index { return 0 }
            return UInt32(table[index * 3]) | UInt32(table[index * 3 + 1]) << 8 | UInt32(table[index * 3 + 2]) << 16
                | 0xFF00_0000
        }
    }
}
