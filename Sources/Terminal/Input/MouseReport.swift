import BrowserCore

/// Reads mouse reports with SGR coordinates (mode 1006): `CSI < button ; column ; row M` or `m`.
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

    // Bit 6 marks the wheel, bit 5 motion; bits 2 to 4 are modifiers.
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
