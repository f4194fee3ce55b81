import Foundation
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct ShellCommandTests {
    @Test(arguments: [
        "cp {} TARGET/p-{}-q", "cp {} TARGET/\"p-\"{}\"-q\"", "cp {} \"$(echo TARGET/p-\"{}\"-q)\"",
        "cp '{}' TARGET/p-\"{}\"-q", "f=\"it\\\"s\"; cp {} TARGET/p-{}-q # $f",
    ])
    func `a path is passed as one argument wherever the placeholder stands`(command: String) async throws {
        let folder = try TemporaryFolder()
        let name = "it's a *; touch ran.png"
        _ = FileManager.default.createFile(atPath: folder / name, contents: Data([1]))
        let target = folder / "kept"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        let text = "cd '\(folder.url.path(percentEncoded: false))' && " + command.replacing("TARGET", with: "kept")
        try await ShellCommand(text: text, arguments: [name]).run()
        #expect(try FileManager.default.contentsOfDirectory(atPath: target) == ["p-\(name)-q"])
    }

    @Test func `a name that begins with a dash is not taken for an option`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("-rf")
        let place = folder.url.path(percentEncoded: false)
        try await ShellCommand(text: "cd '\(place)' && rm {}", arguments: ["-rf"]).run()
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
    }

    @Test func `a command with {} inside quotes is refused`() async {
        await #expect(throws: ProgramProblem.self) {
            try await ShellCommand(text: "sh -c 'rm {}'", arguments: ["a"]).run()
        }
    }

    @Test func `names with blanks, quotes and line breaks are passed unchanged`() async throws {
        let folder = try TemporaryFolder()
        let names = ["a b.png", "it's; rm -r $HOME.png", "new\nline.png", "-rf.png"]
        let files = try names.map { try folder.write($0) }
        let target = folder / "kept"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        try await ShellCommand(text: "mv {} '\(target)'", arguments: files).run()
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: target)) == Set(names))
    }

    @Test func `a command runs in its own session without a terminal`() async throws {
        let folder = try TemporaryFolder()
        let file = folder / "session"
        try await ShellCommand(text: "cut -d ' ' -f 6 /proc/$$/stat > '\(file)'; :", arguments: []).run()
        let session = Int32(try folder.read("session").trimmingCharacters(in: .whitespacesAndNewlines))
        #expect(session != nil && session != getsid(0))
    }

    @Test func `the error is the last line on standard error, or the exit status`() async {
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
