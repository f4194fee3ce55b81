import Raster
import TerminalGraphics
import Testing

@testable import AlcedoTerminal

@Suite(.timeLimit(.minutes(1)))
struct ProbeTests {
    private static let window = WindowSize(columns: 80, rows: 24, pixelWidth: 644, pixelHeight: 412)
    private static let vt340 =
        "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[?2026;0$y\u{1B}[?1;0;256S"
        + "\u{1B}[?2;0;640;408S\u{1B}[?2;0;1000;1000S\u{1B}[?63;1;2;4;6;9;15;16;22;28c"

    private func probe(
        _ answers: String, variables: [String: String] = ["TERM": "xterm-256color"],
        settings: TerminalSettings = TerminalSettings()
    ) -> Probe {
        var probe = Probe(environment: TerminalEnvironment(variables), settings: settings)
        var parser = InputParser()
        for case .reply(let reply) in parser.parse(Array(answers.utf8)) { probe.receive(reply) }
        return probe
    }

    private func capabilities(_ answers: String, variables: [String: String] = ["TERM": "xterm-256color"])
        -> TerminalCapabilities
    {
        probe(answers, variables: variables).capabilities(window: Self.window)
    }

    @Test
    func `all questions are sent at once and end with DA1`() {
        let questions = probe("").queries
        #expect(questions.last == .queryAttributes)
        #expect(questions.contains(.queryKittyGraphics))
        #expect(Set(questions).count == questions.count)
    }

    @Test
    func `no question is sent that the terminal would print or take for a title`() {
        #expect(!probe("", variables: ["TERM": "xterm", "TMUX": "x"]).queries.contains(.queryKittyGraphics))
        #expect(!probe("", variables: ["TERM": "screen"]).queries.contains(.queryKittyGraphics))
        #expect(probe("", variables: ["TERM": "linux"]).queries == [.queryAttributes])
    }

    @Test func `the background is not queried through GNU screen`() {
        for variables in [["TERM": "screen-256color"], ["TERM": "xterm", "STY": "1.pts-0"]] {
            #expect(!probe("", variables: variables).queries.contains(.queryBackground))
            #expect(probe("", variables: variables).queries.last == .queryAttributes)
        }
        #expect(probe("", variables: ["TERM": "screen", "TMUX": "x"]).queries.contains(.queryBackground))
        let report = probe("", variables: ["TERM": "screen"]).report(window: Self.window)
        #expect(report.contains { $0 == ("background", "unknown: not asked") })
        #expect(!report.contains { $0.value == "OSC 11" })
    }

    @Test
    func `a silent terminal gets blocks and the cell size of the window`() {
        let known = capabilities("")
        #expect(!known.isComplete)
        #expect(known.graphics.method == .blocks)
        #expect(known.cell == CellSize(width: 8, height: 17))
        #expect(known.cellSource.contains("TIOCGWINSZ"))
    }

    @Test
    func `xterm as VT340 gets sixel, its registers, its limit and its text area`() {
        let known = capabilities(Self.vt340)
        #expect(known.isComplete)
        #expect(known.graphics.method == .sixel)
        #expect(known.colorRegisters == 256)
        #expect(known.maximumSixelSize == PixelSize(width: 1000, height: 1000))
        #expect(known.cell == CellSize(width: 8, height: 17))
        #expect(known.cellSource.contains("XTSMGRAPHICS"))
        #expect(known.background == .black)
        #expect(!known.synchronizedOutput)
        #expect(known.version == "XTerm(379)")
    }

    @Test
    func `answers split anywhere and mixed with keys give the same result, and every key is kept`() {
        let bytes = Array(Self.vt340.utf8)
        let expected = capabilities(Self.vt340)
        for split in stride(from: 0, through: bytes.count, by: 1) {
            var parser = InputParser()
            var probe = Probe(environment: TerminalEnvironment(["TERM": "xterm-256color"]))
            var keys = 0
            for part in [[0x6A], bytes[..<split], [], bytes[split...], [0x6B]] {
                for event in parser.parse(part) {
                    if case .reply(let reply) = event { probe.receive(reply) } else { keys += 1 }
                }
            }
            #expect(keys == 2)
            #expect(probe.capabilities(window: Self.window) == expected)
        }
    }

    @Test
    func `an answer after DA1 is still used`() {
        var late = probe(Self.vt340)
        late.receive(.background(.white))
        #expect(late.capabilities(window: Self.window).background == .white)
    }

    @Test
    func `xterm that refuses sixel gets blocks`() {
        let known = capabilities("\u{1B}[?1;3S\u{1B}[?2;3S\u{1B}[?2;3S\u{1B}[?64;1;2;6c")
        #expect(!known.sixel)
        #expect(known.graphics.method == .blocks)
        #expect(known.cellSource.contains("TIOCGWINSZ"))
    }

    @Test
    func `a terminal that only answers XTSMGRAPHICS gets sixel`() {
        #expect(capabilities("\u{1B}[?2;0;640;384S\u{1B}[?6c").graphics.method == .sixel)
    }

