/// Reads one JSON value from bytes known to be UTF-8, to a bounded depth.
struct JSONReader {
    private let bytes: [UInt8]
    private var place = 0

    /// How deep arrays and objects may lie in each other; a list needs two.
    private static let depthLimit = 32

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() throws(JSONValue.Fault) -> JSONValue {
        let value = try value(depth: 0)
        guard place == bytes.count else { throw fault }
        return value
    }

    private var fault: JSONValue.Fault { JSONValue.Fault(place: place + 1) }

    /// The byte to come; 0, which no JSON holds outside of a string, at the end.
    private var next: UInt8 { place < bytes.count ? bytes[place] : 0 }

    private mutating func skipBlanks() {
        while next == 0x20 || next == 0x09 || next == 0x0A || next == 0x0D { place += 1 }
    }

    /// Whether the byte came; it is taken then.
    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte, place < bytes.count else { return false }
        place += 1
        return true
    }

    private mutating func need(_ byte: UInt8) throws(JSONValue.Fault) {
        guard take(byte) else { throw fault }
    }

    private mutating func value(depth: Int) throws(JSONValue.Fault) -> JSONValue {
        skipBlanks()
        defer { skipBlanks() }
        guard depth < Self.depthLimit else { throw fault }
        switch next {
        case UInt8(ascii: "{"): return .object(try members(depth + 1))
        case UInt8(ascii: "["): return .array(try elements(depth + 1))
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", .flag(true))
        case UInt8(ascii: "f"): return try word("false", .flag(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        // Python's json writes numbers that JSON does not have.
        case UInt8(ascii: "N"): return try word("NaN", .null)
        case UInt8(ascii: "I"): return try word("Infinity", .null)
        case UInt8(ascii: "-") where bytes[place...].starts(with: "-Infinity".utf8): return try word("-Infinity", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONValue.Fault) -> JSONValue {
        for byte in UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount) { try need(byte) }
        return value
    }

    private mutating func elements(_ depth: Int) throws(JSONValue.Fault) -> [JSONValue] {
        try need(UInt8(ascii: "["))
        skipBlanks()
        if take(UInt8(ascii: "]")) { return [] }
        var elements: [JSONValue] = []
        repeat { elements.append(try value(depth: depth)) } while take(UInt8(ascii: ","))
        try need(UInt8(ascii: "]"))
        return elements
    }

    private mutating func members(_ depth: Int) throws(JSONValue.Fault) -> [JSONValue.Member] {
        try need(UInt8(ascii: "{"))
        skipBlanks()
        if take(UInt8(ascii: "}")) { return [] }
        var members: [JSONValue.Member] = []
        repeat {
            skipBlanks()
            let name = try string()
            skipBlanks()
            try need(UInt8(ascii: ":"))
            members.append(JSONValue.Member(name: name, value: try value(depth: depth)))
        } while take(UInt8(ascii: ","))
        try need(UInt8(ascii: "}"))
        return members
    }
}

// MARK: - Numbers and strings

extension JSONReader {
    private mutating func number() throws(JSONValue.Fault) -> Double {
        let start = place
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        let number = Double(String(decoding: bytes[start..<place], as: UTF8.self))
        guard let number, number.isFinite else { throw fault }
        return number
    }

    private mutating func digits() throws(JSONValue.Fault) {
        let start = place
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { place += 1 }
        if place == start { throw fault }
    }

    private mutating func string() throws(JSONValue.Fault) -> String {
        try need(UInt8(ascii: "\""))
        var text = ""
        while true {
            let start = place
            while next != UInt8(ascii: "\""), next != UInt8(ascii: "\\"), next >= 0x20 { place += 1 }
            text += String(decoding: bytes[start..<place], as: UTF8.self)
            if take(UInt8(ascii: "\"")) { return text }
            try need(UInt8(ascii: "\\"))
            text.unicodeScalars.append(try escaped())
        }
    }

    private static let escapes: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]

    /// What follows a backslash.
    private mutating func escaped() throws(JSONValue.Fault) -> Unicode.Scalar {
        if let scalar = Self.escapes[next] {
            place += 1
            return scalar
        }
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        try need(UInt8(ascii: "\\"))
        let second = try unit()
        guard UTF16.isLeadSurrogate(first), UTF16.isTrailSurrogate(second) else { throw fault }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    /// The UTF-16 unit of `uXXXX`.
    private mutating func unit() throws(JSONValue.Fault) -> UInt16 {
        try need(UInt8(ascii: "u"))
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(next)).hexDigitValue else { throw fault }
            unit = unit << 4 | UInt16(digit)
            place += 1
        }
        return unit
    }
}
