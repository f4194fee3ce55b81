import Foundation
import Glibc
import TestSupport
import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct ProgramOutputTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private func script(_ text: String, name: String = "program") throws -> String {
        let path = try place.write(name, "#!/bin/sh\n\(text)\n".utf8)
        chmod(path, 0o755)
        return path
    }

    private func output(_ text: String, _ arguments: [String] = [], limit: Int = 1 << 20) async throws -> Data {
        try await ProgramOutput.read(try script(text), arguments, limit: limit)
    }

    @Test func `what a program writes is collected`() async throws {
        #expect(try await output("printf abc; printf noise >&2") == Data("abc".utf8))
        #expect(try await output("true").isEmpty)
        #expect(try await output("head -c 900000 /dev/zero").count == 900_000)
    }

    @Test func `arguments arrive as they are`() async throws {
        let arguments = ["a b", "$HOME", "`id`", "", "-x;y", "'\"", "ü"]
        let text = String(decoding: try await output("for a; do printf '%s|' \"$a\"; done", arguments), as: UTF8.self)
        #expect(text == arguments.map { $0 + "|" }.joined())
    }

    @Test func `a program gets no input and only the path`() async throws {
        #expect(try await output("cat").isEmpty)
        let names = String(decoding: try await output("env"), as: UTF8.self).split(separator: "\n").map {
            $0.prefix { $0 != "=" }
        }
        #expect(Set(names).subtracting(["PATH", "PWD", "_", "SHLVL", "OLDPWD"]).isEmpty)
    }

    @Test func `a failure brings the first line of its errors`() async throws {
        await #expect(throws: ProgramOutput.Problem.failed("bad ?thing")) {
            try await output("printf 'bad \\033thing\\nmore\\n' >&2; exit 3")
        }
        await #expect(throws: ProgramOutput.Problem.failed("")) { try await output("kill -9 $$") }
    }

    @Test func `too much output ends the program`() async throws {
        #expect(try await output("head -c 1000 /dev/zero", limit: 1_000).count == 1_000)
        await #expect(throws: ProgramOutput.Problem.tooMuch) { try await output("cat /dev/zero", limit: 1_000) }
    }

    @Test func `endless errors do not stop the output`() async throws {
        #expect(try await output("head -c 900000 /dev/zero >&2; printf done") == Data("done".utf8))
    }

    @Test func `what cannot be started says why`() async throws {
        await #expect(throws: ProgramOutput.Problem.notStarted("No such file or directory")) {
            try await ProgramOutput.read(place / "missing", [], limit: 1)
        }
    }

    @Test func `a cancel kills the program and its children`() async throws {
        let path = try script("echo $$ > \(place / "pid"); sleep 1000 & sleep 1000")
        let task = Task { try await ProgramOutput.read(path, [], limit: 1) }
        try await eventually("the program runs") { (try? place.read("pid").contains("\n")) == true }
        let group = try #require(pid_t(try place.read("pid").trimmingCharacters(in: .whitespacesAndNewlines)))
        task.cancel()
        await #expect(throws: ProgramOutput.Problem.cancelled) { try await task.value }
        try await eventually("its children are gone") { kill(-group, 0) != 0 }
    }

    @Test func `a cancelled task starts nothing`() async throws {
        let path = try script("touch \(place / "ran")")
        let gate = Gate()
        let task = Task {
            await gate.pass()
            return try await ProgramOutput.read(path, [], limit: 1)
        }
        task.cancel()
        await gate.open()
        await #expect(throws: ProgramOutput.Problem.cancelled) { try await task.value }
        #expect(!FileManager.default.fileExists(atPath: place / "ran"))
    }

    @Test func `a program is searched in the folders of the path`() throws {
        try FileManager.default.createDirectory(atPath: place / "ffmpeg", withIntermediateDirectories: false)
        _ = try place.write("one/ffmpeg")
        let path = try place.write("two/ffmpeg")
        chmod(path, 0o755)
        let folders = ["relative", "", place.path, place / "one", place / "two"].joined(separator: ":")
        #expect(ProgramOutput.search("ffmpeg", in: folders) == path)
        #expect(ProgramOutput.search("ffmpeg", in: place / "one") == nil)
        #expect(ProgramOutput.search("ffmpeg", in: nil) == nil)
    }
}
