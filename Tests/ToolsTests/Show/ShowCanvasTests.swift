import AlcedoTerminal
import ImageLoading
import ProgramTestSupport
import Raster
import TerminalGraphics
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools

@Suite(.timeLimit(.minutes(5))) struct ShowCanvasTests {
    private let pipe: CapturedConsole

    init() throws { pipe = try CapturedConsole() }

    private func program(
        _ format: ShowProgram.Format, size: PixelSize? = nil, console: Console? = nil
    ) -> ShowProgram {
        var program = ShowProgram(console: console ?? pipe.console)
        program.format = format
        program.size = size
        return program
    }

    /// A terminal with sixel, 256 colours and cells of 8 by 16 pixels.
    private var sixelTerminal: TerminalReport {
        var capabilities = TerminalCapabilities()
        capabilities.cell = CellSize(width: 8, height: 16)
        capabilities.graphics = GraphicsDecision(method: .sixel, reason: "test")
        return TerminalReport(capabilities: capabilities, size: GridSize(columns: 100, rows: 30), lines: [])
    }

    /// How a terminal is drawn on; nil for a file's format.
    private func graphics(_ canvas: ShowCanvas) -> GraphicsProtocol? {
        if case .terminal(let encoder, _, _) = canvas.output { encoder.graphicsProtocol } else { nil }
    }

    private func isSixel(_ canvas: ShowCanvas) -> Bool {
        if case .sixel = graphics(canvas) { true } else { false }
    }

    @Test func `files and sixel with a size do not query the terminal`() async throws {
        let size = PixelSize(width: 50, height: 40)
        for sized in [program(.png, size: size), program(.ppm, size: size), program(.terminal(.sixel), size: size)] {
            let canvas = try await ShowCanvas.find(for: sized) { _ in
                Issue.record("the terminal was asked")
                return nil
            }
            #expect(canvas.box == size)
        }
    }

    @Test(arguments: [
        (GraphicsMethod.blocks, GraphicsProtocol.blocks(.truecolor)), (.sextants, .blocks(.truecolor, .sextant)),
        (.kitty, .kitty),
    ])
    func `at a place of the screen no format queries the terminal`(
        method: GraphicsMethod, expected: GraphicsProtocol
    ) async throws {
        var placed = program(.terminal(method))
        placed.place = (column: 4, row: 2)
        let canvas = try await ShowCanvas.find(for: placed) { _ in
            Issue.record("the terminal was asked")
            return nil
        }
        #expect(graphics(canvas) == expected)
    }

    @Test func `a pipe without a size is refused with a hint at --size`() async throws {
        let problem = await #expect(throws: ProgramProblem.self) {
            try await ShowCanvas.find(for: program(.terminal(.auto))) { _ in nil }
        }
        #expect(problem?.description.contains("--size") == true)
    }

    @Test func `a pipe with a size gets sixel`() async throws {
        let canvas = try await ShowCanvas.find(
            for: program(.terminal(.auto), size: PixelSize(width: 50, height: 40))
        ) { _ in nil }
        #expect(isSixel(canvas))
    }

    @Test func `a pipe with a size in cells gets blocks`() async throws {
        var cells = program(.terminal(.auto))
        cells.cells = GridSize(columns: 40, rows: 20)
        var preview = program(.terminal(.auto))
        preview.library.environment = [
            "FZF_PREVIEW_COLUMNS": "40", "FZF_PREVIEW_LINES": "20", "COLORTERM": "truecolor",
        ]
        for (program, depth) in [(cells, ColorDepth.palette256), (preview, .truecolor)] {
            var program = program
            if program.cells != nil { program.library.environment = [:] }
            let canvas = try await ShowCanvas.find(for: program) { _ in nil }
            #expect(graphics(canvas) == .blocks(depth))
            #expect(canvas.box == PixelSize(width: 40 * CellSize.fallback.width, height: 20 * CellSize.fallback.height))
        }
    }

    @Test(arguments: ["0", "-1", "x", ""]) func `a preview without a size is a pipe without one`(columns: String) async
    {
        var preview = program(.terminal(.auto))
        preview.library.environment = ["FZF_PREVIEW_COLUMNS": columns, "FZF_PREVIEW_LINES": "20"]
        await #expect(throws: ProgramProblem.self) { try await ShowCanvas.find(for: preview) { _ in nil } }
    }

    @Test func `the answers of the terminal decide the format`() async throws {
        let terminal = try TerminalPair()
        defer { terminal.close() }
        let report = sixelTerminal
        let canvas = try await ShowCanvas.find(
            for: program(.terminal(.auto), console: Console(output: terminal.slave))
        ) { _ in report }
        #expect(isSixel(canvas))
        // One line stays free for the prompt.
        #expect(canvas.box == PixelSize(width: 800, height: 29 * 16))
    }

    @Test func `blocks are drawn if requested`() async throws {
        let report = sixelTerminal
        let canvas = try await ShowCanvas.find(for: program(.terminal(.blocks))) { _ in report }
        #expect(graphics(canvas) == .blocks(.palette256))
    }

    @Test func `without a terminal blocks are sized for 80 by 24 cells`() async throws {
        let canvas = try await ShowCanvas.find(for: program(.terminal(.blocks))) { _ in nil }
        let cell = CellSize.fallback
        #expect(canvas.box == PixelSize(width: 80 * cell.width, height: 23 * cell.height))
    }

    @Test(arguments: [
        (ShowProgram.Format.png, Array("\u{89}PNG".unicodeScalars.map { UInt8($0.value) })),
        (.ppm, Array("P6\n2 2\n".utf8)), (.terminal(.sixel), Array("\u{1B}P".utf8)),
    ])
    func `the output begins as its format does`(format: ShowProgram.Format, beginning: [UInt8]) async throws {
        let picture = PixelBuffer(size: PixelSize(width: 2, height: 2), filledWith: .white)
        let canvas = try await ShowCanvas.find(
            for: program(format, size: PixelSize(width: 9, height: 9))
        ) { _ in nil }
        #expect(try await canvas.bytes(of: picture).starts(with: beginning))
    }
}
