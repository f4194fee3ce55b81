import ProgramTestSupport
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(5))) struct ReportersTests {
    private func settings(_ progress: ProgressMode, terminal: String? = nil) -> PrefetchSettings {
        var settings = PrefetchSettings()
        settings[.progress] = progress
        settings.library.environment = terminal.map { ["TERM": $0] } ?? [:]
        return settings
    }

    @Test func `JSON outranks everything`() throws {
        var settings = settings(.always)
        settings.printsJSON = true
        #expect(settings.reporter(console: try CapturedConsole().console) is JSONReporter)
    }

    @Test func `progress is animated if always is set`() throws {
        // Its files are open as long as it lives.
        let captured = try CapturedConsole()
        withExtendedLifetime(captured) {
            let console = captured.console
            #expect(settings(.always).reporter(console: console).followsTransfers)
            #expect(!settings(.plain).reporter(console: console).followsTransfers)
            #expect(!settings(.never).reporter(console: console).followsTransfers)
            #expect(!settings(.auto).reporter(console: console).followsTransfers)
        }
    }

    @Test func `by default progress is animated only on a capable terminal`() throws {
        let terminal = try TerminalPair()
        defer { terminal.close() }
        let console = Console(error: terminal.slave)
        var quiet = settings(.auto, terminal: "xterm")
        quiet[.quiet] = true
        #expect(settings(.auto, terminal: "xterm").reporter(console: console).followsTransfers)
        #expect(!settings(.auto, terminal: "dumb").reporter(console: console).followsTransfers)
        #expect(!settings(.auto).reporter(console: console).followsTransfers)
        #expect(!quiet.reporter(console: console).followsTransfers)
    }
}
