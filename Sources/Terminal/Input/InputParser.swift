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
        case character(UTF8Sequence)
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
        case .character(let sequence): consumeContinuation(byte, of: sequence, into: &events)
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
        default: state = UTF8Sequence(first: byte).map(State.character) ?? .ground
        }
    }

    private mutating func consumeContinuation(
        _ byte: UInt8, of sequence: UTF8Sequence, into events: inout [TerminalEvent]
    ) {
        switch sequence.continued(with: byte) {
        case .incomplete(let longer): state = .character(longer)
        case .complete(let scalar):
            state = .ground
            if !(0x80...0x9F).contains(scalar.value) { events.append(.key(.character(Character(scalar)))) }
        case .invalid:
            state = .ground
            consumeGround(byte, into: &events)
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

/// The first bytes of a multi-byte UTF-8 character.
struct UTF8Sequence: Equatable, Sendable {
    enum Step {
        case incomplete(UTF8Sequence)
        case complete(Unicode.Scalar)
        /// The byte does not continue the character.
        case invalid
    }

    private var value: UInt32
    private var missing: Int
    /// The smallest value of this length; smaller ones are overlong.
    private let minimum: UInt32

    /// Starts with a lead byte; nil for any other byte.
    init?(first: UInt8) {
        switch first {
        case 0xC2...0xDF: (value, missing, minimum) = (UInt32(first & 0x1F), 1, 0x80)
        case 0xE0...0xEF: (value, missing, minimum) = (UInt32(first & 0x0F), 2, 0x800)
        case 0xF0...0xF4: (value, missing, minimum) = (UInt32(first & 0x07), 3, 0x10000)
        default: return nil
        }
    }

    func continued(with byte: UInt8) -> Step {
        guard byte & 0xC0 == 0x80 else { return .invalid }
        var longer = self
        longer.value = value << 6 | UInt32(byte & 0x3F)
        longer.missing -= 1
        guard longer.missing == 0 else { return .incomplete(longer) }
        guard longer.value >= minimum, let scalar = Unicode.Scalar(longer.value) else { return .invalid }
        return .complete(scalar)
    }
}
