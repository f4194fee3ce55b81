/// A message to another process: little-endian integers of eight bytes, and strings after their length.
struct MessageWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ value: Int) {
        withUnsafeBytes(of: Int64(value).littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ value: Bool) { write(value ? 1 : 0) }

    /// Writes a string, cut off after 1,000 bytes.
    mutating func write(_ text: String) {
        let text = text.utf8.prefix(1000)
        write(text.count)
        bytes.append(contentsOf: text)
    }
}

/// A reader of a message, which may have been written by an attacker.
struct MessageReader {
    /// The message is too short or too long, or a value is out of its range.
    struct Malformed: Error {}

    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    /// Reads an integer.
    ///
    /// - Throws: `Malformed` if the value is outside the range.
    mutating func integer(in range: ClosedRange<Int>) throws(Malformed) -> Int {
        let field = try next(8)
        let value = field.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let number = Int(Int64(bitPattern: value))
        guard range.contains(number) else { throw Malformed() }
        return number
    }

    mutating func flag() throws(Malformed) -> Bool { try integer(in: 0...1) == 1 }

    /// Reads a string; control characters and invalid UTF-8 are replaced.
    mutating func text() throws(Malformed) -> String {
        let text = String(decoding: try next(try integer(in: 0...1000)), as: UTF8.self)
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map {
                    [.control, .format].contains($0.properties.generalCategory) ? "\u{FFFD}" : $0
                }))
    }

    var isAtEnd: Bool { bytes.isEmpty }

    /// Checks that nothing follows.
    func finish() throws(Malformed) { guard bytes.isEmpty else { throw Malformed() } }

    private mutating func next(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
        guard bytes.count >= count else { throw Malformed() }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }
}
