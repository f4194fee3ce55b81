import Raster

/// Encodes sixels band by band, colour by colour within a band; groups of bands are encoded concurrently.
package struct BandSixelEncoder: SixelEncoder {
    package init() {}

    /// Returns one complete control string; no bytes for an empty picture.
    ///
    /// Complexity: O(pixels) for any picture.
    @concurrent
    package func encode(_ picture: IndexedPicture) async -> [UInt8] {
        guard !picture.size.isEmpty else { return [] }
        let stripes = Stripes(of: picture.size.height, unit: SixelEnvelope.bandHeight)
        let parts = await stripes.map { rows in SixelBands(picture, rows: rows) }
        return Self.stream(picture, parts)
    }

    private static func stream(_ picture: IndexedPicture, _ parts: [SixelBands]) -> [UInt8] {
        let last = parts.map(\.lastRegister).max() ?? 0
        var bytes = SixelEnvelope.start(picture.size, colors: picture.colors, lastRegister: last)
        bytes.reserveCapacity(bytes.count + parts.reduce(2) { $0 + $1.bytes.count + 1 })
        for (place, part) in parts.enumerated() {
            if place > 0 { bytes.append(SixelEnvelope.lineFeed) }
            bytes += part.bytes
        }
        return bytes + SixelEnvelope.end
    }
}

/// Some bands of a picture as sixel data, separated by line feeds.
struct SixelBands: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The highest register used.
    private(set) var lastRegister = 0

    /// Encodes `rows`, whose start is a multiple of six.
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
        bytes.append(capacity: columns.byteLimit) { output in
            for (place, color) in colors.enumerated() {
                if place > 0 { output.append(SixelEnvelope.carriageReturn) }
                output.append(UInt8(ascii: "#"))
                output.append(decimal: color)
                columns.withEntries(of: color) { Self.write($0, to: &output) }
            }
        }
        lastRegister = max(lastRegister, colors.last ?? 0)
    }

    /// Writes the columns of one colour from the left; gaps are skipped, and nothing follows the last column.
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

/// The columns of a band grouped by colour: for each colour its columns from the left, with a mask of the rows.
///
/// Time and memory depend on the number of pixels, not on colours times width.
struct ColorColumns {
    /// A column, and in the six lowest bits the rows that have the colour.
    typealias Entry = UInt32

    /// Precedes each colour's entries, so that there is always a previous entry to compare with; no column equals it.
    private static let sentinel = Entry.max

    private let width: Int
    /// For each colour a sentinel and space for `width` entries.
    private var entries: [Entry]
    /// The position of each colour's next entry.
    private var ends: [Int]

    init(width: Int, colors: Int) {
        self.width = width
        entries = [Entry](repeating: Self.sentinel, count: (width + 1) * colors)
        ends = (0..<colors).map { $0 * (width + 1) + 1 }
    }

    /// Replaces the contents by a band of one to six rows.
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

    /// The colours of the band in ascending order.
    var sortedColors: [Int] { ends.indices.filter { ends[$0] > start(of: $0) } }

    /// An upper limit of the band's bytes: an entry is a skip and a column, a colour its selection and a return.
    var byteLimit: Int {
        ends.indices.reduce(0) { $0 + (ends[$1] - start(of: $1)) * 12 + 6 }
    }

    func withEntries(of color: Int, _ body: (UnsafeBufferPointer<Entry>) -> Void) {
        entries.withUnsafeBufferPointer { entries in
            body(UnsafeBufferPointer(rebasing: entries[start(of: color)..<ends[color]]))
        }
    }

    private func start(of color: Int) -> Int { color * (width + 1) + 1 }
}
