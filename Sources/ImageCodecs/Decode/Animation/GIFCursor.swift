import Foundation

/// A forward reader of a GIF's bytes that never reads past the end.
struct GIFCursor {
    /// The error for bytes that end too early.
    struct Cut: Error {}

    private(set) var offset = 0
    /// Whether the next byte is the first of a block.
    var isBetweenBlocks = false
    private let data: Data

    init(_ data: Data) { self.data = data }

    mutating func byte() throws(Cut) -> UInt8 {
        guard offset < data.count else { throw Cut() }
        defer { offset += 1 }
        return data[data.startIndex + offset]
    }

    /// Reads a 16-bit number in little-endian order.
    mutating func number() throws(Cut) -> Int { Int(try byte()) | Int(try byte()) << 8 }

    mutating func skip(_ count: Int) throws(Cut) {
        guard count <= data.count - offset else { throw Cut() }
        offset += count
    }

    /// Skips the colour table that the flags announce.
    ///
    /// - Returns: The range of the table's bytes; empty if there is none.
    mutating func colorTable(_ flags: UInt8) throws(Cut) -> Range<Int> {
        let start = offset
        if flags & 0x80 != 0 { try skip(3 << (Int(flags & 7) + 1)) }
        return start..<offset
    }

    /// Reads the next sub-block; empty for the terminator.
    mutating func block() throws(Cut) -> [UInt8] {
        let count = Int(try byte())
        let start = data.startIndex + offset
        try skip(count)
        return Array(data[start..<start + count])
    }

    /// Reads the sub-blocks up to the terminator, or to the end of the bytes, and joins their bytes.
    mutating func blocksToTheEnd() -> [UInt8] {
        var all: [UInt8] = []
        while let count = try? byte(), count > 0 {
            let part = data.dropFirst(offset).prefix(Int(count))
            all += part
            offset += part.count
        }
        return all
    }

    /// Skips all sub-blocks and the terminator.
    mutating func skipBlocks() throws(Cut) {
        while case let count = Int(try byte()), count > 0 { try skip(count) }
    }
}
