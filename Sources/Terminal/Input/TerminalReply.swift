import Raster

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
