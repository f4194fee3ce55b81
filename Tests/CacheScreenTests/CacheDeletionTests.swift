import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoCacheScreen

/// The sheet that asks before entries are deleted.
@Suite(.timeLimit(.minutes(1))) struct CacheDeletionTests {
    @Test func `d asks in a sheet with the addresses, y deletes`() throws {
        var screen = InspectionScreen.filled(columns: 100, rows: 24)
        screen.press(.character(" "), .character(" "), .character("d"))
        #expect(screen.effects == [.measure(.entries(["key-0", "key-1"]))])
        #expect(try Golden.mismatch(of: screen.frame.text, with: "question") == nil)
        #expect(screen.frame[3, screen.state.layout.sheet.row].style == .failure)
        screen.press(.character("y"))
        #expect(screen.effects == [.delete(.entries(["key-0", "key-1"]))])
        #expect(screen.state.marks.isEmpty && screen.state.focus == .table && screen.question.isEmpty)
        screen.send(.changed("deleted 2 entries, 371 KiB"))
        #expect(screen.query != nil && screen.frame.text.contains("deleted 2 entries, 371 KiB"))
        screen.press(.character("d"), .character("y"))
        #expect(screen.effects == [.measure(.entries(["key-2"])), .delete(.entries(["key-2"]))])
    }

    @Test(arguments: [
        Key.enter, .character("d"), .character("n"), .character("q"), .character("x"), .character(" "), .down,
    ])
    func `another key leaves the question open and says which keys answer`(key: Key) {
        var screen = InspectionScreen.filled()
        screen.press(.character("d"))
        let question = screen.question
        screen.press(key)
        #expect(screen.effects.isEmpty && screen.question == question)
        #expect(screen.frame.row(28).contains("y deletes, Esc keeps"))
        screen.press(.escape)
        #expect(screen.effects.isEmpty && screen.question.isEmpty && screen.state.focus == .table)
        #expect(screen.frame.row(28).contains("nothing was deleted"))
    }

    @Test func `keys that come like pasted text do not delete`() {
        var screen = InspectionScreen.filled()
        screen.press(.character("d"))
        screen.send(.keysTogether(true))
        screen.press(.character("d"), .character("y"))
        #expect(screen.effects.isEmpty && !screen.question.isEmpty)
        screen.send(.keysTogether(false))
        screen.press(.character("y"))
        #expect(screen.effects == [.delete(.entries(["key-0"]))])
    }

    @Test func `the question says what other entries share`() {
        var screen = InspectionScreen.filled()
        screen.press(.character(" "), .character(" "), .character("d"))
        // The answer to another question
        screen.send(.measured(.entries(["key-1"]), entries: 1, bytes: 7))
        screen.send(.measured(.entries(["key-0", "key-1"]), entries: 2, bytes: 380_224))
        #expect(screen.question.first == "delete 2 entries, 371 KiB?" && screen.question.count == 3)
        screen.send(.measured(.entries(["key-0", "key-1"]), entries: 2, bytes: 90_112))
        #expect(screen.question.last == "other entries share some of these bytes: frees 88 KiB")
        screen.send(.measured(.entries(["key-0", "key-1"]), entries: 2, bytes: 0))
        #expect(screen.question.last == "other entries share these bytes: frees 0 B")
        #expect(screen.question.first == "delete 2 entries, 371 KiB?")
    }

    @Test func `the question tells how many of the entries are pinned`() {
        var screen = InspectionScreen.filled()
        screen.press(.down, .down, .character("d"))
        #expect(screen.question.last == "it is pinned")
        screen.press(.escape, .character(" "), .character(" "), .character("d"))
        #expect(screen.question.first == "delete 2 entries, 1.1 MiB?")
        #expect(screen.question.last == "1 of them is pinned")
    }

    @Test func `a question about many entries lists the first and counts the others; the cursor's row stays visible`() {
        var screen = InspectionScreen.filled(columns: 60, rows: 20)
        for _ in 0..<14 { screen.press(.character(" ")) }
        screen.press(.character("d"))
        #expect(screen.question.count == 10 && screen.question.first == "delete 14 entries, 19 MiB?")
        #expect(screen.question.suffix(2) == ["7 others", "3 of them are pinned"])
        #expect(screen.question[1].hasPrefix("https://cdn.example.net/2026/poster.png"))
        let cursor = screen.state.layout.table.row + screen.state.viewport.cursor - screen.state.viewport.top
        #expect(cursor < screen.state.layout.sheet.row)
    }

    @Test func `the question stands in place of the details, which come back`() throws {
        var screen = InspectionScreen.filled(columns: 100, rows: 34)
        screen.press(.character("i"))
        let request = try #require(screen.detailRequest)
        screen.send(.details(request, InspectionScreen.details))
        screen.send(.preview(request, CachePreview(picture: PictureID(7), size: PixelSize(width: 100, height: 80))))
        let before = screen.frame
        screen.press(.character("d"))
        #expect(!screen.frame.text.contains("sha256") && screen.frame.pictures.isEmpty)
        screen.press(.escape)
        #expect(screen.effects.isEmpty && screen.frame.pictures == before.pictures)
        #expect(screen.frame.text.contains("sha256"))
    }

    @Test(arguments: [(30, 10), (20, 8), (40, 5), (24, 3), (80, 2)])
    func `a small screen shows the number of entries and what is deleted`(columns: Int, rows: Int) {
        var screen = InspectionScreen.filled(columns: columns, rows: rows)
        screen.press(.character("d"))
        #expect(screen.frame.text.contains("delete 1"))
        screen.press(.character("y"))
        #expect(screen.effects == [.delete(.entries(["key-0"]))])
    }
}
