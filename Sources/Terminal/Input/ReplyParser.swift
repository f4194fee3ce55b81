import Raster

/// Recognises terminal replies in control sequences and control strings.
enum ReplyParser {
    /// Returns the reply in `CSI … final`, or nil.
    static func reply(_ parameters: ControlParameters, final: UInt8) -> TerminalReply? {
        let numbers = parameters.numbers
        switch (parameters.prefix, final) {
        case (UInt8(ascii: "?"), UInt8(ascii: "c")): return .attributes(numbers)
        case (UInt8(ascii: "?"), UInt8(ascii: "S")) where numbers.count >= 2:
            return .graphics(item: numbers[0], status: numbers[1], values: Array(numbers.dropFirst(2)))
        case (UInt8(ascii: "?"), UInt8(ascii: "y")) where parameters.intermediates == [0x24] && numbers.count == 2:
            return .mode(numbers[0], state: numbers[1])
        case (nil, UInt8(ascii: "n")) where numbers == [0] || numbers == [3]: return .status
        case (nil, UInt8(ascii: "t")) where numbers.count == 3: return windowReport(numbers)
        default: return nil
        }
    }

    /// Returns the reply in an operating system command (OSC) without introducer and terminator, or nil.
    static func operatingSystemCommand(_ text: String) -> TerminalReply? {
        let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "11" else { return nil }
        return ColorSpecification.color(String(parts[1])).map(TerminalReply.background)
    }

    /// Returns the reply in a device control string (DCS), or nil.
    static func deviceControlString(_ text: String) -> TerminalReply? {
        if text.hasPrefix(">|") { return .version(String(text.dropFirst(2).prefix(64))) }
        if text.hasPrefix("1+r") { return .capability(String(text.dropFirst(3).prefix { $0.isHexDigit })) }
        if text.hasPrefix("1$r"), text.hasSuffix("m") { return .rendition(String(text.dropFirst(3).dropLast())) }
        return nil
    }

    /// Returns the reply in an application program command (APC), or nil.
    static func applicationCommand(_ text: String) -> TerminalReply? {
        guard text.hasPrefix("G") else { return nil }
        let parts = text.dropFirst().split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let number = parts[0].split(separator: ",").first { $0.hasPrefix("i=") }?.dropFirst(2)
        return .kittyGraphics(id: number.flatMap { Int($0) } ?? 0, message: String(parts[1].prefix(64)))
    }

    private static func windowReport(_ numbers: [Int]) -> TerminalReply? {
        switch numbers[0] {
        case 4: .textAreaPixels(PixelSize(width: numbers[2], height: numbers[1]))
        case 6: .cellPixels(PixelSize(width: numbers[2], height: numbers[1]))
        default: nil
        }
    }
}

/// Parses numeric X11 colour specifications: `rgb:RRRR/GGGG/BBBB`, `rgba:…`, `#RRGGBB`.
enum ColorSpecification {
    static func color(_ text: String) -> Color? {
        if text.hasPrefix("#") { return channels(split(text.dropFirst())) }
        guard text.hasPrefix("rgb:") || text.hasPrefix("rgba:"), let colon = text.firstIndex(of: ":") else {
            return nil
        }
        return channels(text[text.index(after: colon)...].split(separator: "/", omittingEmptySubsequences: false))
    }

    private static func split(_ digits: Substring) -> [Substring] {
        let width = digits.count / 3
        guard width > 0, width * 3 == digits.count else { return [] }
        let second = digits.index(digits.startIndex, offsetBy: width)
        let third = digits.index(second, offsetBy: width)
        return [digits[..<second], digits[second..<third], digits[third...]]
    }

    private static func channels(_ parts: [Substring]) -> Color? {
        let values = parts.compactMap(channel)
        guard values.count == parts.count, values.count == 3 || values.count == 4 else { return nil }
        return Color(red: values[0], green: values[1], blue: values[2])
    }

    /// Parses one to four hexadecimal digits, scaled to eight bits.
    private static func channel(_ digits: Substring) -> UInt8? {
        guard (1...4).contains(digits.count), digits.allSatisfy(\.isHexDigit), let value = Int(digits, radix: 16)
        else { return nil }
        let maximum = (1 << (4 * digits.count)) - 1
        return UInt8((value * 255 + maximum / 2) / maximum)
    }
}

/// A terminal's reply to a query.
package enum TerminalReply: Equatable, Sendable {
    /// DA1: the supported features; 4 means sixel.
    case attributes([Int])
    /// DSR 5: everything sent before has been read.
    case status
    /// XTSMGRAPHICS: item 1 means colour registers, item 2 the sixel geometry; status 0 means success.
    case graphics(item: Int, status: Int, values: [Int])
    /// The text area in pixels (`CSI 4 t`).
    case textAreaPixels(PixelSize)
    /// One cell in pixels (`CSI 6 t`).
    case cellPixels(PixelSize)
    /// DECRPM: 0 unknown, 1 set, 2 reset, 3 permanently set, 4 permanently reset.
    case mode(Int, state: Int)
    /// OSC 11.
    case background(Color)
    /// Kitty graphics: the image's number and `OK` or an error.
    case kittyGraphics(id: Int, message: String)
    /// XTVERSION: the program and its version, printable ASCII only.
    case version(String)
    /// XTGETTCAP: a capability of the terminal; its name in hexadecimal digits.
    case capability(String)
    /// DECRQSS `m`: the SGR parameters of the current style.
    case rendition(String)

    /// The reply for users: the query's name and the values; texts from the terminal are not sanitized.
    var summary: String {
        switch self {
        case .attributes(let list): "DA1: " + Self.list(list)
        case .status: "DSR: ready"
        case .graphics(let item, let status, let values):
            "XTSMGRAPHICS \(item): " + (status == 0 ? Self.list(values) : "refused with status \(status)")
        case .textAreaPixels(let size): "CSI 14 t: \(size.width) by \(size.height) pixels"
        case .cellPixels(let size): "CSI 16 t: \(size.width) by \(size.height) pixels"
        case .mode(let number, let state): "DECRQM \(number): state \(state)"
        case .background(let color): "OSC 11: \(Self.list([color.red, color.green, color.blue]))"
        case .kittyGraphics(let id, let message): "kitty graphics \(id): \(message)"
        case .version(let text): "XTVERSION: \(text)"
        case .capability(let name): "XTGETTCAP: \(name)"
        case .rendition(let parameters): "DECRQSS m: \(parameters)"
        }
    }

    private static func list(_ numbers: [some BinaryInteger]) -> String {
        numbers.map { "\($0)" }.joined(separator: " ")
    }
}
