import AlcedoBrowserCore
import AlcedoScreen
import AlcedoTerminal
import Foundation
import Raster
import TerminalGraphics
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct TerminalPictureOutputTests {
    private let rect = Rect(column: 3, row: 2, columns: 5, rows: 4)

    private func capabilities(
        _ method: GraphicsMethod, version: String = "", multiplexer: Passthrough? = nil
    ) -> TerminalCapabilities {
        var capabilities = TerminalCapabilities.drawing(method)
        capabilities.version = version
        capabilities.multiplexer = multiplexer
        return capabilities
    }

    private func drawn(_ capabilities: TerminalCapabilities, side: Int = 20) async -> TerminalPicture {
        let outlet = TerminalPictureOutput(capabilities)
        var random = SystemRandomNumberGenerator()
        let pixels = PixelBuffer(size: PixelSize(width: side, height: side)) { bytes in
            for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &random) }
        }
        let encoded = await outlet.encoder.encode(pixels)
        return outlet.terminalPicture(encoded, PictureID(1), generation: 1, at: rect, fills: false)
    }

    @Test(arguments: [
        ("kitty(0.31)", BlockSet.sextant), ("foot(1.16)", .sextant), ("WezTerm 2024", .sextant),
        ("ghostty 1.0", .sextant), ("VTE(6200)", .sextant), ("VTE(6003)", .quadrant), ("VTE()", .quadrant),
        ("XTerm(379)", .quadrant), ("", .quadrant),
    ])
    func `sextants are used only for terminals that draw them`(version: String, set: BlockSet) {
        #expect(capabilities(.blocks, version: version).graphicsProtocol() == .blocks(.palette256, set))
    }

    @Test func `the Linux console gets its own palette, and half blocks if its font has them`() {
        var capabilities = capabilities(.blocks)
        capabilities.isLinuxConsole = true
        capabilities.colorDepth = .console
        #expect(capabilities.graphicsProtocol() == .blocks(.console, .shades))
        capabilities.consoleHasHalfBlocks = true
        #expect(capabilities.graphicsProtocol() == .blocks(.console, .half))
    }

    @Test func `each graphics method maps to its protocol`() {
        #expect(capabilities(.kitty).graphicsProtocol() == .kitty)
        #expect(capabilities(.iterm).graphicsProtocol() == .iterm)
        #expect(capabilities(.blocks).graphicsProtocol(.kitty) == .kitty)
        #expect(capabilities(.kitty).graphicsProtocol(.sextants) == .blocks(.palette256, .sextant))
        #expect(capabilities(.sextants).graphicsProtocol() == .blocks(.palette256, .sextant))
    }

    @Test func `long sixel data for tmux is split into strips`() async {
        var capabilities = capabilities(.sixel, multiplexer: .tmux)
        capabilities.multiplexerDrawsSixel = true
        let picture = await drawn(capabilities, side: 900)
        let strings = picture.bytes.text.components(separatedBy: "\u{1B}P").dropFirst()
        #expect(picture.bytes.count > 1 << 20 && strings.count > 1)
        #expect(strings.allSatisfy { $0.utf8.count < 1 << 20 })
    }

    @Test func `where tmux draws sixel, the height is reduced to whole bands within its rows`() async {
        var capabilities = capabilities(.sixel, multiplexer: .tmux)
        capabilities.cell = CellSize(width: 8, height: 17)
        capabilities.multiplexerDrawsSixel = true
        #expect(await drawn(capabilities, side: 34).pixels == PixelSize(width: 34, height: 30))
        var elsewhere = self.capabilities(.sixel)
        elsewhere.cell = capabilities.cell
        #expect(await drawn(elsewhere, side: 34).pixels == PixelSize(width: 34, height: 34))
    }

    @Test func `graphics that tmux does not draw are sent through its passthrough`() async {
        let picture = await drawn(capabilities(.kitty, multiplexer: .tmux))
        #expect(picture.bytes.starts(with: Array("\u{1B}Ptmux;".utf8)))
        #expect(picture.removal.starts(with: Array("\u{1B}Ptmux;".utf8)))
    }

    @Test func `sixel sent through tmux is placed at the pane's position`() async {
        var capabilities = capabilities(.sixel, multiplexer: .tmux)
        capabilities.cell = CellSize(width: 10, height: 20)
        capabilities.pictureOrigin = Position(column: 50, row: 10)
        let picture = await drawn(capabilities, side: 35)
        let text = picture.bytes.text
        // What is behind the picture's edge goes the same way, before it.
        let clearing = text.range(of: "\u{1B}Ptmux;\u{1B}\u{1B}[0m\u{1B}\u{1B}[13;57H  ")
        let sixel = text.range(of: "\u{1B}\u{1B}[13;54H\u{1B}\u{1B}P0;1;0q")
        #expect(picture.pixels == nil && picture.rect == rect)
        #expect(clearing.flatMap { clearing in sixel.map { clearing.upperBound < $0.lowerBound } } == true)
    }

    @Test func `blocks are sent without passthrough`() async {
        let picture = await drawn(capabilities(.blocks, multiplexer: .screen))
        #expect(!picture.bytes.text.contains("\u{1B}P") && picture.removal.isEmpty)
    }
}
