import Foundation
import TestSupport
import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct FolderWatchTests {
    @Test func `pictures that are written, moved or linked into a folder are reported`() async throws {
        let folder = try TemporaryFolder()
        let old = try folder.write("elsewhere/old.png")
        try folder.write("watched/deep/there.png")
        var found = FolderWatch.changes(in: [folder / "watched"]).makeAsyncIterator()
        // Neither of these is a visible picture.
        try folder.write("watched/notes.txt")
        try folder.write("watched/.hidden.png")

        try folder.write("watched/a.png", [1])
        #expect(await found.next() == .written(folder / "watched/a.png"))
        try FileManager.default.moveItem(atPath: old, toPath: folder / "watched/moved.jpg")
        #expect(await found.next() == .written(folder / "watched/moved.jpg"))
        symlink(folder / "watched/a.png", folder / "watched/link.png")
        #expect(await found.next() == .written(folder / "watched/link.png"))
        try folder.write("watched/README", [1])
        try folder.write("watched/picture", Pictures.bytes())
        #expect(await found.next() == .written(folder / "watched/picture"))
        // A new folder is watched, too, and what is already in it is reported.
        try folder.write("other/new.gif", [1])
        try FileManager.default.moveItem(atPath: folder / "other", toPath: folder / "watched/other")
        #expect(await found.next() == .written(folder / "watched/other/new.gif"))
    }

    @Test func `pictures that are deleted or moved away are reported`() async throws {
        let folder = try TemporaryFolder()
        let (first, second) = (try folder.write("watched/a.png"), try folder.write("watched/b.png"))
        try folder.write("watched/notes.txt")
        var found = FolderWatch.changes(in: [folder / "watched"]).makeAsyncIterator()
        for path in [folder / "watched/notes.txt", first] { try FileManager.default.removeItem(atPath: path) }
        #expect(await found.next() == .removed(first))
        try FileManager.default.moveItem(atPath: second, toPath: folder / "b.png")
        #expect(await found.next() == .removed(second))
    }

    @Test func `a folder that is moved away is reported`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("watched/deep/a.png")
        try folder.write("watched/new/b.png", [1])
        var found = FolderWatch.changes(in: [folder / "watched"]).makeAsyncIterator()
        try FileManager.default.moveItem(atPath: folder / "watched/deep", toPath: folder / "deep")
        #expect(await found.next() == .folderRemoved(folder / "watched/deep"))
    }

    @Test func `without subfolders only what is in the folder itself is reported`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("watched/deep/a.png", [1])
        var found = FolderWatch.changes(in: [folder / "watched"], withSubfolders: false).makeAsyncIterator()
        try folder.write("watched/deep/b.png", [1])
        try folder.write("watched/new/c.png", [1])
        #expect(await found.next() == .folderWritten(folder / "watched/new"))
        try folder.write("watched/d.png", [1])
        #expect(await found.next() == .written(folder / "watched/d.png"))
    }

    /// Returns when a change was reported.
    private func wait(for wanted: FolderWatch.Change, in changes: AsyncStream<FolderWatch.Change>) async {
        for await change in changes where change == wanted { return }
    }

    @Test(arguments: [true, false])
    func `a folder that is deleted and made again is followed`(withSubfolders: Bool) async throws {
        let folder = try TemporaryFolder()
        let path = folder / "up/watched"
        try folder.write("up/watched/a.png", [1])
        let found = FolderWatch.changes(in: [path + "/"], withSubfolders: withSubfolders)
        try FileManager.default.removeItem(atPath: path)
        await wait(for: .folderRemoved(path), in: found)
        try folder.write("up/watched/deep/b.png", [1])
        await wait(
            for: withSubfolders ? .written(path + "/deep/b.png") : .folderWritten(path + "/deep"), in: found)
        try folder.write("up/watched/c.png", [1])
        await wait(for: .written(path + "/c.png"), in: found)
    }

    @Test(arguments: ["up/watched", "up"])
    func `a folder that is moved away and back is followed, also with the folder above it`(moved: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder / "up/watched"
        try folder.write("up/watched/a.png", [1])
        let found = FolderWatch.changes(in: [path], withSubfolders: false)
        try FileManager.default.moveItem(atPath: folder / moved, toPath: folder / "away")
        await wait(for: .folderRemoved(path), in: found)
        // What is written there meanwhile is there when it is back.
        try folder.write(moved == "up" ? "away/watched/b.png" : "away/b.png", [1])
        try FileManager.default.moveItem(atPath: folder / "away", toPath: folder / moved)
        await wait(for: .written(path + "/b.png"), in: found)
        try folder.write("up/watched/c.png", [1])
        await wait(for: .written(path + "/c.png"), in: found)
    }

    @Test func `hidden files are reported only when they are asked for`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("watched/a.png", [1])
        var found = FolderWatch.changes(in: [folder / "watched"]).makeAsyncIterator()
        var all = FolderWatch.changes(in: [folder / "watched"], showsHidden: true).makeAsyncIterator()
        try folder.write("watched/.b.png", [1])
        try folder.write("watched/c.png", [1])
        #expect(await found.next() == .written(folder / "watched/c.png"))
        #expect(await all.next() == .written(folder / "watched/.b.png"))
    }

    @Test func `without folders nothing is watched`() async {
        var found = FolderWatch.changes(in: []).makeAsyncIterator()
        #expect(await found.next() == nil)
    }
}
