/// A frame of HTTP/2 (RFC 9113, section 4).
struct HTTP2Frame: Hashable, Sendable {
    enum Kind: UInt8, Sendable {
        case data = 0
        case headers = 1
        case priority = 2
        case reset = 3
        case settings = 4
        case pushPromise = 5
        case ping = 6
        case goAway = 7
        case windowUpdate = 8
        case continuation = 9
    }

    enum Flag {
        static let endStream: UInt8 = 1
        static let acknowledge: UInt8 = 1
        static let endHeaders: UInt8 = 4
        static let padded: UInt8 = 8
        static let priority: UInt8 = 0x20
    }

    /// The most bytes of a frame that every peer takes.
    static let limit = 16_384

    /// Nil is a kind to ignore.
    var kind: Kind?
    var flags: UInt8 = 0
    var stream = 0
    var payload: [UInt8] = []

    init(_ kind: Kind, flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8] = []) {
        (self.kind, self.flags, self.stream, self.payload) = (kind, flags, stream, payload)
    }

    /// Removes a frame from the start of the bytes; nil if it is not whole yet.
    init?(from bytes: inout [UInt8]) {
        guard bytes.count >= 9 else { return nil }
        let count = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
        guard bytes.count >= 9 + count else { return nil }
        (kind, flags) = (Kind(rawValue: bytes[3]), bytes[4])
        stream = Self.number(bytes[5..<9]) & 0x7FFF_FFFF
        payload = Array(bytes[9..<9 + count])
        bytes.removeFirst(9 + count)
    }

    /// The frame as it is sent.
    var bytes: [UInt8] {
        Array(Self.bytes(payload.count).dropFirst()) + [kind?.rawValue ?? 0xFF, flags] + Self.bytes(stream) + payload
    }

    /// The payload without padding and priority.
    var content: ArraySlice<UInt8> {
        var content = payload[...]
        if flags & Flag.padded != 0, let count = content.popFirst() { content = content.dropLast(Int(count)) }
        if kind == .headers, flags & Flag.priority != 0 { content = content.dropFirst(5) }
        return content
    }

    /// The pairs of identifier and value of a settings frame.
    var settings: [(identifier: Int, value: Int)] {
        stride(from: 0, to: payload.count - 5, by: 6).map { start in
            (Self.number(payload[start..<start + 2]), Self.number(payload[start + 2..<start + 6]))
        }
    }

    /// Returns the number in some bytes.
    static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// Returns the four bytes of a number.
    static func bytes(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

/// The codes of errors of HTTP/2 (RFC 9113, section 7).
package enum HTTP2Code: Int, Sendable {
    case noError = 0
    case protocolError = 1
    case internalError = 2
    case flowControl = 3
    case refusedStream = 7
    case cancel = 8
    case enhanceYourCalm = 0xB
    case inadequateSecurity = 0xC
    case http11Required = 0xD
}
