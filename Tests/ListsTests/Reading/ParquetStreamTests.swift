import Foundation
import TestSupport
import Testing

@testable import AlcedoLists

/// The rows of Parquet files, with a program in place of Python; `Tests/Cluster` reads real ones.
@Suite(.timeLimit(.minutes(1))) struct ParquetStreamTests {
    private let place: TemporaryFolder
    private let file: String

    init() throws {
        place = try TemporaryFolder()
        file = place / "list.parquet"
        try Data("PAR1".utf8 + [0x15, 0x04] + "PAR1".utf8).write(to: URL(filePath: file))
    }

    /// Returns a folder with a program `python3`.
    ///
    /// Another process writes it: a file that a fork of this one has open for writing cannot be run.
    private func python(_ script: String) throws -> String {
        let writer = Process()
        writer.executableURL = URL(filePath: "/bin/sh")
        writer.arguments = [
            "-c", "printf '#!/bin/sh\n%s\n' \"$1\" > \"$0\" && chmod 755 \"$0\"", place / "python3", script,
        ]
        try writer.run()
        writer.waitUntilExit()
        return place.path
    }

    @Test func `a program that cannot be started is named, and is no lack of one`() async throws {
        try "no program".write(toFile: place / "python3", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place / "python3")
        let error = await #expect(throws: ListError.self) { try await text(place.path) }
        #expect("\(try #require(error))".contains("python3 cannot be started: "))
    }

    private func text(_ folders: String) async throws(ListError) -> String {
        guard let stream = try ParquetStream(path: file, folders: folders) else { return "no Parquet" }
        var bytes: [UInt8] = []
        while true {
            let more = try await stream.read(line: 0)
            if more.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += more
        }
    }

    @Test func `the program gets the file and writes the rows`() async throws {
        let folders = try python("[ \"$1\" = -c ] && head -c 4 && echo && echo '{\"url\": \"http://a/1\"}'")
        #expect(try await text("relative:\(folders)") == "PAR1\n{\"url\": \"http://a/1\"}\n")
    }

    @Test func `without Python, and without pyarrow, the file is refused by name`() async throws {
        let refusal = ListError.notAList(file: file, line: nil, reason: ListFormat.parquet)
        await #expect(throws: refusal) { try await text(place / "nothing") }
        let folders = try python("exit 3")
        await #expect(throws: refusal) { try await text(folders) }
    }

    @Test func `an error of the program follows the rows before it`() async throws {
        let folders = try python("echo 1; echo 'ArrowInvalid: no footer' >&2; exit 4")
        let stream = try #require(try ParquetStream(path: file, folders: folders))
        #expect(try await stream.read(line: 0) == Array("1\n".utf8))
        let error = ListError.unreadable(file: file, line: 7, reason: "pyarrow: ArrowInvalid: no footer\n")
        await #expect(throws: error) { try await stream.read(line: 7) }
    }

    @Test func `a program that is killed is not called a damaged file`() async throws {
        let folders = try python("kill -9 $$")
        let error = ListError.unreadable(file: file, line: nil, reason: "pyarrow: python3 was ended from outside")
        await #expect(throws: error) { try await text(folders) }
    }

    @Test(arguments: ["PAR1/1.jpg\n", "", "PAR"]) func `other files are not for it`(content: String) throws {
        try Data(content.utf8).write(to: URL(filePath: file))
        #expect(try ParquetStream(path: file, folders: "").map(\.name) == nil)
    }
}
