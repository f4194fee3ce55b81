import AlcedoHTTPRequests
import AlcedoSupport
import FoundationEssentials

/// The status line and the fields of a response.
struct ResponseHead: Sendable {
    var statusCode: Int
    /// The version as in the status line: `HTTP/1.0`, `HTTP/1.1`, `HTTP/2`.
    var version: String
    /// The fields in the order in which they were received.
    var fields: [HeaderField] = []

    /// Whether one connection carries several requests at a time.
    var isMultiplexed: Bool { version.hasPrefix("HTTP/2") }

    /// The statement of the body's length in bytes, or why it is invalid.
    enum DeclaredLength: Hashable { case none, bytes(Int), invalid(String) }

    /// The length in `Content-Length` (RFC 9110, section 8.6); a length that overflows is `Int.max`, which exceeds any
    /// limit.
    var declaredLength: DeclaredLength {
        guard let first = first("content-length") else { return .none }
        // One number is the usual case. Splitting it as a list takes many times as long.
        if let length = Self.number(first), values(of: "content-length").count == 1 { return .bytes(length) }
        let values = Set(elements(of: "content-length"))
        guard values.count <= 1 else { return .invalid("its statements of length contradict each other") }
        return values.first.flatMap(Self.number).map(DeclaredLength.bytes) ?? .invalid("its length makes no sense")
    }

    private static func number(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text) ?? .max
    }

    /// Whether the last transfer coding is `chunked`.
    var isChunked: Bool { elements(of: "transfer-encoding").last?.lowercased() == "chunked" }

    /// Whether the end of the body is doubtful, so that its connection must not be used again (RFC 9112, section 6.3).
    var hasDoubtfulLength: Bool {
        switch declaredLength {
        case .none: false
        case .bytes: first("transfer-encoding") != nil
        case .invalid: true
        }
    }

    /// Returns the first value of a field; `name` is in lower case.
    func first(_ name: String) -> String? { fields.first(name) }

    /// Returns the values of all fields with this name, in lower case.
    func values(of name: String) -> [String] { fields.filter { $0.isNamed(name) }.map(\.value) }

    /// Returns the elements of a list field, which may be spread over several fields (RFC 9110, section 5.6.1).
    func elements(of name: String) -> [String] {
        values(of: name).flatMap { $0.split(separator: ",") }.map { $0.withoutBlanks }
            .filter { !$0.isEmpty }
    }
}

extension HeaderField {
    /// Returns whether the field has this name, which is in lower case.
    func isNamed(_ name: String) -> Bool {
        let own = self.name.utf8
        return own.count == name.utf8.count
            && zip(own, name.utf8).allSatisfy { $0 == $1 || (0x41...0x5A).contains($0) && $0 | 0x20 == $1 }
    }
}

/// A parser of the lines of a response, up to the end of its last head.
///
/// Interim responses (1xx) are skipped. If another response follows because the library answers a challenge, such as
/// the 401 of a digest login, it replaces the earlier one.
struct ResponseHeadParser: Sendable {
    /// The maximum length of all heads and trailers of a response in bytes.
    static let limit = 256 << 10

    /// The latest head; nil before the first status line.
    private(set) var head: ResponseHead?
    /// Whether the empty line after the head was read.
    private(set) var isComplete = false
    /// The statuses that another response follows, because the library answers them: 401, 407.
    private var answered: Set<Int>
    private var count = 0

    init(answered: Set<Int> = []) { self.answered = answered }

    /// Ends the lines: the latest head is the final one.
    mutating func finish() { isComplete = head.map { $0.statusCode >= 200 } ?? false }

    /// Adds one line with its line end; returns false if the lines are too long in total.
    mutating func add(_ line: UnsafeRawBufferPointer) -> Bool {
        count += line.count
        guard count <= Self.limit else { return false }
        var text = line[...]
        while let last = text.last, last == 0x0A || last == 0x0D { text = text.dropLast() }
        if text.isEmpty {
            finish()
            if let head, answered.remove(head.statusCode) != nil { isComplete = false }
        } else if text.starts(with: "HTTP/".utf8) {
            let words = text.split(separator: 0x20, maxSplits: 2).map { String(decoding: $0, as: UTF8.self) }
            head = words.count < 2 ? nil : Int(words[1]).map { ResponseHead(statusCode: $0, version: words[0]) }
            isComplete = false
        } else if !isComplete {
            addField(text)
        }
        return true
    }

    /// Adds a field, or the continuation of the last one (RFC 9112, section 5.2).
    private mutating func addField(_ line: Slice<UnsafeRawBufferPointer>) {
        func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
            var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
            while let last = bytes.last, last == 0x20 || last == 0x09 { bytes = bytes.dropLast() }
            return String(decoding: bytes, as: UTF8.self)
        }
        if let last = head?.fields.indices.last, line.first == 0x20 || line.first == 0x09 {
            head?.fields[last].value += " " + trimmed(line)
        } else if let colon = line.firstIndex(of: 0x3A) {
            let (name, value) = (trimmed(line[..<colon]), trimmed(line[line.index(after: colon)...]))
            head?.fields.append(HeaderField(name: name, value: value))
        }
    }
}
