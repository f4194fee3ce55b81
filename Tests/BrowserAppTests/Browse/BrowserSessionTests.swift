import AlcedoBrowserCore
import Foundation
import ImageLoading
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct BrowserSessionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ lists: [String] = ["l.txt"]) throws -> SessionFile {
        try #require(SessionFile(folder: folder / "sessions", lists: lists, workingFolder: "/home/me"))
    }

    private var session: BrowserSession {
        var session = BrowserSession()
        session.filter = "w<200 | !a b"
        session.columns = 5
        session.selected = BrowserSession.hash("https://h/b.jpg")
        session.marks = [BrowserSession.hash("https://h/a.jpg"), .max, 0]
        return session
    }

    @Test func `a stored session is loaded again, and its file contains no address`() throws {
        try file().store(session)
        #expect(try file().load() == session)
        let text = try folder.read(folder.files()[0])
        #expect(!text.contains("https") && !text.contains("jpg"))
        let mode = try FileManager.default.attributesOfItem(atPath: folder / folder.files()[0])[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test(arguments: ["0", "-3", "101", "x"]) func `a number of columns that no grid has is ignored`(number: String) {
        #expect(BrowserSession(text: "alcedo-session 1\ncolumns \(number)\n")?.columns == nil)
    }

    @Test func `storing an empty session removes the file`() throws {
        try file().store(session)
        try file().store(BrowserSession())
        #expect(folder.files().isEmpty)
        #expect(try file().load().isEmpty)
    }

    @Test func `different lists have different session files, and standard input has none`() throws {
        try file(["/home/me/x/../l.txt", "https://h/l"]).store(session)
        #expect(try file().load().isEmpty)
        try file(["l.txt"]).store(session)
        #expect(try file(["./l.txt"]).load() == session)
        #expect(SessionFile(folder: folder.path, lists: ["a", "-"]) == nil)
        #expect(SessionFile(folder: nil, lists: ["a"]) == nil)
        #expect(SessionFile(folder: folder.path, lists: ["/dev/null"]) == nil)
    }

    @Test(arguments: ["", "alcedo-session 2\nfilter a\n", "filter a", "\u{0}\u{1}"])
    func `a damaged file is ignored`(text: String) throws {
        #expect(BrowserSession(text: text) == nil)
    }

    @Test func `unknown and damaged lines are skipped`() throws {
        let session = try #require(BrowserSession(text: "alcedo-session 1\nmark xyz\nnew thing\nmark ff\nselected\n\n"))
        #expect(session.marks == [255] && session.selected == nil && session.filter.isEmpty)
    }

    @Test func `only the most recent session files are kept`() throws {
        for number in 0..<SessionFile.fileLimit + 5 { try folder.write("sessions/old\(number)") }
        try file().store(session)
        #expect(folder.files().count == SessionFile.fileLimit)
        #expect(try file().load() == session)
    }

    @Test @MainActor func `the stored marks and position are restored while the list is read`() async throws {
        let list = try folder.write("l.txt", Array("https://h/a.jpg\nHTTPS://H/b.jpg\nhttps://h/c.jpg\n".utf8))
        let inbox = Inbox<BrowseMessage>()
        let listLoader = BrowserListLoader(lists: [list], session: session, inbox: inbox)
        await listLoader.read { _ throws(ImageError) in throw .cancelled }
        let messages = inbox.drain()
        #expect(messages.contains(.sessionFound(filter: "w<200 | !a b", marks: 3, columns: 5)))
        // Items may arrive in several batches.
        let found = messages.compactMap { message -> (marked: [ItemID], selected: ItemID?)? in
            if case .sessionItems(let marked, let selected) = message { (marked, selected) } else { nil }
        }
        #expect(found.flatMap(\.marked) == [ItemID(0)] && found.compactMap(\.selected) == [ItemID(1)])

        // The marks that the list no longer has are kept, in case they come back.
        var state = BrowseState(title: "", options: BrowseOptions())
        for message in messages { _ = state.update(message) }
        #expect(state.marked == [ItemID(0)])
        #expect(listLoader.session(of: state) == session)
    }
}
