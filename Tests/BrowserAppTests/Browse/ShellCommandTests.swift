import Foundation
import TestSupport
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct ShellCommandTests {
    @Test(arguments: [
        ("rm {}", "rm \"$@\""), ("rm", "rm \"$@\""), ("rm \"{}\"", "rm \"$@\""), ("mv '{}' x", "mv \"$@\" x"),
        ("cp {} x && rm {}", "cp \"$@\" x && rm \"$@\""),
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

    @Test func `a command runs in a session of its own, which has no terminal`() async throws {
        let folder = try TemporaryFolder()
        let file = folder / "session"
        try await ShellCommand(text: "cut -d ' ' -f 6 /proc/$$/stat > '\(file)'; :", arguments: []).run()
        let session = Int32(try folder.read("session").trimmingCharacters(in: .whitespacesAndNewlines))
        #expect(session != nil && session != getsid(0))
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
        let problem = await #expect(throws: ProgramProblem.self) {
            try await ShellCommand(text: "true", arguments: files).run()
        }
        #expect(problem?.description.contains("fewer marked pictures") == true)
    }
}
