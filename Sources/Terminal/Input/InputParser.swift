import AlcedoScreen

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
        default: state = (0xC2...0xF4).contains(byte) ? .character([byte]) : .ground
        }
    }

    private mutating func consumeContinuation(
        _ byte: UInt8, after bytes: [UInt8], into events: inout [TerminalEvent]
    ) {
        state = .ground
        guard byte & 0xC0 == 0x80 else { return consumeGround(byte, into: &events) }
        let bytes = bytes + [byte]
        if let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first {
            if !(0x80...0x9F).contains(scalar.value) { events.append(.key(.character(Character(scalar)))) }
        } else if bytes.count < 4 {
            state = .character(bytes)
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

// Control sequences, control strings and pastes.
extension InputParser {
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    mutating func consumeControl(_ byte: UInt8, into events: inout [TerminalEvent]) {
        guard case .control(var bytes) = state else { return }
        switch byte {
        case 0x20..<0x40:
            // The state is cleared first, so that appending does not copy the array.
            state = .ground
            if bytes.count < Self.sequenceLimit { bytes.append(byte) }
            state = .control(bytes)
        case UInt8(ascii: "[") where bytes.isEmpty: state = .control([byte])
        case 0x40..<0x7F:
            state = .ground
            if bytes.count < Self.sequenceLimit { finishControl(bytes, final: byte, into: &events) }
        case 0x1B: state = .escape
        case 0x18, 0x1A: state = .ground
        default:
            state = .ground
            if byte < 0x20 { events.append(.key(KeyTable.control(byte))) }
        }
    }

    private mutating func finishControl(_ bytes: [UInt8], final: UInt8, into events: inout [TerminalEvent]) {
        if bytes.first == UInt8(ascii: "[") {
            // F1 to F5 of the Linux console: `CSI [ A` to `CSI [ E`.
            guard bytes.count == 1, (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(final) else { return }
            return events.append(.key(.function(Int(final - UInt8(ascii: "A")) + 1)))
        }
        let parameters = ControlParameters(bytes)
        if let reply = ReplyParser.reply(parameters, final: final) {
            events.append(.reply(reply))
        } else if let mouse = MouseReport.event(parameters, final: final) {
            events.append(.mouse(mouse))
        } else if bytes.isEmpty, final == UInt8(ascii: "M") {
            state = .oldMouse(remaining: 3)
        } else if bytes.isEmpty, final == UInt8(ascii: "I") || final == UInt8(ascii: "O") {
            events.append(.focus(final == UInt8(ascii: "I")))
        } else if final == UInt8(ascii: "~"), parameters.numbers == [200] {
            state = .paste([])
        } else if let key = KeyTable.key(parameters, final: final) {
            events.append(.key(key))
        }
    }

    mutating func consumeString(_ byte: UInt8, into events: inout [TerminalEvent]) {
        guard case .string(let kind, var bytes, var dropped, let afterEscape) = state else { return }
        state = .ground
        switch (afterEscape, byte) {
        case (true, UInt8(ascii: "\\")): finishString(kind, bytes, isWhole: dropped == 0, into: &events)
        case (true, _):
            // A new sequence interrupted the string.
            state = .escape
            events += parse(CollectionOfOne(byte))
        case (false, 0x07): finishString(kind, bytes, isWhole: dropped == 0, into: &events)
        case (false, 0x1B): state = .string(kind, bytes, dropped: dropped, afterEscape: true)
        case (false, 0x18), (false, 0x1A): return
        default:
            if bytes.count < Self.stringLimit { bytes.append(byte) } else { dropped += 1 }
            if dropped < Self.unterminatedStringLimit {
                state = .string(kind, bytes, dropped: dropped, afterEscape: false)
            }
        }
    }

    private func finishString(
        _ kind: StringKind, _ bytes: [UInt8], isWhole: Bool, into events: inout [TerminalEvent]
    ) {
        guard isWhole, bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        let reply: TerminalReply? =
            switch kind {
            case .operatingSystemCommand: ReplyParser.operatingSystemCommand(text)
            case .deviceControl: ReplyParser.deviceControlString(text)
            case .applicationCommand: ReplyParser.applicationCommand(text)
            case .ignored: nil
            }
        if let reply { events.append(.reply(reply)) }
    }

    // The last bytes are kept even beyond the limit, so that the end mark of a long paste is recognised.
    mutating func consumePaste(_ byte: UInt8, into events: inout [TerminalEvent]) {
        guard case .paste(var bytes) = state else { return }
        state = .ground
        bytes.append(byte)
        if byte == UInt8(ascii: "~"), bytes.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
            let text = bytes.dropLast(Self.pasteEnd.count).prefix(Self.pasteLimit)
            events.append(.paste(String(decoding: text, as: UTF8.self)))
            return
        }
        let tail = Self.pasteEnd.count
        if bytes.count > Self.pasteLimit + 2 * tail { bytes.remove(at: bytes.count - tail - 1) }
        state = .paste(bytes)
    }
}

/// The parameters of a control sequence, between `CSI` and its final byte.
struct ControlParameters {
    /// `?`, `>`, `<` or `=` before the numbers.
    var prefix: UInt8?
    /// The numbers; missing ones are 0, and sub-parameters after a colon are dropped.
    var numbers: [Int] = []
    /// The numbers with their sub-parameters.
    private var parts: [[Int]] = []
    var intermediates: [UInt8] = []

    /// Larger numbers are clamped to this.
    static let maximum = 2_000_000

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        if let first = rest.first, (0x3C...0x3F).contains(first) {
            prefix = first
            rest = rest.dropFirst()
        }
        intermediates = rest.filter { (0x20...0x2F).contains($0) }
        let digits = rest.filter { (0x30...0x3F).contains($0) }
        if !digits.isEmpty {
            parts = digits.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { part in
                part.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(Self.number)
            }
            numbers = parts.map { $0.first ?? 0 }
        }
    }

    /// Returns a sub-parameter, from 1 on; nil if it is missing or 0.
    func subparameter(_ place: Int, of index: Int) -> Int? {
        guard parts.indices.contains(index), parts[index].indices.contains(place) else { return nil }
        return parts[index][place] == 0 ? nil : parts[index][place]
    }

    /// Returns the number at `index`, or `fallback` if it is missing or 0.
    func number(_ index: Int, or fallback: Int) -> Int {
        guard numbers.indices.contains(index), numbers[index] != 0 else { return fallback }
        return numbers[index]
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return 0 }
            value = min(maximum, value * 10 + Int(digit - 0x30))
        }
        return value
    }
}

