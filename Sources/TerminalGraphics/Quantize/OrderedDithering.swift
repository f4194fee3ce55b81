import Raster

/// Dithering by a fixed pattern of offsets, so that an unchanged pixel has the same index in every frame.
///
/// The pattern is the 8×8 matrix of Bayer, "An Optimum Method for Two-Level Rendition of Continuous-Tone Pictures",
/// IEEE International Conference on Communications (1973).
struct OrderedDithering {
    private static let side = 8
    /// Space on both sides of 0…255 for a pixel plus its offset.
    private static let margin = 64

    let palette: Palette
    /// The largest offset in either direction, in eight-bit intensities, at most `margin`.
    private let amplitude: Double

    /// Adapts the strength of the dithering to the distance between the colours.
    init(palette: Palette) {
        self.palette = palette
        amplitude = min(palette.spacing * 0.5, Double(Self.margin))
    }

    /// Returns the indices of some rows of an opaque picture.
    func indices(of picture: PixelBuffer, rows: Range<Int>) -> [UInt8] {
        let width = picture.size.width
        let offsets = offsets
        let cells = Self.cells
        return [UInt8](unsafeUninitializedCapacity: width * rows.count) { indices, count in
            palette.table.indices.withUnsafeBufferPointer { table in
                cells.withUnsafeBufferPointer { cells in
                    picture.bytes.withUnsafeBufferPointer { bytes in
                        var position = 0
                        for row in rows {
                            for x in 0..<width {
                                let offset = offsets[(row & 7) << 3 | (x & 7)]
                                let pixel = (row * width + x) * 4
                                let red = cells[Int(bytes[pixel]) &+ offset]
                                let green = cells[Int(bytes[pixel &+ 1]) &+ offset]
                                let blue = cells[Int(bytes[pixel &+ 2]) &+ offset]
                                indices.initializeElement(at: position, to: table[red << 12 | green << 6 | blue])
                                position &+= 1
                            }
                        }
                    }
                }
            }
            count = width * rows.count
        }
    }

    /// The 64 offsets, row by row, each increased by `margin`.
    private var offsets: [Int] {
        (0..<64).map { place in
            let rank = Self.rank(column: place & 7, row: place >> 3)
            let offset = ((Double(rank) + 0.5) / 32 - 1) * amplitude
            return Self.margin + Int(offset.rounded())
        }
    }

    /// Returns the rank, 0…63, of a cell in the order in which the matrix sets its cells.
    private static func rank(column: Int, row: Int) -> Int {
        (0..<3).reduce(0) { rank, bit in
            let (x, y) = (column >> bit & 1, row >> bit & 1)
            return rank | ((x ^ y) << 1 | y) << (2 * (2 - bit))
        }
    }

    /// The table cell of each intensity from −margin to 255 + margin, clamped.
    private static let cells: [Int] = (-margin..<256 + margin).map { min(max($0, 0), 255) >> 2 }
}
