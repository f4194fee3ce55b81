import AlcedoHTTPRequests

/// A parser of `WWW-Authenticate` and `Proxy-Authenticate` fields (RFC 9110, sections 11.2 to 11.6).
///
/// Commas separate challenges and also the parameters of one challenge. A word before `=` is a parameter; any other
/// word is a scheme.
struct ChallengeParser {
    private static let tokenMarks = Set("!#$%&'*+-.^_`|~".utf8)
    private static let token68Marks = Set("-._~+/".utf8)

    private let bytes: [UInt8]
    private var index = 0

    /// Returns the challenges of all fields in order, without the rest of a field after a syntax error.
    static func schemes(in fields: [String]) -> [AuthenticationChallenge.Scheme] {
        fields.flatMap { field in
            var parser = ChallengeParser(bytes: Array(field.utf8))
            return parser.schemes()
        }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func schemes() -> [AuthenticationChallenge.Scheme] {
        var found: [AuthenticationChallenge.Scheme] = []
        while true {
            skipSeparators()
            guard let name = token() else { return found }
            var scheme = AuthenticationChallenge.Scheme(name: name.lowercased())
            guard isAtBreak else { return found }
            if peek == 0x20 { readContent(of: &scheme) }
            found.append(scheme)
            skipSpace()
            guard index == bytes.count || peek == 0x2C else { return found }
        }
    }

    private mutating func readContent(of scheme: inout AuthenticationChallenge.Scheme) {
        skipSpace()
        guard let first = parameter() else {
            scheme.token = token68()
            return
        }
        var next: (name: String, value: String)? = first
        while let parameter = next {
            // Names are unique within a challenge (section 11.2). If a server repeats one, the first value counts.
            if scheme.parameters[parameter.name] == nil { scheme.parameters[parameter.name] = parameter.value }
            next = followingParameter()
        }
    }

    /// Returns the parameter after a comma, or nil if a new challenge begins there; on nil, reads nothing.
    private mutating func followingParameter() -> (name: String, value: String)? {
        let start = index
        skipSpace()
        guard peek == 0x2C else {
            index = start
            return nil
        }
        skipSeparators()
        if let parameter = parameter() { return parameter }
        index = start
        return nil
    }

    /// Reads `name = value`, or returns nil and reads nothing if there is no parameter.
    private mutating func parameter() -> (name: String, value: String)? {
        let start = index
        guard let name = token() else { return nil }
        skipSpace()
        guard peek == 0x3D else {
            index = start
            return nil
        }
        index += 1
        skipSpace()
        guard let value = peek == 0x22 ? quotedString() : token() else {
            index = start
            return nil
        }
        return (name.lowercased(), value)
    }

    private mutating func token() -> String? { consume(Self.isTokenByte) }

    private mutating func token68() -> String? {
        guard let body = consume({ Self.isAlphanumeric($0) || Self.token68Marks.contains($0) }) else { return nil }
        return body + (consume { $0 == 0x3D } ?? "")
    }

    private mutating func quotedString() -> String? {
        let start = index
        var text: [UInt8] = []
        index += 1
        while let byte = peek {
            index += 1
            if byte == 0x22 { return String(decoding: text, as: UTF8.self) }
            guard byte == 0x5C, let escaped = peek else {
                text.append(byte)
                continue
            }
            text.append(escaped)
            index += 1
        }
        index = start
        return nil
    }

    private mutating func consume(_ isWanted: (UInt8) -> Bool) -> String? {
        let consumed = bytes[index...].prefix(while: isWanted)
        index = consumed.endIndex
        return consumed.isEmpty ? nil : String(decoding: consumed, as: UTF8.self)
    }

    private mutating func skipSpace() { _ = consume { $0 == 0x20 || $0 == 0x09 } }

    private mutating func skipSeparators() { _ = consume { [0x20, 0x09, 0x2C].contains($0) } }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private var isAtBreak: Bool { peek.map { [0x20, 0x09, 0x2C].contains($0) } ?? true }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || tokenMarks.contains(byte)
    }
}