/// Parses mouse reports with SGR coordinates (mode 1006): `CSI < button ; column ; row M` or `m`.
enum MouseReport {
    static func event(_ parameters: ControlParameters, final: UInt8) -> MouseEvent? {
        guard parameters.prefix == UInt8(ascii: "<"), parameters.numbers.count == 3,
            final == UInt8(ascii: "M") || final == UInt8(ascii: "m"),
            let action = action(parameters.numbers[0], isRelease: final == UInt8(ascii: "m"))
        else { return nil }
        return MouseEvent(
            action: action, button: button(parameters.numbers[0]),
            position: Position(column: max(0, parameters.numbers[1] - 1), row: max(0, parameters.numbers[2] - 1)))
    }

    // Bit 6 means the wheel, bit 5 motion; bits 2 to 4 are modifiers.
    private static func action(_ code: Int, isRelease: Bool) -> MouseEvent.Action? {
        switch (code & 0x40 != 0, code & 0x03) {
        case (true, 0): .scrollUp
        case (true, 1): .scrollDown
        case (true, _): nil
        default: isRelease ? .release : code & 0x20 != 0 ? .drag : .press
        }
    }

    private static func button(_ code: Int) -> MouseEvent.Button {
        switch code & 0xC3 {
        case 0: .left
        case 1: .middle
        case 2: .right
        default: .other
        }
    }
}

