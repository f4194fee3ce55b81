import BrowserCore

/// The keys of control sequences and control characters.
enum KeyTable {
    /// Returns the key of `CSI … final`, or nil; modifiers are ignored, except in back-tab.
    static func key(_ parameters: ControlParameters, final: UInt8) -> Key? {
        guard parameters.prefix == nil, parameters.intermediates.isEmpty else { return nil }
        switch final {
        case UInt8(ascii: "~"): return editingKey(parameters.number(0, or: 0))
        case UInt8(ascii: "Z"): return .backTab
        case UInt8(ascii: "u"): return unicodeKey(parameters)
        case UInt8(ascii: "R") where isPosition(parameters.numbers): return nil
        default: return cursorKey(final)
        }
    }

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

    // kitty's and xterm's `CSI code ; modifiers u`. The modifiers are 1 plus shift 1, alt 2, control 4.
    private static func unicodeKey(_ parameters: ControlParameters) -> Key? {
        guard let code = UInt32(exactly: parameters.number(0, or: 0)), code != 0,
            let scalar = Unicode.Scalar(code)
        else { return nil }
        let modifiers = parameters.number(1, or: 1) - 1
        if code < 0x20 || code == 0x7F {
            return code == 9 && modifiers & 1 != 0 ? .backTab : control(UInt8(code))
        }
        guard !(0xE000...0xF8FF).contains(code), !(0x80...0x9F).contains(code) else { return nil }
        if modifiers & 4 != 0 { return .control(Character(scalar)) }
        return modifiers & 2 != 0 ? .alt(Character(scalar)) : .character(Character(scalar))
    }
}