    @Test
    func `sixel claimed by tmux is ignored unless the user requests it`() {
        let variables = ["TERM": "tmux-256color", "TMUX": "/tmp/x"]
        let known = capabilities("\u{1B}[?1;2;4c", variables: variables)
        #expect(known.multiplexer == .tmux)
        #expect(known.graphics.method == .blocks)
        let forced = probe("\u{1B}[?1;2;4c", variables: variables, settings: TerminalSettings(graphics: .sixel))
        #expect(forced.capabilities(window: Self.window).graphics.method == .sixel)
    }

    @Test
    func `kitty graphics are preferred to sixel, and sixel to iTerm2 pictures`() {
        #expect(capabilities("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;4c").graphics.method == .kitty)
        #expect(capabilities("\u{1B}P>|WezTerm 2024\u{1B}\\\u{1B}[?62;4c").graphics.method == .sixel)
        #expect(capabilities("\u{1B}P>|WezTerm 2024\u{1B}\\\u{1B}[?62c").graphics.method == .iterm)
        #expect(capabilities("\u{1B}_Gi=31;ENOTSUP\u{1B}\\\u{1B}[?62;4c").graphics.method == .sixel)
    }

    @Test
    func `the reported cell size is preferred to all others`() {
        let known = capabilities("\u{1B}[6;20;10t" + Self.vt340)
        #expect(known.cell == CellSize(width: 10, height: 20))
        #expect(known.cellSource.contains("CSI 16 t"))
    }

    @Test
    func `a sixel geometry at the limit is not used for the cell size`() {
        let known = capabilities("\u{1B}[?2;0;1000;408S\u{1B}[?2;0;1000;1000S\u{1B}[?62;4c")
        #expect(known.cellSource.contains("TIOCGWINSZ"))
    }

    @Test
    func `without pixels from the system the text area, the setting and then 10×20 are used`() {
        let window = WindowSize(columns: 80, rows: 24)
        #expect(probe("\u{1B}[4;408;640t").capabilities(window: window).cellSource.contains("CSI 14 t"))
        let settings = TerminalSettings(cell: CellSize(width: 9, height: 18))
        #expect(probe("", settings: settings).capabilities(window: window).cell == CellSize(width: 9, height: 18))
        #expect(probe("").capabilities(window: window).cell == .fallback)
    }

    @Test
    func `impossible cell sizes are ignored`() {
        for lie in ["\u{1B}[6;0;0t", "\u{1B}[6;9999;9999t", "\u{1B}[6;1;1t"] {
            #expect(capabilities(lie).cellSource.contains("TIOCGWINSZ"))
        }
    }

    @Test
    func `sixteen registers are used as reported, and nonsense is clamped`() {
        #expect(capabilities("\u{1B}[?1;0;16S\u{1B}[?62;4c").colorRegisters == 16)
        #expect(capabilities("\u{1B}[?1;0;0S\u{1B}[?62;4c").colorRegisters == 2)
        #expect(capabilities("\u{1B}[?1;0;999999S\u{1B}[?62;4c").colorRegisters == 1024)
    }

    @Test
    func `synchronized output is used only if the terminal knows the mode`() {
        #expect(capabilities("\u{1B}[?2026;2$y").synchronizedOutput)
        #expect(!capabilities("\u{1B}[?2026;4$y").synchronizedOutput)
        #expect(!capabilities("").synchronizedOutput)
    }

    @Test
    func `a new size round drops only the old sizes`() {
        var probe = probe("\u{1B}[6;20;10t" + Self.vt340)
        probe.beginSizeRound()
        #expect(!probe.isComplete)
        probe.receive(.cellPixels(PixelSize(width: 12, height: 24)))
        probe.receive(.attributes([62, 4]))
        let known = probe.capabilities(window: Self.window)
        #expect(known.cell == CellSize(width: 12, height: 24))
        #expect(known.version == "XTerm(379)")
    }

