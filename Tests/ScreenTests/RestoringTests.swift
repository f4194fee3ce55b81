import Foundation
import TestSupport
import Testing

/// However the program ends, the terminal is as it was.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RestoringTests {
    /// What a terminal had before the program took it.
    private struct Before {
        let manners: TerminalManners
        let modes: [UInt32]
    }

    /// Settings of a terminal that nobody has by default.
    private static let odd = "stty -echo -ixon intr ^Y susp ^Z; "

    /// Opens the browser and waits for its picture; answers what there was before it took the terminal.
    private func open(shell: String? = nil, _ pictures: String = "pictures") async throws -> (FakeTerminal, Before) {
        let place = try Workplace.withPictures()
        try FileManager.default.createSymbolicLink(
            at: place.folder.appending(path: "photos"),
            withDestinationURL: BuiltProgram.root.appending(path: "assets/pictures"))
        let (terminal, before) = try await start(["browse", place.path(pictures)], in: place, shell: shell)
        try await eventually("a picture") { terminal.screen.pixelCells > 0 }
        #expect(terminal.modes != before.modes)
        #expect(terminal.screen.settings != before.manners)
        return (terminal, before)
    }

    private func start(
        _ arguments: [String], in place: Workplace, shell: String? = nil
    ) async throws -> (FakeTerminal, Before) {
        // The shell tells that nothing has been changed yet, and waits for a line.
        let script = Self.odd + "echo ready; read -r line; " + (shell ?? #"exec "$0" "$@""#)
        let terminal = try FakeTerminal(arguments, in: place, shell: script)
        try await eventually("the shell") { terminal.screen.contains("ready") }
        let before = Before(manners: terminal.screen.settings, modes: terminal.modes)
        terminal.type("go\n")
        return (terminal, before)
    }

    private func expectRestored(_ terminal: FakeTerminal, _ before: Before) async throws {
        try await eventually("everything is as it was") { terminal.screen.settings == before.manners }
        #expect(terminal.modes == before.modes)
        #expect(terminal.screen.lines.first == "ready")
        #expect(terminal.screen.pixelCells == 0)
    }

    @Test func `q restores the terminal and exits with 0`() async throws {
        let (terminal, before) = try await open()

        terminal.type("q")
        try await eventually("the end") { terminal.status != nil }

        #expect(terminal.status == 0)
        try await expectRestored(terminal, before)
    }

    @Test func `ctrl-c restores the terminal`() async throws {
        let (terminal, before) = try await open()

        terminal.type("\u{3}")
        try await eventually("the end") { terminal.status != nil }

        try await expectRestored(terminal, before)
    }

    @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130)] as [(Int32, Int32)])
    func `a terminating signal restores the terminal`(signal: Int32, code: Int32) async throws {
        let (terminal, before) = try await open()

        terminal.send(signal)
        try await eventually("the end") { terminal.status != nil }

        #expect(terminal.status == code)
        try await expectRestored(terminal, before)
    }

    @Test func `repeated hang-up signals restore the terminal once`() async throws {
        let (terminal, before) = try await open()

        for _ in 0..<50 {
            terminal.send(SIGHUP)
            await Task.yield()
        }
        try await eventually("the end") { terminal.status != nil }

        #expect(terminal.status == 129)
        try await expectRestored(terminal, before)
    }

    // A Swift trap is SIGILL or SIGTRAP, after the processor.
    @Test(arguments: [
        SIGSEGV, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGTRAP, SIGSYS, SIGQUIT, SIGXCPU, SIGUSR1, SIGALRM,
    ])
    func `a crash restores the terminal and keeps its signal`(signal: Int32) async throws {
        let (terminal, before) = try await open()

        terminal.send(signal)
        try await eventually("the end") { terminal.status != nil }

        #expect(terminal.status == -signal)
        try await expectRestored(terminal, before)
    }

    @Test(arguments: [SIGSEGV, SIGILL, SIGTRAP])
    func `a crash of another thread restores the terminal too`(signal: Int32) async throws {
        let (terminal, before) = try await open()

        #expect(terminal.process.sendToThread(signal))
        try await eventually("the end") { terminal.status != nil }

        #expect(terminal.status == -signal)
        try await expectRestored(terminal, before)
    }

    @Test(arguments: [SIGSEGV, SIGTERM])
    func `ending while a blocked terminal receives a picture leaves nothing of it`(signal: Int32) async throws {
        let (terminal, before) = try await open("photos")

        terminal.pause()
        terminal.type("j")
        try await eventually("a jam") { terminal.waitingOutput > 3000 }
        terminal.send(signal)
        try await eventually("the end") { terminal.status != nil }
        terminal.resume()

        try await expectRestored(terminal, before)
    }

    @Test func `ctrl-z restores the terminal for the shell, and fg redraws everything`() async throws {
        let (terminal, before) = try await open(
            shell: #"set -m; "$0" "$@"; echo stopped $?; read -r line; fg; echo ended $?"#)

        terminal.type("\u{1A}")
        try await eventually("the shell has the terminal") { terminal.screen.contains("stopped 148") }
        try await expectRestored(terminal, before)
        terminal.type("\n")
        try await eventually("the browser is back") { isWhole(terminal.screen) }
        terminal.type("q")
        try await eventually("its end") { terminal.screen.contains("ended 0") }

        try await expectRestored(terminal, before)
    }

    @Test func `SIGTSTP behaves the same, also a second time`() async throws {
        let (terminal, before) = try await open(
            shell: #"""
                set -m; "$0" "$@"; echo stopped $?; read -r line
                fg; echo again $?; read -r line
                fg; echo ended $?
                """#)

        for word in ["stopped 148", "again 148"] {
            kill(try #require(terminal.process.firstChild), SIGTSTP)
            try await wait(for: word, in: terminal) { $0.contains(word) }
            try await expectRestored(terminal, before)
            terminal.type("\n")
            try await wait(for: "the browser", in: terminal, isWhole)
        }
        terminal.type("q")
        try await eventually("its end") { terminal.screen.contains("ended 0") }

        try await expectRestored(terminal, before)
    }

    @Test func `after SIGSTOP everything is redrawn`() async throws {
        let (terminal, before) = try await open()
        let raw = terminal.modes
        let pictures = terminal.screen.pictures

        terminal.send(SIGSTOP)
        try await eventually("it stands still") { terminal.process.state == "T" }
        terminal.spoil()
        terminal.send(SIGCONT)
        try await eventually("the picture again") { terminal.screen.pictures > pictures && isWhole(terminal.screen) }
        #expect(terminal.modes == raw)
        terminal.type("q")
        try await eventually("the end") { terminal.status == 0 }

        try await expectRestored(terminal, before)
    }

    @Test func `closing the window ends the program`() async throws {
        let (terminal, _) = try await open()

        terminal.hangUp(after: "j")

        try await eventually("the end") { terminal.status != nil }
        #expect(terminal.status == 129)
    }

    @Test(arguments: [["cache"], ["doctor"], ["show", "pictures/one.png"], ["prefetch", "pictures"]], [true, false])
    func `other commands restore the terminal or do not change it`(arguments: [String], isKilled: Bool) async throws {
        let place = try Workplace.withPictures()
        let whole = arguments.map { $0.hasPrefix("pictures") ? place.path($0) : $0 }

        let (terminal, before) = try await start(whole, in: place)
        let beginning = terminal.transcript.count
        try await eventually("its first words") { terminal.transcript.count > beginning || terminal.status != nil }
        if isKilled { terminal.send(SIGTERM) } else if arguments == ["cache"] { terminal.type("q") }
        try await eventually("the end") { terminal.status != nil }

        try await eventually("everything is as it was") { terminal.screen.settings == before.manners }
        #expect(terminal.modes == before.modes)
    }

    /// Waits for what must be on the screen, and tells what is there when it never comes.
    private func wait(
        for what: String, in terminal: FakeTerminal, _ condition: (ScreenModel) -> Bool
    ) async throws {
        do {
            try await eventually(what) { condition(terminal.screen) }
        } catch {
            Issue.record("\(terminal.screen.settings)\n\(terminal.screen.sketch)")
            throw error
        }
    }

    private func isWhole(_ screen: ScreenModel) -> Bool {
        screen.contains("three.png") && screen.pixelCells > 0 && screen.modes.contains(1049)
    }

    @Test(arguments: [["browse", "pictures"], ["cache"]])
    func `a dumb terminal is refused and unchanged`(arguments: [String]) async throws {
        let place = try Workplace.withPictures()

        let terminal = try FakeTerminal(
            arguments.map { $0 == "pictures" ? place.pictures.path : $0 }, in: place, environment: ["TERM": "dumb"])
        try await eventually("the end") { terminal.status != nil }
        try await eventually("the reason") { terminal.screen.contains("TERM=dumb") }

        #expect(terminal.status == 1)
        #expect(!terminal.transcript.contains(0x1B))
    }
}