/// The keys of control sequences and control characters.
enum KeyTable {
    /// Returns the key of `CSI … final`, or nil; modifiers are ignored, except in back-tab.
    static func key(_ parameters: ControlParameters, final: UInt8) -> Key? {
        guard parameters.prefix == nil, parameters.intermediates.isEmpty,
            parameters.subparameter(1, of: 1) != Self.release
        else { return nil }
        switch final {
        // xterm's modifyOtherKeys: `CSI 27 ; modifiers ; code ~`.
        case UInt8(ascii: "~") where parameters.numbers.count == 3 && parameters.numbers[0] == 27:
            return unicodeKey(parameters.numbers[2], modifiers: parameters.number(1, or: 1) - 1)
        case UInt8(ascii: "~"):
            let isShifted = (parameters.number(1, or: 1) - 1) & 1 != 0
            let key = editingKey(parameters.number(0, or: 0))
            return key == .delete && isShifted ? .shiftDelete : key
        case UInt8(ascii: "Z"): return .backTab
        case UInt8(ascii: "u"):
            let modifiers = parameters.number(1, or: 1) - 1
            // With ctrl or alt, the key's letter in the Latin layout counts, as on other keyboards.
            let latin = modifiers & 6 != 0 ? parameters.subparameter(2, of: 0) : nil
            // With shift alone, it is the character that the key gives, which some terminals state in other places.
            let shifted = modifiers & 7 == 1 ? parameters.subparameter(1, of: 0) ?? text(parameters) : nil
            return unicodeKey(latin ?? shifted ?? parameters.number(0, or: 0), modifiers: modifiers)
        case UInt8(ascii: "R") where isPosition(parameters.numbers): return nil
        default: return cursorKey(final)
        }
    }

    /// The event type of kitty's protocol for a key that is released.
    private static let release = 3

    /// Whether the numbers of `CSI … R` are a cursor position; those of F3 are missing, or 1 and the modifiers.
    private static func isPosition(_ numbers: [Int]) -> Bool {
        numbers.count > 2 || numbers.count == 2 && numbers[0] != 1
    }

    /// Returns the key of `SS3 final`; the keypad's Enter only has this form.
    static func singleShiftKey(_ final: UInt8) -> Key? {
        final == UInt8(ascii: "M") ? .enter : cursorKey(final)
    }

    /// Returns the key of `CSI final`.
    private static func cursorKey(_ final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(final - UInt8(ascii: "P")) + 1)
        default: nil
        }
    }

    /// Returns the key of a control character.
    static func control(_ byte: UInt8) -> Key {
        switch byte {
        case 0x00: .control(" ")
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x1B: .escape
        default: .control(Character(Unicode.Scalar(byte < 0x1B ? byte + 0x60 : byte + 0x40)))
        }
    }

    // The numbers of the VT220, xterm and the Linux console.
    private static func editingKey(_ number: Int) -> Key? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23...26: .function(number - 12)
        case 28, 29: .function(number - 13)
        case 31...34: .function(number - 14)
        default: nil
        }
    }

    /// The text that kitty's protocol says a key gives, in the third parameter.
    private static func text(_ parameters: ControlParameters) -> Int? {
        parameters.numbers.count > 2 ? parameters.number(2, or: 0) : nil
    }

    // kitty's and xterm's `CSI code ; modifiers u`. The modifiers are 1 plus shift 1, alt 2, control 4.
    private static func unicodeKey(_ number: Int, modifiers: Int) -> Key? {
        guard let code = UInt32(exactly: number), code != 0, let scalar = Unicode.Scalar(code) else { return nil }
        if code < 0x20 || code == 0x7F {
            return code == 9 && modifiers & 1 != 0 ? .backTab : control(UInt8(code))
        }
        guard !(0xE000...0xF8FF).contains(code), !(0x80...0x9F).contains(code) else { return nil }
        if modifiers & 7 == 1, let upper = Character(scalar).uppercased().first { return .character(upper) }
        if modifiers & 4 != 0 { return .control(Character(scalar)) }
        return modifiers & 2 != 0 ? .alt(Character(scalar)) : .character(Character(scalar))
    }
}
