/// The columns of one band sorted by colour: for every colour its columns from the left, each with a mask of rows.
///
/// Time and room follow the number of pixels, not the number of colours times the width.
struct ColorColumns {
    private let width: Int
    /// For each colour `width` places for entries: the column, and in the six lowest bits the rows that have the colour.
    private var entries: [UInt32]
    /// How many entries each colour has.
    private var counts: [Int]

    init(width: Int, colors: Int) {
        self.width = width
        entries = [UInt32](repeating: 0, count: width * colors)
        counts = [Int](repeating: 0, count: colors)
    }

    /// Replaces what was there by a band of one to six rows.
    mutating func collect(_ band: UnsafeBufferPointer<UInt8>) {
        let (width, rows) = (width, band.count / width)
        for color in counts.indices { counts[color] = 0 }
        entries.withUnsafeMutableBufferPointer { entries in
            counts.withUnsafeMutableBufferPointer { counts in
                for x in 0..<width {
                    for row in 0..<rows {
                        let color = Int(band[row &* width &+ x])
                        let last = color &* width &+ counts[color] &- 1
                        let bit = UInt32(1) << UInt32(row)
                        if counts[color] > 0, entries[last] >> 6 == UInt32(truncatingIfNeeded: x) {
                            entries[last] |= bit
                        } else {
                            entries[last &+ 1] = UInt32(truncatingIfNeeded: x) << 6 | bit
                            counts[color] &+= 1
                        }
                    }
                }
            }
        }
    }

    /// The colours of the band in rising order.
    var sortedColors: [Int] { counts.indices.filter { counts[$0] > 0 } }

    /// More bytes than the band can take: an entry is a skip and a column, a colour its selection and a return.
    var bytesAtMost: Int {
        counts.reduce(0) { $0 + ($1 > 0 ? $1 * 12 + 6 : 0) }
    }

    func withEntries(of color: Int, _ body: (UnsafeBufferPointer<UInt32>) -> Void) {
        entries.withUnsafeBufferPointer { entries in
            body(UnsafeBufferPointer(rebasing: entries[(color * width)..<(color * width + counts[color])]))
        }
    }
}
