import Foundation
import TestSupport
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct ShellCommandTests {
    @Test(arguments: [
        ("rm {}", "rm \"$@\""), ("rm", "rm \"$@\""), ("cp {} x && rm {}", "cp \"$@\" x && rm \"$@\""),
    ])
    func `the files stand in place of {}, or at the end`(text: String, script: String) {
        #expect(ShellCommand(text: text, arguments: []).script == script)
    }

    @Test func `names with blanks, quotes and line breaks stay whole`() async throws {
        let folder = try TemporaryFolder()
        let names = ["a b.png", "it's; rm -r $HOME.png", "new\nline.png", "-rf.png"]
        let files = try names.map { try folder.write($0) }
        let target = folder / "kept"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        try await ShellCommand(text: "mv {} '\(target)'", arguments: files).run()
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: target)) == Set(names))
    }

    @Test func `a command cannot open the terminal`() async {
        await #expect(throws: ProgramProblem.self) {
            try await ShellCommand(text: "exec 3< /dev/tty; :", arguments: []).run()
        }
    }

    @Test func `a failure has the last line of the messages, or the exit status`() async {
        await #expect(throws: ProgramProblem("second")) {
            try await ShellCommand(text: "echo first >&2; echo second >&2; false", arguments: []).run()
        }
        await #expect(throws: ProgramProblem("exit status 3")) {
            try await ShellCommand(text: "exit 3; :", arguments: []).run()
        }
    }

    @Test func `a command with more files than the system allows does not start`() async {
        let files = (0..<40_000).map { "/\($0)/" + String(repeating: "x", count: 100) }
        await #expect(throws: ProgramProblem("cannot be started; fewer marked pictures may help")) {
            try await ShellCommand(text: "true", arguments: files).run()
        }
    }
}
