import BrowserCore
import Raster
import Terminal
import TerminalGraphics

/// The way encoded pictures take to the screen: how they are encoded, and how they get past a multiplexer.
struct PictureOutlet: Equatable {
    let encoder: PictureEncoder
    private let multiplexer: TerminalEnvironment.Multiplexer?

    /// tmux drops control strings from 1 MiB on.
    private static let tmuxLimit = 899_000

    /// Before anything is known: blocks.
    init() {
        encoder = PictureEncoder(protocol: .blocks(.palette256))
        multiplexer = nil
    }

    init(
        _ capabilities: TerminalCapabilities, implementation: PictureEncoder.SixelImplementation = .bands,
        blockSet: BlockSet? = nil
    ) {
        encoder = PictureEncoder(
            protocol: capabilities.graphicsProtocol(blockSet: blockSet), background: capabilities.background ?? .black,
            cell: capabilities.cell, implementation: implementation)
        multiplexer = capabilities.multiplexer
    }

    /// Multiplexers draw everything twice.
    var hasTransitions: Bool { multiplexer == nil }

    /// `fills` tells that the terminal stretches the picture over all its cells.
    func terminalPicture(
        _ picture: EncodedPicture, _ id: PictureID, generation: Int, at rect: Rect, fills: Bool
    ) -> TerminalPicture {
        TerminalPicture(
            picture: id, generation: generation, rect: rect, pixels: fills ? nil : picture.size,
            bytes: bytes(of: picture, at: rect), removal: removal(of: picture, at: rect))
    }

    private func bytes(of picture: EncodedPicture, at rect: Rect) -> [UInt8] {
        if let passthrough { return picture.bytes(atColumn: rect.column, row: rect.row, through: passthrough) }
        guard multiplexer == .tmux else { return picture.bytes(atColumn: rect.column, row: rect.row) }
        return picture.bytes(atColumn: rect.column, row: rect.row, limit: Self.tmuxLimit)
    }

    private func removal(of picture: EncodedPicture, at rect: Rect) -> [UInt8] {
        let bytes = picture.erasing(atColumn: rect.column, row: rect.row)
        return passthrough?.wrapped(bytes) ?? bytes
    }

    /// The way through, for what the multiplexer does not draw itself: tmux knows sixel, and blocks are text.
    private var passthrough: Passthrough? {
        switch (encoder.graphics, multiplexer) {
        case (.blocks, _), (_, nil), (.sixel, .tmux): nil
        case (_, .tmux): .tmux
        case (_, .screen): .screen
        }
    }
}
