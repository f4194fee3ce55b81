/// A JSON value (RFC 8259); the members of an object keep their order.
package enum JSONValue: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) { (self.name, self.value) = (name, value) }
    }

    case null
    case flag(Bool)
    case number(Double)
    /// A number that is too long for `Double`, such as an identifier of 64 bits.
    case integer(Int)
    case string(String)
    case array([JSONValue])
    case object([Member])

    struct SyntaxError: Error, Hashable {
        /// The position of the first byte that is not valid JSON, from 1.
        var position: Int
    }

    /// Parses a text that holds one value and nothing else.
    init(_ text: Substring) throws(SyntaxError) {
        var reader = JSONReader(Array(text.utf8))
        self = try reader.document()
    }
}

extension JSONValue {
    /// Parses a line; nil if it is not JSON.
    package init?(line: some Collection<UInt8>) {
        var reader = JSONReader(Array(line))
        guard let value = try? reader.document() else { return nil }
        self = value
    }

    /// The first member of a name; nil if there is none, or if this is no object.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The text; nil for other values.
    package var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The texts of an array; empty for other values.
    package var texts: [String] { if case .array(let values) = self { values.compactMap(\.text) } else { [] } }

    /// The number, if it is whole; nil for other values.
    package var whole: Int? {
        switch self {
        case .integer(let number): number
        case .number(let number): Int(exactly: number)
        default: nil
        }
    }
}

extension [JSONValue.Member] {
    /// Returns the text of the first member of a name; nil if there is none, or if it is no text.
    func text(named name: String) -> String? {
        guard case .string(let text)? = first(where: { $0.name == name })?.value else { return nil }
        return text
    }
}

/// Reads a JSON value from UTF-8 bytes, to a bounded depth.
///
/// Foundation's decoder gives neither the position of an error nor the order of members.
private struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0

    /// The maximum nesting of arrays and objects.
    private static let depthLimit = 32

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() throws(JSONValue.SyntaxError) -> JSONValue {
        let value = try value(depth: 0)
        guard position == bytes.count else { throw error }
        return value
    }

    private var error: JSONValue.SyntaxError { JSONValue.SyntaxError(position: position + 1) }

    /// The next byte; 0 at the end, as JSON holds no 0 outside of strings.
    private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

    private mutating func skipBlanks() {
        while next == 0x20 || next == 0x09 || next == 0x0A || next == 0x0D { position += 1 }
    }

    /// Consumes the next byte if it is the given one.
    private mutating func consume(_ byte: UInt8) -> Bool {
        guard next == byte, position < bytes.count else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(JSONValue.SyntaxError) {
        guard consume(byte) else { throw error }
    }

    private mutating func value(depth: Int) throws(JSONValue.SyntaxError) -> JSONValue {
        skipBlanks()
        defer { skipBlanks() }
        guard depth < Self.depthLimit else { throw error }
        switch next {
        case UInt8(ascii: "{"): return .object(try members(depth + 1))
        case UInt8(ascii: "["): return .array(try elements(depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .flag(true))
        case UInt8(ascii: "f"): return try word("false", .flag(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONValue.SyntaxError) -> JSONValue {
        for byte in UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount) { try expect(byte) }
        return value
    }

    private mutating func elements(_ depth: Int) throws(JSONValue.SyntaxError) -> [JSONValue] {
        try expect(UInt8(ascii: "["))
        skipBlanks()
        if consume(UInt8(ascii: "]")) { return [] }
        var elements: [JSONValue] = []
        repeat { elements.append(try value(depth: depth)) } while consume(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
        return elements
    }

    private mutating func members(_ depth: Int) throws(JSONValue.SyntaxError) -> [JSONValue.Member] {
        try expect(UInt8(ascii: "{"))
        skipBlanks()
        if consume(UInt8(ascii: "}")) { return [] }
        var members: [JSONValue.Member] = []
        repeat {
            skipBlanks()
            let name = try string()
            skipBlanks()
            try expect(UInt8(ascii: ":"))
            members.append(JSONValue.Member(name: name, value: try value(depth: depth)))
        } while consume(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
        return members
    }
}

// MARK: - Numbers and strings

extension JSONReader {
    /// Reads a number in any notation of Swift; null for `NaN` and `Infinity`, which Python's json module writes.
    private mutating func number() throws(JSONValue.SyntaxError) -> JSONValue {
        let text = bytes[position...].prefix { !$0.isBlank && !",]}".utf8.contains($0) }
        guard let number = Double(String(decoding: text, as: UTF8.self)) else { throw error }
        position = text.endIndex
        if number.magnitude >= 0x1p53, let whole = Int(String(decoding: text, as: UTF8.self)) { return .integer(whole) }
        return number.isFinite ? .number(number) : .null
    }

    private mutating func string() throws(JSONValue.SyntaxError) -> String {
        try expect(UInt8(ascii: "\""))
        var text = ""
        while true {
            let start = position
            while next != UInt8(ascii: "\""), next != UInt8(ascii: "\\"), next >= 0x20 { position += 1 }
            text += String(decoding: bytes[start..<position], as: UTF8.self)
            if consume(UInt8(ascii: "\"")) { return text }
            try expect(UInt8(ascii: "\\"))
            text.unicodeScalars.append(try escaped())
        }
    }

    private static let escapes: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]

    /// Reads the part of an escape after its backslash.
    private mutating func escaped() throws(JSONValue.SyntaxError) -> Unicode.Scalar {
        if let scalar = Self.escapes[next] {
            position += 1
            return scalar
        }
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        try expect(UInt8(ascii: "\\"))
        let second = try unit()
        guard UTF16.isLeadSurrogate(first), UTF16.isTrailSurrogate(second) else { throw error }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    /// Reads the UTF-16 unit of `uXXXX`.
    private mutating func unit() throws(JSONValue.SyntaxError) -> UInt16 {
        try expect(UInt8(ascii: "u"))
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(next)).hexDigitValue else { throw error }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
