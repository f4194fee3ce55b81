import AlcedoSupport
import Glibc
import TestSupport
import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct FolderWalkTests {
    private func file(_ name: String) -> FolderItem { FolderItem(name: name, kind: .file) }

    private func folder(_ name: String, _ inode: UInt64) -> FolderItem {
        FolderItem(name: name, kind: .folder(FolderIdentity(device: 1, inode: inode)))
    }

    private func walk(
        _ tree: [String: [FolderItem]], isFlat: Bool = true, showsHidden: Bool = false
    ) throws -> [ListEvent] {
        let listing = FolderListing(
            items: { path throws(ListError) in
                if let items = tree[path] { return items }
                throw .unreadable(file: path, line: nil, reason: "Permission denied")
            },
            kind: { _ in .folder(FolderIdentity(device: 1, inode: 1)) }, isPicture: { $0.contains("picture") })
        var walk = FolderWalk(root: "/p/", isFlat: isFlat, showsHidden: showsHidden, listing: listing)
        var events: [ListEvent] = []
        while let more = try walk.next() { events += more }
        return events
    }

    private func paths(_ events: [ListEvent]) -> [String] {
        events.compactMap { if case .entry(let entry) = $0 { entry.location } else { nil } }
    }

    @Test func `pictures come in natural order, followed by subfolders`() throws {
        let events = try walk([
            "/p": [folder("b", 3), file("10.png"), file("9.JPG"), file("notes.txt"), folder("a", 2), file(".x.png")],
            "/p/a": [file("z.gif")], "/p/b": [file("y.webp")],
        ])
        #expect(paths(events) == ["/p/9.JPG", "/p/10.png", "/p/a/z.gif", "/p/b/y.webp"])
    }

    @Test func `a folder that is not flat begins with its subfolders, whose pictures are not listed`() throws {
        let tree = [
            "/p": [file("1.png"), folder("b10", 3), folder("b9", 2), folder(".git", 4), file("picture")],
            "/p/b9": [file("z.gif")],
        ]
        let events = try walk(tree, isFlat: false)
        #expect(paths(events) == ["/p/b9", "/p/b10", "/p/1.png", "/p/picture"])
        let kinds = events.compactMap { if case .entry(let entry) = $0 { entry.kind } else { nil } }
        #expect(kinds == [.folder, .folder, .picture, .picture])
    }

    @Test func `hidden files and folders are listed when they are asked for`() throws {
        let other = [FolderItem(name: ".", kind: .other), FolderItem(name: "..", kind: .other)]
        let tree = [
            "/p": [file(".a.png"), file("b.png"), folder(".git", 2), file(".profile")] + other,
            "/p/.git": [file("c.png")],
        ]
        #expect(paths(try walk(tree)) == ["/p/b.png"])
        #expect(paths(try walk(tree, showsHidden: true)) == ["/p/.a.png", "/p/b.png", "/p/.git/c.png"])
        #expect(paths(try walk(tree, isFlat: false, showsHidden: true)) == ["/p/.git", "/p/.a.png", "/p/b.png"])
    }

    @Test func `hidden folders of the file system are known as such, but not the folder itself and its parent`() throws
    {
        let place = try TemporaryFolder()
        for name in [".x.png", ".deep/a.png"] { try place.write(name, [1]) }
        var walk = FolderWalk(root: place.path, isFlat: false, showsHidden: true)
        #expect(paths(try walk.next() ?? []) == [place / ".deep", place / ".x.png"])
        let summary = try FolderSummary(of: place.path, first: 1, showsHidden: true)
        #expect(summary.pictures == 1 && summary.folders == 1)
    }

    @Test func `the summary of a folder counts its own pictures and names the first`() throws {
        let place = try TemporaryFolder()
        for name in ["10.png", "9.png", "notes.txt", ".x.png", "deep/a.png"] { try place.write(name, [1, 2, 3]) }
        let summary = try FolderSummary(of: place.path, first: 1)
        #expect(summary.pictures == 2 && summary.folders == 1 && summary.bytes == 6 && summary.newest != nil)
        #expect(summary.first == [place / "9.png"])
        #expect(try FolderSummary(of: place.path, first: 0).first.isEmpty)
        #expect(throws: ListError.self) { try FolderSummary(of: place / "none", first: 1) }
    }

    @Test func `files without an extension that begin like a picture come last`() throws {
        let events = try walk([
            "/p": [file("README"), file("picture"), folder("a", 2), file("1.png"), file("picture.txt")],
            "/p/a": [file("picture-2"), file(".picture"), file("2.png")],
        ])
        #expect(paths(events) == ["/p/1.png", "/p/a/2.png", "/p/picture", "/p/a/picture-2"])
    }

    @Test func `a thousand files without an extension are all looked at`() throws {
        let files = (0..<1_000).map { file("picture-\($0)") }
        #expect(paths(try walk(["/p": files + [file("1.png")]])).count == 1_001)
    }

    @Test func `a file's first bytes tell a picture, not a text or a program`() throws {
        let place = try TemporaryFolder()
        try place.write("a1b2c3", Pictures.bytes())
        try place.write("README", Array("read me first, then GIF89a".utf8))
        try place.write("program", [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0] + [UInt8](repeating: 0, count: 60))
        try place.write("empty")
        var (walk, found) = (FolderWalk(root: place.path), [String]())
        while let events = try walk.next() { found += paths(events) }
        #expect(found == [place.path.inFolder("a1b2c3")])
    }

    @Test func `a folder reached twice is read once and loops end`() throws {
        let events = try walk([
            "/p": [folder("a", 2), folder("again", 2), folder("self", 1)],
            "/p/a": [file("1.png"), folder("up", 1)],
        ])
        #expect(paths(events) == ["/p/a/1.png"])
    }

    @Test func `an unreadable subfolder is reported and the others are read`() throws {
        let events = try walk(["/p": [folder("a", 2), folder("b", 3)], "/p/b": [file("1.png")]])
        #expect(events.first == .rejected(line: 0, reason: "/p/a: cannot be read: Permission denied"))
        #expect(events.last == .entry(ListEntry(line: 1, location: "/p/b/1.png")))
    }

    @Test func `pictures and folders whose names are not UTF-8 are listed by their bytes`() throws {
        let place = try TemporaryFolder()
        let folder = String(pathBytes: Array(place.path.utf8) + [0x2F, 0xE9])
        let file = folder + String(pathBytes: [0x2F, 0x61, 0xFF] + Array(".png".utf8))
        #expect(folder.withPath { mkdir($0, 0o700) } == 0)
        let made = file.withPath { open($0, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600) }
        #expect(made >= 0)
        close(made)
        var walk = FolderWalk(root: place.path)
        #expect(try walk.next() == [])
        #expect(try walk.next() == [.entry(ListEntry(line: 1, location: file))])
    }

    @Test func `an unreadable root folder is an error`() {
        #expect(throws: ListError.unreadable(file: "/p", line: nil, reason: "Permission denied")) { try walk([:]) }
    }
}
