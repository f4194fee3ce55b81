import Testing

@testable import Lists

@Suite struct FolderWalkTests {
    private func file(_ name: String) -> FolderItem { FolderItem(name: name, kind: .file) }

    private func folder(_ name: String, _ inode: UInt64) -> FolderItem {
        FolderItem(name: name, kind: .folder(FolderIdentity(device: 1, inode: inode)))
    }

    private func walk(_ tree: [String: [FolderItem]]) throws -> [ListEvent] {
        let listing = FolderListing(
            items: { path throws(ListError) in
                if let items = tree[path] { return items }
                throw .unreadable(file: path, line: nil, reason: "Permission denied")
            },
            kind: { _ in .folder(FolderIdentity(device: 1, inode: 1)) })
        var walk = FolderWalk(root: "/p/", listing: listing)
        var events: [ListEvent] = []
        while let more = try walk.next() { events += more }
        return events
    }

    private func paths(_ events: [ListEvent]) -> [String] {
        events.compactMap { if case .entry(let entry) = $0 { entry.location } else { nil } }
    }

    @Test func picturesComeInNaturalOrderAndSubfoldersAfterThem() throws {
        let events = try walk([
            "/p": [folder("b", 3), file("10.png"), file("9.JPG"), file("notes.txt"), folder("a", 2), file(".x.png")],
            "/p/a": [file("z.gif")], "/p/b": [file("y.webp")],
        ])
        #expect(paths(events) == ["/p/9.JPG", "/p/10.png", "/p/a/z.gif", "/p/b/y.webp"])
    }

    @Test func folderReachedTwiceIsReadOnceAndLoopsEnd() throws {
        let events = try walk([
            "/p": [folder("a", 2), folder("again", 2), folder("self", 1)],
            "/p/a": [file("1.png"), folder("up", 1)],
        ])
        #expect(paths(events) == ["/p/a/1.png"])
    }

    @Test func unreadableSubfolderIsRejectedAndTheRestIsRead() throws {
        let events = try walk(["/p": [folder("a", 2), folder("b", 3)], "/p/b": [file("1.png")]])
        #expect(events.first == .rejected(line: 1, reason: "/p/a: cannot be read: Permission denied"))
        #expect(events.last == .entry(ListEntry(line: 2, location: "/p/b/1.png")))
    }

    @Test func unreadableFirstFolderIsAnError() {
        #expect(throws: ListError.unreadable(file: "/p", line: nil, reason: "Permission denied")) { try walk([:]) }
    }
}
