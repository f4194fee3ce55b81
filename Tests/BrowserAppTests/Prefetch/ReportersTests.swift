import TestSupport
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(5))) struct ReportersTests {
    private func settings(_ progress: PrefetchSettings.Progress, terminal: String? = nil) -> PrefetchSettings {
        var settings = PrefetchSettings()
        settings.progress = progress
        settings.library.environment = terminal.map { ["TERM": $0] } ?? [:]
        return settings
    }

    @Test func `JSON outranks everything`() throws {
        var settings = settings(.always)
        settings.printsJSON = true
        #expect(Reporters.reporter(for: settings, console: try CapturedConsole().console) is JSONReporter)
    }

    @Test func `progress is animated when asked for`() throws {
        // Its files are open as long as it lives.
        let captured = try CapturedConsole()
        withExtendedLifetime(captured) {
            let console = captured.console
            #expect(Reporters.reporter(for: settings(.always), console: console) is ScreenReporter)
            #expect(Reporters.reporter(for: settings(.plain), console: console) is PlainReporter)
            #expect(Reporters.reporter(for: settings(.never), console: console) is PlainReporter)
            #expect(Reporters.reporter(for: settings(.auto), console: console) is PlainReporter)
        }
    }

    @Test func `progress is animated by default only on a terminal that can`() throws {
        let terminal = try TerminalPair()
        defer { terminal.close() }
        let console = Console(error: terminal.slave)
        var quiet = settings(.auto, terminal: "xterm")
        quiet.isQuiet = true
        #expect(Reporters.reporter(for: settings(.auto, terminal: "xterm"), console: console) is ScreenReporter)
        #expect(Reporters.reporter(for: settings(.auto, terminal: "dumb"), console: console) is PlainReporter)
        #expect(Reporters.reporter(for: settings(.auto), console: console) is PlainReporter)
        #expect(Reporters.reporter(for: quiet, console: console) is PlainReporter)
    }
}
