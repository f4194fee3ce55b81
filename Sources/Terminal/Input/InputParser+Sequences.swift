import BrowserCore

// Control sequences, control strings and pastes.
extension InputParser {
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    mutating func takeControl(_ byte: UInt8, into events: inout [TerminalEvent]) {
        guard case .control(var bytes) = state else { return }
        switch byte {
        case 0x20..<0x40:
            // Released and taken back, so that the array is not copied for every byte.
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
        if let reply = ReplyTable.reply(parameters, final: final) {
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

    mutating func takeString(_ byte: UInt8, into events: inout [TerminalEvent]) {
        guard case .string(let kind, var bytes, var dropped, let afterEscape) = state else { return }
        state = .ground
        switch (afterEscape, byte) {
        case (true, UInt8(ascii: "\\")): finishString(kind, bytes, isWhole: dropped == 0, into: &events)
        case (true, _):
            // The string was broken off by a new sequence.
            state = .escape
            events += parse(CollectionOfOne(byte))
        case (false, 0x07): finishString(kind, bytes, isWhole: dropped == 0, into: &events)
        case (false, 0x1B): state = .string(kind, bytes, dropped: dropped, afterEscape: true)
        case (false, 0x18), (false, 0x1A): return
        default:
            if bytes.count < Self.stringLimit { bytes.append(byte) } else { dropped += 1 }
            if dropped < Self.stringPatience {
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
            case .operatingSystemCommand: ReplyTable.operatingSystemCommand(text)
            case .deviceControl: ReplyTable.deviceControlString(text)
            case .applicationCommand: ReplyTable.applicationCommand(text)
            case .ignored: nil
            }
        if let reply { events.append(.reply(reply)) }
    }

    // The end mark is kept whole even when the limit is reached, so that a long paste ends like a short one.
    mutating func takePaste(_ byte: UInt8, into events: inout [TerminalEvent]) {
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
