import AlcedoBrowserCore
import AlcedoScreen
import AlcedoTerminal
import Raster
import TerminalGraphics

/// Encodes pictures for the terminal and passes them through a multiplexer.
struct TerminalPictureOutput: Equatable {
    let encoder: PictureEncoder
    private let multiplexer: TerminalEnvironment.Multiplexer?
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

    init(_ capabilities: TerminalCapabilities, blockSet: BlockSet? = nil) {
        encoder = PictureEncoder(
            protocol: capabilities.graphicsProtocol(blockSet: blockSet),
            background: capabilities.visibleBackground ?? .black, cell: capabilities.cell)
        multiplexer = capabilities.multiplexer
        passthrough = capabilities.passesThrough ? capabilities.multiplexer.map(Passthrough.init) : nil
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

extension Passthrough {
    /// Creates the passthrough for a multiplexer.
    fileprivate init(_ multiplexer: TerminalEnvironment.Multiplexer) {
        self = multiplexer == .tmux ? .tmux : .screen
    }
}

extension TerminalCapabilities {
    /// Returns the graphics protocol for a method, by default the detected one.
    ///
    /// Blocks use the set that the terminal is known to draw, unless `blockSet` names another one.
    func graphicsProtocol(_ method: GraphicsMethod? = nil, blockSet: BlockSet? = nil) -> GraphicsProtocol {
        switch method ?? graphics.method {
        case .sixel:
            .sixel(
                SixelLimits(
                    registers: colorRegisters, maximumSize: maximumSixelSize,
                    countsWholeBands: sixelQuirks.countsWholeBands))
        case .kitty: .kitty
        case .iterm: .iterm
        case .blocks, .none: .blocks(blockColors, blockSet ?? knownBlockSet)
        }
    }

    private var blockColors: ColorDepth {
        switch colorDepth {
        case .monochrome: .none
        case .ansi: isLinuxConsole ? .console : .palette16
        case .indexed: .palette256
        case .truecolor: .truecolor
        }
    }

    /// The best set that the terminal certainly draws: sextants (Unicode 13) only if it draws them itself, whatever the
    /// font; on the Linux console halves or shades, depending on its font; otherwise quadrants.
    private var knownBlockSet: BlockSet {
        if isLinuxConsole { return consoleHasHalfBlocks ? .half : .shades }
        if ["kitty", "foot", "WezTerm", "ghostty", "Ghostty"].contains(where: version.hasPrefix) { return .sextant }
        return (virtualTerminalEmulatorVersion ?? 0) >= Self.firstWithSextants ? .sextant : .quadrant
    }

    /// VTE draws sextants since 0.62, which names itself `VTE(6200)`.
    private static let firstWithSextants = 6200

    private var virtualTerminalEmulatorVersion: Int? {
        guard version.hasPrefix("VTE(") else { return nil }
        return Int(version.dropFirst(4).prefix { $0.isASCII && $0.isNumber })
    }
}
