import Foundation
import Glibc
import TestSupport
import Testing

@testable import AlcedoDiskCache

@Suite(.timeLimit(.minutes(1)))
struct PrivateFileTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private func mode(_ path: String) -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func `a missing file is created with mode 0600`() throws {
        try PrivateFile.prepare(place / "file")
        #expect(mode(place / "file") == 0o600)
    }

    @Test func `a file readable by others gets mode 0600 and keeps its content`() throws {
        try Data("x".utf8).write(to: URL(filePath: place / "file"))
        chmod(place / "file", 0o644)
        try PrivateFile.prepare(place / "file")
        #expect(mode(place / "file") == 0o600)
        #expect(try Data(contentsOf: URL(filePath: place / "file")) == Data("x".utf8))
    }

    @Test func `anything but a regular file is refused`() throws {
        mkdir(place / "folder", 0o700)
        mkfifo(place / "pipe", 0o600)
        symlink("/etc/passwd", place / "link")
        for name in ["folder", "pipe", "link"] {
            #expect(throws: PrivateFile.NotAFile.self) { try PrivateFile.prepare(place / name) }
        }
    }
}
