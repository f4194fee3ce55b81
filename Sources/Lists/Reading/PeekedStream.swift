/// A stream whose first bytes can be examined before they are read.
///
/// An error while reading ahead is thrown after the bytes before it.
struct PeekedStream: ByteSource {
    /// The bytes read ahead.
    private(set) var head: [UInt8] = []
    /// Whether the head is the whole content.
    private(set) var isComplete = false
    private var error: ListError?
    private var rest: any ByteSource

    init(_ rest: any ByteSource) {
        self.rest = rest
    }

    var name: String { rest.name }

    /// Reads ahead until the head has `count` bytes or is complete.
    ///
    /// - Throws: ``ListError/cancelled`` only.
    mutating func fill(to count: Int) async throws(ListError) {
        while head.count < count, !isComplete { try await readAhead() }
    }

    /// Reads one more chunk ahead.
    ///
    /// - Throws: ``ListError/cancelled`` only.
    mutating func readAhead() async throws(ListError) {
        do {
            let bytes = try await rest.read(line: 0)
            head += bytes
            isComplete = bytes.isEmpty
        } catch {
            if error == .cancelled { throw error }
            isComplete = true
            self.error = error
        }
    }

    mutating func dropFirst(_ count: Int) {
        head.removeFirst(min(count, head.count))
    }

    mutating func read(line: Int) async throws(ListError) -> [UInt8] {
        if !head.isEmpty {
            let bytes = head
            head = []
            return bytes
        }
        if let error { throw error }
        return isComplete ? [] : try await rest.read(line: line)
    }

    func isIdle() async -> Bool { head.isEmpty && !isComplete ? await rest.isIdle() : false }

    /// Returns a text in UTF-8 with LF as line end: unpacks gzip, converts UTF-16, and drops a byte order mark.
    ///
    /// Each layer is detected by its first bytes.
    static func text(of source: any ByteSource) async throws(ListError) -> PeekedStream {
        var stream = PeekedStream(source)
        try await stream.fill(to: 3)
        if stream.head.starts(with: GzipStream.signature) {
            stream = PeekedStream(try GzipStream(stream))
            try await stream.fill(to: 3)
        }
        let mark = stream.head.prefix(2)
        if mark == [0xFF, 0xFE] || mark == [0xFE, 0xFF] {
            stream.dropFirst(2)
            stream = PeekedStream(UTF16Stream(stream, isBigEndian: mark == [0xFE, 0xFF]))
        } else if stream.head.starts(with: [0xEF, 0xBB, 0xBF]) {
            stream.dropFirst(3)
        }
        return PeekedStream(LineEndStream(stream))
    }
}

/// Bytes in which every line ends in LF: CRLF, and the lone CR of old Macs, become LF.
struct LineEndStream: ByteSource {
    private var base: any ByteSource
    /// Whether the last byte was a CR, which may be the first half of a CRLF.
    private var endedInCR = false

    init(_ base: any ByteSource) {
        self.base = base
    }

    var name: String { base.name }

    func isIdle() async -> Bool { await base.isIdle() }

    mutating func read(line: Int) async throws(ListError) -> [UInt8] {
        while true {
            let bytes = try await base.read(line: line)
            if bytes.isEmpty { return [] }
            let text = convert(bytes)
            if !text.isEmpty { return text }
        }
    }

    private mutating func convert(_ bytes: [UInt8]) -> [UInt8] {
        let start = endedInCR && bytes[0] == Self.lineFeed ? 1 : 0
        endedInCR = bytes.last == Self.carriageReturn
        guard start > 0 || bytes[...].fastIndex(of: Self.carriageReturn) != nil else { return bytes }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var rest = bytes[start...]
        while let end = rest.fastIndex(of: Self.carriageReturn) {
            text += rest[..<end]
            text.append(Self.lineFeed)
            rest = rest[(end + 1)...]
            if rest.first == Self.lineFeed { rest = rest.dropFirst() }
        }
        return text + rest
    }

    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineFeed = UInt8(ascii: "\n")
}

/// UTF-16 converted to UTF-8.
///
/// Invalid units become U+FFFD.
struct UTF16Stream: ByteSource {
    private var base: any ByteSource
    private let isBigEndian: Bool
    /// The bytes of an incomplete unit or surrogate pair.
    private var pending: [UInt8] = []

    init(_ base: any ByteSource, isBigEndian: Bool) { (self.base, self.isBigEndian) = (base, isBigEndian) }

    var name: String { base.name }

    mutating func read(line: Int) async throws(ListError) -> [UInt8] {
        var text: [UInt8] = []
        while text.isEmpty {
            let bytes = try await base.read(line: line)
            let isLast = bytes.isEmpty
            if isLast, pending.isEmpty { return [] }
            text = convert(pending + bytes, isLast: isLast)
        }
        return text
    }

    private mutating func convert(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
        var units = stride(from: 0, to: bytes.count - 1, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) }
        var used = units.count * 2
        if !isLast, let last = units.last, UTF16.isLeadSurrogate(last) {
            units.removeLast()
            used -= 2
        }
        pending = isLast ? [] : Array(bytes[used...])
        let suffix = isLast && used < bytes.count ? "\u{FFFD}" : ""
        return Array((String(decoding: units, as: UTF16.self) + suffix).utf8)
    }

    private func unit(_ first: UInt8, _ second: UInt8) -> UInt16 {
        isBigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first)
    }
}
