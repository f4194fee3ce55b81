import Foundation
import Glibc
import TestSupport
import Testing

@testable import AlcedoFileOperations

@Suite(.timeLimit(.minutes(1))) struct FileLinkTests {
    private let place: TemporaryFolder
    private let files: FileOperator

    init() throws {
        place = try TemporaryFolder()
        files = FileOperator(trashFolder: place / "Trash")
    }

    private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: place / name)) }

    @Test(arguments: FileLink.allCases) func `a file with the same bytes becomes a link, or stays as it is`(
        link: FileLink
    ) throws {
        let (kept, other) = (try place.write("a.jpg", [1, 2]), try place.write("b/b.jpg", [1, 2]))
        let outcome = files.link([(other, kept)], as: link)
        #expect(try bytes("a.jpg") == Data([1, 2]) && bytes("b/b.jpg") == Data([1, 2]))
        #expect(place.files().filter { $0.contains(".alcedo") }.isEmpty)
        let (first, second) = (FileStep.status(kept), FileStep.status(other, followsLink: false))
        switch link {
        case .hard: #expect(first?.st_ino == second?.st_ino && outcome.failures.isEmpty)
        case .sym: #expect(second.map { $0.st_mode & S_IFMT } == S_IFLNK && outcome.failures.isEmpty)
        // Most file systems have none.
        case .reflink: #expect(outcome.failures.allSatisfy { $0.reason == "its file system has no reflinks" })
        }
    }

    @Test func `a file with other bytes stays`() throws {
        let (kept, other) = (try place.write("a.jpg", [1, 2]), try place.write("b.jpg", [1, 3]))
        let longer = try place.write("c.jpg", [1, 2, 3])
        let outcome = files.link([(other, kept), (longer, kept)], as: .hard)
        #expect(outcome.failures.map(\.reason) == ["its bytes differ", "its bytes differ"])
        #expect(try bytes("b.jpg") == Data([1, 3]) && bytes("c.jpg") == Data([1, 2, 3]))
    }

    @Test func `links and files that are one already are no loss`() throws {
        let kept = try place.write("a.jpg", [1, 2])
        symlink(kept, place / "link.jpg")
        Glibc.link(kept, place / "twin.jpg")
        let outcome = files.link([(place / "link.jpg", kept), (place / "twin.jpg", kept)], as: .hard)
        #expect(outcome.failures.map(\.reason) == ["it is no file"] && outcome.changes.count == 1)
        let symbolic = files.link([(place / "twin.jpg", kept)], as: .sym)
        #expect(symbolic.failures.count == 1)
        #expect(try bytes("link.jpg") == Data([1, 2]) && bytes("twin.jpg") == Data([1, 2]))
    }

    @Test func `a file that is gone is a failure`() throws {
        let kept = try place.write("a.jpg", [1])
        #expect(files.link([(place / "none.jpg", kept)], as: .hard).failures.count == 1)
        #expect(files.link([(kept, place / "none.jpg")], as: .hard).failures.count == 1)
        #expect(try bytes("a.jpg") == Data([1]))
    }
}
