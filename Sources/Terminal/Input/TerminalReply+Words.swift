import BrowserCore
import Raster

extension TerminalReply {
    /// The answer for people: the question's name and what came; the terminal's own texts are in it as they came.
    var words: String {
        switch self {
        case .attributes(let list): "DA1: " + Self.list(list)
        case .status: "DSR: ready"
        case .graphics(let item, let status, let values):
            "XTSMGRAPHICS \(item): " + (status == 0 ? Self.list(values) : "refused with status \(status)")
        case .textAreaPixels(let size): "CSI 14 t: \(size.width) by \(size.height) pixels"
        case .cellPixels(let size): "CSI 16 t: \(size.width) by \(size.height) pixels"
        case .textAreaCells(let grid): "CSI 18 t: \(grid.columns) by \(grid.rows) cells"
        case .mode(let number, let state): "DECRQM \(number): state \(state)"
        case .foreground(let color): "OSC 10: \(Self.list([color.red, color.green, color.blue]))"
        case .background(let color): "OSC 11: \(Self.list([color.red, color.green, color.blue]))"
        case .kittyGraphics(let id, let message): "kitty graphics \(id): \(message)"
        case .version(let text): "XTVERSION: \(text)"
        case .capability(let name): "XTGETTCAP: \(name)"
        case .rendition(let parameters): "DECRQSS m: \(parameters)"
        case .cursorPosition(let row, let column): "CPR: row \(row), column \(column)"
        }
    }

    private static func list(_ numbers: [some BinaryInteger]) -> String {
        numbers.map { "\($0)" }.joined(separator: " ")
    }
}
