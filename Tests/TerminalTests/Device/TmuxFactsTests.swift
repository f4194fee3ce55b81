import AlcedoBrowserCore
import AlcedoScreen
import Raster
import TerminalGraphics
import Testing

@testable import AlcedoTerminal

@Suite("Facts from tmux", .timeLimit(.minutes(1)))
struct TmuxFactsTests {
    private static let window = WindowSize(columns: 80, rows: 24)

    private func facts(
        passthrough: String = "1", bigger: String = "0", status: String = "on", position: String = "bottom",
        features: String = "256,title", type: String = "foot(1.16)"
    ) -> TmuxFacts? {
        TmuxFacts(reply: "3.3a|\(passthrough)|\(bigger)|51|15|\(status)|\(position)|\(features)|foot|\(type)\n")
    }

    private func decision(
        _ facts: TmuxFacts?, attributes: [Int] = [1, 2], graphics: GraphicsMethod = .auto
    ) -> TerminalCapabilities {
        var probe = Probe(
            environment: TerminalEnvironment(["TERM": "tmux-256color", "TMUX": "x"]),
            settings: TerminalSettings(graphics: graphics))
        probe.receive(.attributes(attributes))
        probe.receive(facts)
        return probe.capabilities(window: Self.window)
    }

    @Test
    func `the position of the pane considers the status line`() {
        #expect(facts()?.origin == Position(column: 51, row: 15))
        #expect(facts(position: "top")?.origin == Position(column: 51, row: 16))
        #expect(facts(status: "3", position: "top")?.origin == Position(column: 51, row: 18))
        #expect(facts(status: "off", position: "top")?.origin == Position(column: 51, row: 15))
    }

    @Test
    func `passthrough is allowed by the option or an old version, and only for whole windows`() {
        for value in ["1", "on", "all", ""] { #expect(facts(passthrough: value)?.allowsPassthrough == true) }
        for value in ["0", "off"] { #expect(facts(passthrough: value)?.allowsPassthrough == false) }
        #expect(facts(bigger: "1")?.allowsPassthrough == false)
    }

    @Test
    func `a bar in the name of the outer terminal is kept; an invalid reply is refused`() {
        #expect(facts(type: "a|b")?.outerTerminal == "a|b")
        #expect(facts(type: "")?.outerTerminal == "foot")
        for answer in ["", "no server running", "3.3a|1|0|x|15|on|top|a|b|c", "3.3a|1|0|-1|15|on|top|a|b|c"] {
            #expect(TmuxFacts(reply: answer) == nil)
        }
    }

    @Test
    func `sixel passes to a known terminal, at the position of the pane`() {
        let known = decision(facts())
        #expect(known.graphics.method == .sixel)
        #expect(known.passesThrough)
        #expect(known.pictureOrigin == Position(column: 51, row: 15))
    }

    @Test
    func `blocks are used without passthrough, for unknown terminals, and before the reply of tmux`() {
        #expect(decision(facts(passthrough: "0")).graphics.method == .blocks)
        #expect(decision(facts(type: "XTerm(379)")).graphics.method == .blocks)
        #expect(decision(nil).graphics.method == .blocks)
        #expect(!decision(facts(passthrough: "0")).passesThrough)
    }

    @Test
    func `tmux's own sixel is used only if the outer terminal has it`() {
        let real = decision(facts(passthrough: "0", features: "256,sixel", type: "XTerm(379)"), attributes: [1, 2, 4])
        #expect(real.graphics.method == .sixel)
        #expect(!real.passesThrough)
        let lie = decision(facts(passthrough: "0", type: "XTerm(379)"), attributes: [1, 2, 4])
        #expect(lie.graphics.method == .blocks)
    }

    @Test
    func `a requested method is used if pictures can pass, otherwise the reason is reported`() {
        let passing = decision(facts(type: "XTerm(379)"), graphics: .sixel)
        #expect(passing.graphics.method == .sixel && passing.passesThrough)
        let kitty = decision(facts(type: "XTerm(379)"), graphics: .kitty)
        #expect(kitty.graphics.method == .kitty && kitty.passesThrough)
        let swallowed = decision(facts(passthrough: "0"), graphics: .kitty)
        #expect(swallowed.graphics.method == .blocks)
        #expect(swallowed.graphics.reason.contains("allow-passthrough"))
    }

    @Test
    func `nothing passes through before the position of the pane is known`() {
        var probe = Probe(
            environment: TerminalEnvironment(["TERM": "tmux-256color", "TMUX": "x"]),
            settings: TerminalSettings(graphics: .sixel))
        probe.receive(.attributes([1, 2]))
        probe.receive(facts())
        probe.beginTmuxRound()
        #expect(probe.capabilities(window: Self.window).graphics.method == .blocks)
        probe.receive(facts())
        #expect(probe.capabilities(window: Self.window).graphics.method == .sixel)
    }

    @Test
    func `the answers are complete only after the reply of tmux, even an empty one`() {
        var probe = Probe(environment: TerminalEnvironment(["TERM": "tmux-256color", "TMUX": "x"]))
        probe.beginTmuxRound()
        probe.receive(.attributes([1, 2]))
        #expect(!probe.capabilities(window: Self.window).isComplete)
        probe.receive(nil as TmuxFacts?)
        #expect(probe.capabilities(window: Self.window).isComplete)
    }
}
