/// The columns of one band sorted by colour: for every colour its columns from the left, each with a mask of rows.
///
/// Time and room follow the number of pixels, not the number of colours times the width.
struct ColorColumns {
    /// The column, and in the six lowest bits the rows that have the colour.
    typealias Entry = UInt32

    /// Stands before each colour's entries, so that there always is a last one to compare with; no column is that far.
    private static let sentinel = Entry.max

    private let width: Int
    /// For each colour a sentinel and places for `width` entries.
    private var entries: [Entry]
    /// Where each colour's next entry goes.
    private var ends: [Int]

    init(width: Int, colors: Int) {
        self.width = width
        entries = [Entry](repeating: Self.sentinel, count: (width + 1) * colors)
        ends = (0..<colors).map { $0 * (width + 1) + 1 }
    }

    /// Replaces what was there by a band of one to six rows.
    mutating func collect(_ band: UnsafeBufferPointer<UInt8>) {
        let (width, rows) = (width, band.count / width)
        for color in ends.indices { ends[color] = start(of: color) }
        entries.withUnsafeMutableBufferPointer { entries in
            ends.withUnsafeMutableBufferPointer { ends in
                for x in 0..<width {
                    let column = Entry(truncatingIfNeeded: x) &<< 6
                    for row in 0..<rows {
                        let color = Int(band[row &* width &+ x])
                        let end = ends[color]
                        let bit = Entry(1) &<< Entry(truncatingIfNeeded: row)
                        if entries[end &- 1] & ~63 == column {
                            entries[end &- 1] |= bit
                        } else {
                            entries[end] = column | bit
                            ends[color] = end &+ 1
                        }
                    }
                }
            }
        }
    }

    /// The colours of the band in rising order.
    var sortedColors: [Int] { ends.indices.filter { ends[$0] > start(of: $0) } }

    /// More bytes than the band can take: an entry is a skip and a column, a colour its selection and a return.
    var bytesAtMost: Int {
        ends.indices.reduce(0) { $0 + (ends[$1] - start(of: $1)) * 12 + 6 }
    }

    func withEntries(of color: Int, _ body: (UnsafeBufferPointer<Entry>) -> Void) {
        entries.withUnsafeBufferPointer { entries in
            body(UnsafeBufferPointer(rebasing: entries[start(of: color)..<ends[color]]))
        }
    }

    private func start(of color: Int) -> Int { color * (width + 1) + 1 }
}
