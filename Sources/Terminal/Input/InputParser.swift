import BrowserCore

/// Parses terminal input into events, byte by byte and in bounded memory.
///
/// Keys, mouse reports, pastes and replies share one stream and may be split anywhere. An unrecognised reply is dropped
/// and never becomes a key.
package struct InputParser: Sendable {
    /// The longest control sequence: 256 bytes.
    static let sequenceLimit = 256
    /// The longest control string: 4 KiB.
    static let stringLimit = 4096
    /// The number of excess bytes after which an unterminated control string is abandoned: 64 KiB.
    static let unterminatedStringLimit = 64 * 1024
    /// The longest paste: 1 MiB; the rest is dropped.
    static let pasteLimit = 1 << 20
    /// The number of calls of `flush()` without input after which an unfinished sequence is abandoned.
    static let flushLimit = 20

    enum StringKind: Sendable {
        case operatingSystemCommand, deviceControl, applicationCommand, ignored
    }

    enum State: Sendable, Equatable {
        case ground
        /// The first bytes of a multi-byte character.
        case character([UInt8])
        case escape
        case singleShift
        /// The bytes after `CSI`.
        case control([UInt8])
        /// A mouse report in the old format; three bytes follow.
        case oldMouse(remaining: Int)
        case string(StringKind, [UInt8], dropped: Int, afterEscape: Bool)
        case paste([UInt8])
    }

    var state = State.ground
    private var idleFlushes = 0

    package init() {}

    /// Whether a sequence is unfinished, so that `flush()` should be called when no more input arrives.
    package var isPending: Bool { state != .ground }

    /// Parses bytes and returns the completed events.
    ///
    /// Complexity: O(bytes).
    package mutating func parse(_ bytes: some Sequence<UInt8>) -> [TerminalEvent] {
        idleFlushes = 0
        var events: [TerminalEvent] = []
        for byte in bytes { consume(byte, into: &events) }
        return events
    }

    /// Handles a pause in the input, usually of 50 ms: a lone `ESC` is the key.
    ///
    /// After 20 pauses in a row, an unfinished sequence is abandoned and an unfinished paste delivered.
    package mutating func flush() -> [TerminalEvent] {
        idleFlushes += 1
        switch state {
        case .ground: return []
        case .escape: return finish(with: .key(.escape))
        case .control([]): return finish(with: .key(.alt("[")))
        case .singleShift: return finish(with: .key(.alt("O")))
        case .paste(let bytes) where idleFlushes >= Self.flushLimit:
            return finish(with: .paste(String(decoding: bytes, as: UTF8.self)))
        case _ where idleFlushes >= Self.flushLimit:
            state = .ground
            return []
        default: return []
        }
    }

    private mutating func finish(with event: TerminalEvent) -> [TerminalEvent] {
        state = .ground
        return [event]
    }

    private mutating func consume(_ byte: UInt8, into events: inout [TerminalEvent]) {
        switch state {
        case .ground: consumeGround(byte, into: &events)
        case .character(let bytes): consumeContinuation(byte, after: bytes, into: &events)
        case .escape: consumeEscaped(byte, into: &events)
        case .singleShift: consumeSingleShift(byte, into: &events)
        case .control: consumeControl(byte, into: &events)
        case .oldMouse(let remaining): state = remaining > 1 ? .oldMouse(remaining: remaining - 1) : .ground
        case .string: consumeString(byte, into: &events)
        case .paste: consumePaste(byte, into: &events)
        }
    }
}

// MARK: Characters and keys

extension InputParser {
    private mutating func consumeGround(_ byte: UInt8, into events: inout [TerminalEvent]) {
        switch byte {
        case 0x1B: state = .escape
        case 0x00..<0x20, 0x7F: events.append(.key(KeyTable.control(byte)))
        case 0x20..<0x7F: events.append(.key(.character(Character(Unicode.Scalar(byte)))))
        default: state = Self.characterLength(byte) == nil ? .ground : .character([byte])
        }
    }

    private mutating func consumeContinuation(
        _ byte: UInt8, after bytes: [UInt8], into events: inout [TerminalEvent]
    ) {
        state = .ground
        guard byte & 0xC0 == 0x80 else { return consumeGround(byte, into: &events) }
        let longer = bytes + [byte]
        guard longer.count == Self.characterLength(longer[0]) else {
            state = .character(longer)
            return
        }
        guard let text = String(validating: longer, as: UTF8.self), let scalar = text.unicodeScalars.first,
            !(0x80...0x9F).contains(scalar.value)
        else { return }
        events.append(.key(.character(Character(scalar))))
    }

    /// Returns the number of bytes of the character that a lead byte begins; nil for any other byte.
    private static func characterLength(_ lead: UInt8) -> Int? {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: nil
        }
    }

    private mutating func consumeEscaped(_ byte: UInt8, into events: inout [TerminalEvent]) {
        switch byte {
        case UInt8(ascii: "["): state = .control([])
        case UInt8(ascii: "O"): state = .singleShift
        case UInt8(ascii: "]"): state = .string(.operatingSystemCommand, [], dropped: 0, afterEscape: false)
        case UInt8(ascii: "P"): state = .string(.deviceControl, [], dropped: 0, afterEscape: false)
        case UInt8(ascii: "_"): state = .string(.applicationCommand, [], dropped: 0, afterEscape: false)
        case UInt8(ascii: "^"), UInt8(ascii: "X"): state = .string(.ignored, [], dropped: 0, afterEscape: false)
        case UInt8(ascii: "\\"): state = .ground
        case 0x20..<0x7F: events += finish(with: .key(.alt(Character(Unicode.Scalar(byte)))))
        default:
            events += finish(with: .key(.escape))
            consumeGround(byte, into: &events)
        }
    }

    private mutating func consumeSingleShift(_ byte: UInt8, into events: inout [TerminalEvent]) {
        state = .ground
        if let key = KeyTable.singleShiftKey(byte) {
            events.append(.key(key))
        } else if byte < 0x20 {
            consumeGround(byte, into: &events)
        }
    }
}
