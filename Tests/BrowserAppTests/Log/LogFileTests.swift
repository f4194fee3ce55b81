import Foundation
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

/// The file that the log goes to.
@Suite(.timeLimit(.minutes(1)))
struct LogFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder / "state/alcedo.log" }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ texts: [String], limit: Int = 1 << 20) async {
        let log = LogFile(path: path, limit: limit)
        for text in texts { log.append(LogLine(severity: .info, text: text)) }
        await log.close()
    }

    private func texts(_ path: String) -> [Substring] {
        let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n") ?? []
        return lines.map { $0.split(separator: " ", maxSplits: 3)[3] }
    }

    @Test func `lines of several runs stand one after the other`() async throws {
        // When
        await write(["first", "second"])
        await write(["third"])

        // Then
        #expect(texts(path) == ["first", "second", "third"])
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a full log file is rotated and one older file is kept`() async {
        // When
        await write((1...5).map { "line \($0)" }, limit: 80)

        // Then
        #expect(texts(path) == ["line 5"])
        #expect(texts(path + ".1") == ["line 3", "line 4"])
    }

    @Test func `a log that cannot be written is ignored`() async throws {
        // Given
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)

        // When
        await write(["lost"])

        // Then
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
    }

    @Test func `a symbolic link in place of the log file is not followed`() async throws {
        // Given
        let target = folder / "precious"
        try Data("kept".utf8).write(to: URL(filePath: target))
        try FileManager.default.createDirectory(atPath: folder / "state", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)

        // When
        await write(["not there"])

        // Then
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "kept")
    }
}
