import Foundation
import TestSupport
import Testing

/// However the program ends, the terminal is as it was.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RestoringTests {
    /// Opens the browser and waits for its picture; answers the modes from before it took the terminal.
    private func open(shell: String? = nil) async throws -> (FakeTerminal, [UInt32]) {
        let place = try Workplace.withPictures()
        // The shell tells that nothing has been changed yet, and waits for a line.
        let script = "echo ready; read -r line; " + (shell ?? #"exec "$0" "$@""#)
        let terminal = try FakeTerminal(["browse", place.pictures.path], in: place, shell: script)
        try await eventually("the shell") { terminal.screen.contains("ready") }
        let modes = terminal.modes
        terminal.type("go\n")
        try await eventually("a picture") { terminal.screen.pixelCells > 0 }
        #expect(terminal.modes != modes)
        return (terminal, modes)
    }

    private func expectRestored(_ terminal: FakeTerminal, _ modes: [UInt32]) async throws {
        try await eventually("the alternate screen is left") { !terminal.screen.modes.contains(1049) }
        try await eventually("the cursor is shown") { terminal.screen.modes.contains(25) }
        try await eventually("focus, paste and mouse reports end") {
            terminal.screen.modes.isDisjoint(with: [1000, 1002, 1003, 1004, 1006, 2004, 2026])
        }
        #expect(terminal.modes == modes)
    }

    @Test func `q gives the terminal back and ends with 0`() async throws {
        let (terminal, modes) = try await open()

        terminal.type("q")
        try await eventually("the end") { terminal.status != nil }

        #expect(terminal.status == 0)
        try await expectRestored(terminal, modes)
    }

    @Test func `ctrl-c gives the terminal back`() async throws {
        let (terminal, modes) = try await open()

        terminal.type("\u{3}")
        try await eventually("the end") { terminal.status != nil }

        try await expectRestored(terminal, modes)
    }

    @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130)] as [(Int32, Int32)])
    func `a signal to end gives the terminal back`(signal: Int32, code: Int32) async throws {
        let (terminal, modes) = try await open()

        terminal.send(signal)
        try await eventually("the end") { terminal.status != nil }

        #expect(terminal.status == code)
        try await expectRestored(terminal, modes)
    }

    @Test(arguments: [SIGSEGV, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGTRAP, SIGQUIT])
    func `a crash gives the terminal back and is still a crash`(signal: Int32) async throws {
        let (terminal, modes) = try await open()

        terminal.send(signal)
        try await eventually("the end") { terminal.status != nil }

        #expect(terminal.status == -signal)
        try await expectRestored(terminal, modes)
    }

    @Test func `ctrl-z gives the terminal to the shell, and fg draws everything anew`() async throws {
        let (terminal, modes) = try await open(
            shell: #"set -m; "$0" "$@"; echo stopped $?; read -r line; fg; echo ended $?"#)

        terminal.type("\u{1A}")
        try await eventually("the shell has the terminal") { terminal.screen.contains("stopped 148") }
        try await expectRestored(terminal, modes)
        terminal.type("\n")
        try await eventually("the browser is back") {
            terminal.screen.contains("three.png") && terminal.screen.pixelCells > 0
                && terminal.screen.modes.contains(1049)
        }
        terminal.type("q")
        try await eventually("its end") { terminal.screen.contains("ended 0") }

        try await expectRestored(terminal, modes)
    }

    @Test(arguments: [["browse", "pictures"], ["cache"]])
    func `a dumb terminal is refused and left alone`(arguments: [String]) async throws {
        let place = try Workplace.withPictures()

        let terminal = try FakeTerminal(
            arguments.map { $0 == "pictures" ? place.pictures.path : $0 }, in: place, environment: ["TERM": "dumb"])
        try await eventually("the end") { terminal.status != nil }
        try await eventually("the reason") { terminal.screen.contains("TERM=dumb") }

        #expect(terminal.status == 1)
        #expect(!terminal.transcript.contains(0x1B))
    }
}
