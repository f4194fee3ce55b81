import BrowserCore

/// Turns the bytes a terminal sends into events, one byte at a time and in bounded memory.
///
/// Keys, mouse, pastes and answers share one stream and may be split anywhere. What looks like an answer and is not
/// understood is dropped: it never becomes a key.
public struct InputParser: Sendable {
    /// The longest control sequence that is understood: 256 bytes.
    static let sequenceLimit = 256
    /// The longest control string that is understood: 4 KiB.
    static let stringLimit = 4096
    /// The longest unfinished control string: 64 KiB; then what follows is taken for input again.
    static let stringPatience = 64 * 1024
    /// The longest paste: 1 MiB; the rest is dropped.
    static let pasteLimit = 1 << 20
    /// After so many `flush()` without a byte an unfinished sequence is given up.
    static let flushPatience = 20

    enum StringKind: Sendable {
        case operatingSystemCommand, deviceControl, applicationCommand, ignored
    }

    enum State: Sendable, Equatable {
        case ground
        /// The first bytes of a character of several.
        case character(UTF8Sequence)
        case escape
        case singleShift
        /// The bytes after `CSI`.
        case control([UInt8])
        /// The three bytes of an old-style mouse report that are still to come.
        case oldMouse(remaining: Int)
        case string(StringKind, [UInt8], dropped: Int, afterEscape: Bool)
        case paste([UInt8])
    }

    var state = State.ground
    private var idleFlushes = 0

    public init() {}

    /// Whether a sequence has begun and not ended, so that `flush()` should be called when nothing comes for a while.
    public var isPending: Bool { state != .ground }

    /// Takes bytes and returns what they complete.
    ///
    /// Complexity: O(bytes).
    public mutating func parse(_ bytes: some Sequence<UInt8>) -> [TerminalEvent] {
        idleFlushes = 0
        var events: [TerminalEvent] = []
        for byte in bytes { take(byte, into: &events) }
        return events
    }

    /// Takes note that nothing came for a while (50 ms is usual): a lone `ESC` was the key.
    ///
    /// An unfinished sequence is given up after 20 of these in a row, a paste is then delivered as far as it came.
    public mutating func flush() -> [TerminalEvent] {
        idleFlushes += 1
        switch state {
        case .ground: return []
        case .escape: return resolved(.key(.escape))
        case .control([]): return resolved(.key(.alt("[")))
        case .singleShift: return resolved(.key(.alt("O")))
        case .paste(let bytes) where idleFlushes >= Self.flushPatience:
            return resolved(.paste(String(decoding: bytes, as: UTF8.self)))
        case _ where idleFlushes >= Self.flushPatience:
            state = .ground
            return []
        default: return []
        }
    }

    private mutating func resolved(_ event: TerminalEvent) -> [TerminalEvent] {
        state = .ground
        return [event]
    }

    private mutating func take(_ byte: UInt8, into events: inout [TerminalEvent]) {
        switch state {
        case .ground: takeGround(byte, into: &events)
        case .character(let sequence): takeContinuation(byte, of: sequence, into: &events)
        case .escape: takeEscaped(byte, into: &events)
        case .singleShift: takeSingleShift(byte, into: &events)
        case .control: takeControl(byte, into: &events)
        case .oldMouse(let remaining): state = remaining > 1 ? .oldMouse(remaining: remaining - 1) : .ground
        case .string: takeString(byte, into: &events)
        case .paste: takePaste(byte, into: &events)
        }
    }
}

// MARK: Characters and keys

extension InputParser {
    private mutating func takeGround(_ byte: UInt8, into events: inout [TerminalEvent]) {
        switch byte {
        case 0x1B: state = .escape
        case 0x00..<0x20, 0x7F: events.append(.key(KeyTable.control(byte)))
        case 0x20..<0x7F: events.append(.key(.character(Character(Unicode.Scalar(byte)))))
        default: state = UTF8Sequence(first: byte).map(State.character) ?? .ground
        }
    }

    private mutating func takeContinuation(
        _ byte: UInt8, of sequence: UTF8Sequence, into events: inout [TerminalEvent]
    ) {
        switch sequence.continued(with: byte) {
        case .incomplete(let longer): state = .character(longer)
        case .complete(let scalar):
            state = .ground
            if !(0x80...0x9F).contains(scalar.value) { events.append(.key(.character(Character(scalar)))) }
        case .invalid:
            state = .ground
            takeGround(byte, into: &events)
        }
    }

    private mutating func takeEscaped(_ byte: UInt8, into events: inout [TerminalEvent]) {
        switch byte {
        case UInt8(ascii: "["): state = .control([])
        case UInt8(ascii: "O"): state = .singleShift
        case UInt8(ascii: "]"): state = .string(.operatingSystemCommand, [], dropped: 0, afterEscape: false)
        case UInt8(ascii: "P"): state = .string(.deviceControl, [], dropped: 0, afterEscape: false)
        case UInt8(ascii: "_"): state = .string(.applicationCommand, [], dropped: 0, afterEscape: false)
        case UInt8(ascii: "^"), UInt8(ascii: "X"): state = .string(.ignored, [], dropped: 0, afterEscape: false)
        case UInt8(ascii: "\\"): state = .ground
        case 0x20..<0x7F: events += resolved(.key(.alt(Character(Unicode.Scalar(byte)))))
        default:
            events += resolved(.key(.escape))
            takeGround(byte, into: &events)
        }
    }

    private mutating func takeSingleShift(_ byte: UInt8, into events: inout [TerminalEvent]) {
        state = .ground
        if let key = KeyTable.singleShiftKey(byte) {
            events.append(.key(key))
        } else if byte < 0x20 {
            takeGround(byte, into: &events)
        }
    }
}