    @Test(arguments: [
        ("\u{1B}P1+r524742\u{1B}\\", ColorDepth.truecolor),
        ("\u{1B}P0+r524742\u{1B}\\\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\", .truecolor),
        ("\u{1B}P1$r0;48:2:1:2:3m\u{1B}\\", .truecolor),
        ("\u{1B}P1$r48;2;1;2;3m\u{1B}\\", .truecolor),
        ("\u{1B}P1$r0;48:5:16m\u{1B}\\", .palette256),
        ("\u{1B}P0$r\u{1B}\\", .palette256),
    ])
    func `24-bit colour is used if the terminal reports it`(answers: String, depth: ColorDepth) {
        #expect(capabilities(answers).colorDepth == depth)
        #expect(capabilities(answers, variables: ["TERM": "xterm", "NO_COLOR": "1"]).colorDepth == ColorDepth.none)
    }

    @Test func `24-bit colour is not queried through a multiplexer; tmux reports it as a client feature`() {
        var inTmux = probe("", variables: ["TERM": "tmux-256color", "TMUX": "x"])
        #expect(!inTmux.queries.contains(.queryDirectColor))
        let answer = "3.3a|off|0|0|0|on|bottom|256,clipboard,RGB,title|xterm-256color|"
        inTmux.receive(TmuxFacts(reply: answer))
        #expect(inTmux.capabilities(window: Self.window).colorDepth == .truecolor)
        // Text must not change its colours while tmux is asked again.
        inTmux.beginTmuxRound()
        #expect(inTmux.capabilities(window: Self.window).colorDepth == .truecolor)
        #expect(!probe("", variables: ["TERM": "screen"]).queries.contains(.queryDirectColor))
    }

    @Test(arguments: ["dumb", "", "unknown"])
    func `a terminal that cannot place text gets no queries`(name: String) {
        #expect(probe("", variables: ["TERM": name]).queries.isEmpty)
        #expect(probe("", variables: ["TERM": name]).sizeQueries.isEmpty)
    }

    @Test
    func `the environment decides the colour depth`() {
        #expect(capabilities("", variables: ["TERM": "xterm", "NO_COLOR": "1"]).colorDepth == ColorDepth.none)
        #expect(capabilities("", variables: ["TERM": "xterm", "COLORTERM": "truecolor"]).colorDepth == .truecolor)
        #expect(capabilities("").colorDepth == .palette256)
        #expect(capabilities("", variables: ["TERM": "linux"]).colorDepth == .console)
        #expect(capabilities("", variables: ["TERM": "linux"]).isLinuxConsole)
        #expect(!capabilities("").isLinuxConsole)
    }

    @Test(
        arguments: [
            ("linux", [0x2580, 0x2584, 0x2588, 0x258C, 0x2590, 0x2591], true),
            ("linux", [0x2588, 0x2591, 0x2592], false), ("linux", nil, false),
            ("xterm", [0x2580, 0x2584, 0x258C, 0x2590], false),
        ] as [(String, Set<UInt16>?, Bool)])
    func `half blocks are used on the Linux console if its font has them`(
        terminal: String, font: Set<UInt16>?, isSo: Bool
    ) {
        let probe = Probe(environment: TerminalEnvironment(["TERM": terminal]), consoleFont: font)
        #expect(probe.capabilities(window: Self.window).consoleHasHalfBlocks == isSo)
        let line = probe.report(window: Self.window).first { $0.name == "half blocks in the font" }
        #expect((line != nil) == (terminal == "linux"))
        if font == nil { #expect(line?.value == "no: the console does not tell") }
    }

    @Test func `a terminal that is not a console has no console font`() throws {
        let terminal = try PseudoTerminal()
        #expect(try TerminalDescriptor(path: terminal.path).consoleFont == nil)
    }

    @Test
    func `the report lists every decision with its reason, every answer and every unanswered question`() {
        let report = probe(Self.vt340).report(window: Self.window)
        for line in [
            ("graphics", "sixel: DA1 lists attribute 4"), ("program", "XTerm(379): XTVERSION"),
            ("cell", "8×17 pixels: the area for pictures (XTSMGRAPHICS)"), ("colour registers", "256: XTSMGRAPHICS"),
            ("sixel", "yes: DA1 lists attribute 4"), ("largest sixel", "1000×1000: XTSMGRAPHICS"),
            ("kitty graphics", "no: the question was not answered"), ("background", "0 0 0: OSC 11"),
            ("synchronized output", "no: mode 2026 is in state 0"), ("colours of text", "256: TERM"),
            ("iTerm2 pictures", "no: the terminal's name is not known for it"), ("multiplexer", "none"),
            ("reply", "XTSMGRAPHICS 1: 256"), ("reply", "DA1: 63 1 2 4 6 9 15 16 22 28"),
            ("no reply", "CSI 14 t"), ("no reply", "CSI 16 t"), ("no reply", "kitty graphics"),
        ] {
            #expect(report.contains { $0 == line }, "\(line)")
        }
        #expect(report.filter { $0.name == "reply" }.count == 7)
        #expect(report.filter { $0.name == "no reply" }.count == 4)
    }

    @Test(
        arguments: ["", vt340, "\u{1B}[?1;3S\u{1B}[?2;3S\u{1B}[?6c"])
    func `every decision has a reason for any answers`(answers: String) {
        let decisions = [
            "graphics", "cell", "sixel", "colour registers", "largest sixel", "kitty graphics", "iTerm2 pictures",
            "synchronized output", "colours of text", "background",
        ]
        for variables in [["TERM": "xterm"], ["TERM": "tmux-256color", "TMUX": "x"], ["TERM": "linux"]] {
            let report = probe(answers, variables: variables).report(window: Self.window)
            for name in decisions {
                let reason = report.first { $0.name == name }?.value.split(separator: ":", maxSplits: 1).last
                #expect(reason.map { $0.count > 3 } == true, "\(name)")
            }
        }
    }

    @Test
    func `control characters of answers and environment do not reach the report`() {
        let answers = "\u{1B}P>|X\u{9B}31m\u{1B}\\\u{1B}_Gi=31;\u{7}\u{1B}\\"
        for variables in [["TERM": "x\u{1B}]0;boo\u{7}"], ["TERM": "xterm", "TERM_PROGRAM": "\u{1B}[2J"]] {
            let hostile = probe(answers, variables: variables).report(window: Self.window)
            #expect(!hostile.contains { $0.value.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x9B } })
        }
    }
}
