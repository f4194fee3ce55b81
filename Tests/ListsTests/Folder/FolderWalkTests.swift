import Glibc
import TestSupport
import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct FolderWalkTests {
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

    @Test func `pictures come in natural order, followed by subfolders`() throws {
        let events = try walk([
            "/p": [folder("b", 3), file("10.png"), file("9.JPG"), file("notes.txt"), folder("a", 2), file(".x.png")],
            "/p/a": [file("z.gif")], "/p/b": [file("y.webp")],
        ])
        #expect(paths(events) == ["/p/9.JPG", "/p/10.png", "/p/a/z.gif", "/p/b/y.webp"])
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
        #expect(events.first == .rejected(line: 1, reason: "/p/a: cannot be read: Permission denied"))
        #expect(events.last == .entry(ListEntry(line: 2, location: "/p/b/1.png")))
    }

    @Test func `a picture with a name that is not UTF-8 is rejected`() throws {
        let place = try TemporaryFolder()
        let name = [UInt8](place.path.utf8) + [0x2F, 0x61, 0xFF] + [UInt8](".png".utf8) + [0]
        let made = name.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { open($0.baseAddress!, O_CREAT | O_WRONLY, 0o600) }
        }
        #expect(made >= 0)
        close(made)
        var walk = FolderWalk(root: place.path)
        let reason = "a picture in \(place.path) whose name is not UTF-8"
        #expect(try walk.next() == [.rejected(line: 1, reason: reason)])
    }

    @Test func `an unreadable root folder is an error`() {
        #expect(throws: ListError.unreadable(file: "/p", line: nil, reason: "Permission denied")) { try walk([:]) }
    }
}
