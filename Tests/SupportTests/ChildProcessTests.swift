import AlcedoSupport
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ChildProcessTests {
    /// Returns what a shell script writes, and its status.
    private func run(
        _ script: String, _ arguments: [String] = [], environment: [String: String]? = nil
    ) async throws -> (output: [UInt8], status: Int32) {
        let reading: OpenFile
        let process: ChildProcess
        do {
            let pipe = try OpenFile.pipe()
            reading = pipe.reading
            process = try ChildProcess(
                "/bin/sh", ["-c", script, "sh"] + arguments, environment: environment, output: pipe.writing.descriptor)
        }
        return (Array(try reading.readToEnd()), await process.status())
    }

    @Test func `a program gets its arguments as bytes`() async throws {
        let name = String(pathBytes: [0x61, 0xFF, 0x0A])
        let result = try await run("printf '%s' \"$1\"", [name])
        #expect(result.output == [0x61, 0xFF, 0x0A] && result.status == 0)
    }

    @Test func `its status is that of a shell`() async throws {
        #expect(try await run("exit 7").status == 7)
        #expect(try await run("kill -9 $$").status == 137)
    }

    @Test func `it has the given variables, no input and no other files`() async throws {
        let file = try OpenFile(reading: "/etc/hostname")
        let script =
            "echo \"$A\"; cat; ls /proc/self/fd | wc -l; test -e /proc/self/fd/\(file.descriptor) || echo closed"
        let result = try await run(script, environment: ["A": "1", "PATH": "/usr/bin:/bin"])
        // The fourth is the folder that ls reads.
        let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
        #expect(lines.first == "1" && lines.dropFirst().first == "4")
        #expect(file.descriptor <= 3 || lines.last == "closed")
    }

    @Test func `it leads a group of its own, and dies with its children when it is killed`() async throws {
        let pipe = try OpenFile.pipe()
        let process = try ChildProcess(
            "/bin/sh", ["-c", "sleep 1000 & echo $$; wait"], output: pipe.writing.descriptor)
        let text = String(decoding: try pipe.reading.read(upTo: 100), as: UTF8.self)
        let leader = try #require(pid_t(text.split(separator: "\n").first ?? ""))
        #expect(getpgid(leader) == leader)
        process.kill()
        #expect(await process.status() == 137)
        // Nothing is killed any more, and the status stays.
        process.kill()
        #expect(await process.status() == 137)
    }

    @Test func `a program that is not there is an error with the system's reason`() {
        #expect(throws: SystemError(ENOENT)) { try ChildProcess("/no/such/program", []) }
        #expect(SystemError(ENOENT).description == "no such file or directory")
    }

    @Test func `a file is read up to a limit and written whole`() throws {
        let folder = try TemporaryFolder()
        let path = folder / "a"
        let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        try OpenFile(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)).write(bytes)
        #expect(try OpenFile(reading: path).readToEnd() == bytes)
        #expect(try OpenFile(reading: path).readToEnd(limit: 70_000) == bytes.prefix(70_000))
        #expect(throws: SystemError(EISDIR)) { try OpenFile(reading: "/").readToEnd() }
        #expect(throws: SystemError(ENOENT)) { try OpenFile(reading: path + "-") }
    }
}
