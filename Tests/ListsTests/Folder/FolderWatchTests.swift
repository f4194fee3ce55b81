import Foundation
import TestSupport
import Testing

@testable import Lists

@Suite(.timeLimit(.minutes(1))) struct FolderWatchTests {
    @Test func `pictures that are written, moved or linked into a folder are reported`() async throws {
        let folder = try TemporaryFolder()
        let old = try folder.write("elsewhere/old.png")
        try folder.write("watched/deep/there.png")
        var found = FolderWatch.newPictures(in: [folder / "watched"]).makeAsyncIterator()
        // Neither of these is a visible picture.
        try folder.write("watched/notes.txt")
        try folder.write("watched/.hidden.png")

        try folder.write("watched/a.png", [1])
        #expect(await found.next().map { $0.hasSuffix("watched/a.png") } == true)
        try FileManager.default.moveItem(atPath: old, toPath: folder / "watched/moved.jpg")
        #expect(await found.next() == folder / "watched/moved.jpg")
        symlink(folder / "watched/a.png", folder / "watched/link.png")
        #expect(await found.next() == folder / "watched/link.png")
        // A new folder is watched, too, and what is already in it is reported.
        try folder.write("other/new.gif", [1])
        try FileManager.default.moveItem(atPath: folder / "other", toPath: folder / "watched/other")
        #expect(await found.next()?.hasSuffix("other/new.gif") == true)
    }

    @Test func `without a folder nothing is watched`() async {
        var found = FolderWatch.newPictures(in: []).makeAsyncIterator()
        #expect(await found.next() == nil)
    }
}
