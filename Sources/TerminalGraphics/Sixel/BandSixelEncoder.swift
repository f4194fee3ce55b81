import Raster

/// Encodes sixels band by band, colour by colour within a band; groups of bands are encoded concurrently.
package struct BandSixelEncoder: Sendable {
    package init() {}

    /// Returns one complete control string, from `ESC P` to `ESC \`; no bytes for an empty picture.
    ///
    /// The stream declares its size, defines every register before using it, draws exactly the pixels of the picture,
    /// and does not end in a line feed, so that it never scrolls by itself. Complexity: O(pixels) for any picture.
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
            write(&columns, without: picture.hole)
        }
    }

    private mutating func write(_ columns: inout ColorColumns, without hole: UInt8?) {
        let colors = columns.sortedColors.filter { $0 != hole.map(Int.init) }
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

/// The parts of a sixel stream around the bands.
enum SixelEnvelope {
    /// Returns `ESC P 0;1;0 q "1;1;W;H` and the definitions of the registers 0 to `lastRegister`.
    ///
    /// The second parameter, 1, leaves unset pixels unchanged; the pixel aspect ratio is 1:1. Unused registers are
    /// defined too: tmux 3.5 defines missing ones as `#1;0;0;0;0`, and xterm then draws nothing.
    static func start(_ size: PixelSize, colors: [Color], lastRegister: Int) -> [UInt8] {
        var bytes = Array("\(introducer)\(size.width);\(size.height)".utf8)
        for (index, color) in colors.prefix(lastRegister + 1).enumerated() {
            let levels = [color.red, color.green, color.blue].map(RegisterGrid.percentage)
            bytes += "#\(index);2;\(levels[0]);\(levels[1]);\(levels[2])".utf8
        }
        return bytes
    }

    /// The bytes before the picture's width and height.
    static let introducer = "\u{1B}P0;1;0q\"1;1;"
    /// The string terminator, `ESC \`.
    static let end: [UInt8] = [0x1B, 0x5C]
    /// Returns to the left edge of the band.
    static let carriageReturn = UInt8(ascii: "$")
    /// Moves to the next band.
    static let lineFeed = UInt8(ascii: "-")
    /// A column without set pixels; adding a mask of six bits to it sets pixels, the topmost by the lowest bit.
    static let blank: UInt8 = 0x3F
    /// The height of a band in pixels.
    static let bandHeight = 6

    /// Returns the smallest height that is a multiple of both bands and text rows.
    static func alignment(to cell: CellSize) -> Int {
        (1...bandHeight).lazy.map { $0 * cell.height }.first { $0.isMultiple(of: bandHeight) }
            ?? bandHeight * cell.height
    }

    /// Returns whether a byte belongs to a parameter: a digit or a separator.
    static func isParameter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: ";")).contains(byte)
    }
}

/// Writes bytes to preallocated memory; bytes beyond its end are dropped, which is a programming error.
struct ByteWriter {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        self.buffer = buffer
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        guard count < buffer.count else { return }
        buffer[count] = byte
        count &+= 1
    }

    /// Writes a sixel several times, with a repeat introducer if that is shorter.
    @inline(__always)
    mutating func append(_ sixel: UInt8, times: Int) {
        if times > 3 {
            append(UInt8(ascii: "!"))
            append(decimal: times)
            append(sixel)
        } else {
            for _ in 0..<times { append(sixel) }
        }
    }

    /// Writes a non-negative number.
    mutating func append(decimal number: Int) {
        if number > 9 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}

extension [UInt8] {
    /// Appends the bytes that `body` writes, at most `capacity`.
    mutating func append(capacity: Int, _ body: (inout ByteWriter) -> Void) {
        let start = count
        self += [UInt8](unsafeUninitializedCapacity: capacity) { buffer, written in
            var writer = ByteWriter(buffer)
            body(&writer)
            written = writer.count
        }
        assert(count - start <= capacity)
    }
}
