import TestSupport
import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct ArchiveFolderTests {
    private let files = [
        ("p/10.jpg", nil), ("p/2.jpg", nil), ("notes.txt", nil), ("__MACOSX/._1.jpg", nil), (".x/1.jpg", nil),
        ("1.png", "it is encrypted"),
    ]

    @Test func `the pictures of an archive are listed in stored order or in folder order`() {
        let rejected = { ListEvent.rejected(line: $0, reason: "1.png: it is encrypted") }
        #expect(
            ArchiveFolder.events(of: files, in: "/a.zip", .stored) == [
                .entry(ListEntry(line: 1, location: "/a.zip/p/10.jpg")),
                .entry(ListEntry(line: 2, location: "/a.zip/p/2.jpg")), rejected(3),
            ])
        #expect(
            ArchiveFolder.events(of: files, in: "/a.zip", .natural) == [
                rejected(1), .entry(ListEntry(line: 2, location: "/a.zip/p/2.jpg")),
                .entry(ListEntry(line: 3, location: "/a.zip/p/10.jpg")),
            ])
    }

    @Test(arguments: ["book.cbz", "x.TAR.GZ", "shard-000.tar", "a.7z", "a.cbr", "a.tar.zst"])
    func `an archive is recognised by its name`(name: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(name, Array("anything".utf8))
        #expect(try ListSource.detect(path) == .archive(path))
    }

    @Test(arguments: [ArchiveFiles.tar([("a", [1])]), ArchiveFiles.zip([("a", [1])])])
    func `an archive is recognised by its content`(bytes: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("unnamed", bytes)
        #expect(try ListSource.detect(path) == .archive(path))
    }
}
