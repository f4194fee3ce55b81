import Foundation

/// Reads a GIF's bytes from the first to the last, never past the end.
struct GIFCursor {
    /// The bytes ended too early.
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

    /// Two bytes, the lower first.
    mutating func number() throws(Cut) -> Int { Int(try byte()) | Int(try byte()) << 8 }

    mutating func skip(_ count: Int) throws(Cut) {
        guard count <= data.count - offset else { throw Cut() }
        offset += count
    }

    /// Passes the colour table that the flags tell of; empty where there is none.
    mutating func colorTable(_ flags: UInt8) throws(Cut) -> Range<Int> {
        let start = offset
        if flags & 0x80 != 0 { try skip(3 << (Int(flags & 7) + 1)) }
        return start..<offset
    }

    /// The next block's bytes; none for the block that ends a row of them.
    mutating func block() throws(Cut) -> [UInt8] {
        let count = Int(try byte())
        let start = data.startIndex + offset
        try skip(count)
        return Array(data[start..<start + count])
    }

    /// All blocks' bytes up to the empty one.
    mutating func blocks() throws(Cut) -> [UInt8] {
        var all: [UInt8] = []
        while case let block = try block(), !block.isEmpty { all += block }
        return all
    }

    /// Passes all blocks up to and with the empty one.
    mutating func skipBlocks() throws(Cut) {
        while case let count = Int(try byte()), count > 0 { try skip(count) }
    }
}
