import BrowserCore

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
            numbers = digits.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Self.number)
        }
    }

    /// Returns the number at `index`, or `fallback` if it is missing or 0.
    func number(_ index: Int, or fallback: Int) -> Int {
        guard numbers.indices.contains(index), numbers[index] != 0 else { return fallback }
        return numbers[index]
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        var value = 0
        for digit in digits.prefix(while: { $0 != UInt8(ascii: ":") }) {
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
