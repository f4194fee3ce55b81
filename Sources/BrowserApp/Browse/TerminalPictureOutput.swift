import AlcedoBrowserCore
import AlcedoScreen
import AlcedoTerminal
import Raster
import TerminalGraphics

/// Encodes pictures for the terminal and passes them through a multiplexer.
struct TerminalPictureOutput: Equatable {
    let encoder: PictureEncoder
    private let multiplexer: Passthrough?
    /// The passthrough for a multiplexer that does not draw the pictures itself.
    private let passthrough: Passthrough?
    /// The cell of the outer terminal in which our first cell lies.
    private let origin: Position
    /// The style of empty cells on the outer terminal.
    private let blankStyle: ControlSequence

    /// Creates the output for a terminal that is not known yet: blocks.
    init() {
        encoder = PictureEncoder(protocol: .blocks(.palette256))
        multiplexer = nil
        passthrough = nil
        origin = Position(column: 0, row: 0)
        blankStyle = .resetStyle
    }

    init(_ capabilities: TerminalCapabilities) {
        encoder = PictureEncoder(
            protocol: capabilities.graphicsProtocol(),
            background: capabilities.visibleBackground ?? .black, cell: capabilities.cell)
        multiplexer = capabilities.multiplexer
        passthrough = capabilities.passesThrough ? capabilities.multiplexer : nil
        origin = capabilities.pictureOrigin
        blankStyle = .blankStyle(on: capabilities.themeBackground)
    }

    /// False in multiplexers, which draw everything twice.
    var hasTransitions: Bool { multiplexer == nil }

    /// - Parameter fills: Whether the terminal stretches the picture over all its cells.
    func terminalPicture(
        _ picture: EncodedPicture, _ id: PictureID, generation: Int, at rect: Rect, fills: Bool
    ) -> TerminalPicture {
        let plain = TerminalPicture(
            picture: id, generation: generation, rect: rect, pixels: fills ? nil : picture.size,
            bytes: bytes(of: picture, at: rect), removal: picture.erasing(atColumn: rect.column, row: rect.row),
            cut: picture.uploadTerminator.isEmpty ? .cancel() : .afterString(then: picture.uploadTerminator))
        return passthrough.map { passed(picture, plain, through: $0) } ?? plain
    }

    private func bytes(of picture: EncodedPicture, at rect: Rect) -> [UInt8] {
        guard multiplexer == .tmux else { return picture.bytes(atColumn: rect.column, row: rect.row) }
        return picture.bytes(atColumn: rect.column, row: rect.row, limit: Passthrough.tmux.stringLimit)
    }

    /// Wraps the picture for the outer terminal.
    ///
    /// The spaces are wrapped like the pixels; otherwise they would arrive after them.
    private func passed(
        _ picture: EncodedPicture, _ plain: TerminalPicture, through passthrough: Passthrough
    ) -> TerminalPicture {
        let (column, row) = (origin.column + plain.rect.column, origin.row + plain.rect.row)
        var passed = plain
        passed.pixels = nil
        passed.bytes =
            passthrough.wrapped(plain.clearing(cell: encoder.cell, origin: origin, style: blankStyle))
            + picture.bytes(atColumn: column, row: row, through: passthrough)
        passed.removal = passthrough.wrapped(picture.erasing(atColumn: column, row: row))
        passed.cut = .cancel(then: passthrough.wrapped(picture.uploadTerminator))
        return passed
    }
}
