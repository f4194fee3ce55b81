import AlcedoTerminal
import ProgramTestSupport
import Raster
import TerminalGraphics
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools

@MainActor @Suite(.timeLimit(.minutes(1))) struct TerminalReportTests {
    private let screen = FakeScreen()
    private let clock = ManualClock()

    @Test func `the query ends when the capabilities are complete`() async {
        // Given a terminal that answers in two rounds
        var known = TerminalCapabilities()
        screen.happen(.capabilitiesChanged(known))
        known.isComplete = true
        screen.capabilities.sixel = true
        screen.happen(.capabilitiesChanged(known))
        // When it is asked
        let report = await TerminalReport.query(screen, clock: clock)
        // Then all is known without any time having passed, and the terminal is given back
        #expect(report.capabilities.sixel && report.size == screen.size)
        #expect(report.lines.map(\.name) == ["terminal"])
        #expect(screen.closings == 1)
    }

    @Test func `the query does not wait when the capabilities are already complete`() async {
        screen.capabilities.isComplete = true
        _ = await TerminalReport.query(screen, clock: clock)
        #expect(screen.closings == 1)
    }

    @Test func `the query ends after half a second without an answer`() async {
        let asking = Task { await TerminalReport.query(screen, clock: clock) }
        await clock.untilSleepers()
        clock.advance(by: .milliseconds(499))
        #expect(screen.closings == 0)
        clock.advance(by: .milliseconds(1))
        let report = await asking.value
        #expect(!report.capabilities.isComplete && screen.closings > 0)
    }

    @Test func `blocks use the colour depth of the terminal`() {
        var capabilities = TerminalCapabilities()
        capabilities.graphics = GraphicsDecision(method: .sixel, reason: "test")
        capabilities.colorDepth = .truecolor
        #expect(capabilities.graphicsProtocol(.blocks) == .blocks(.truecolor))
        capabilities.colorDepth = .none
        #expect(capabilities.graphicsProtocol(.blocks) == .blocks(.none))
    }
}
