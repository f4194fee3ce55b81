import Lists
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct ListEventPicturesTests {
    @Test func `the name of a list is rejected with its line`() {
        var entry = ListEntry(line: 7, location: "https://host/more.xml")
        entry.kind = .list
        let reason = "a list in a list; give it as a source of its own"
        #expect(ListEvent.entry(entry).picturesOnly == .rejected(line: 7, reason: reason))
        #expect(ListEvent.entry(entry).listInList == reason)
    }

    @Test func `everything else stays as it is`() {
        let picture = ListEvent.entry(ListEntry(line: 1, location: "https://host/a.png"))
        let rejected = ListEvent.rejected(line: 2, reason: "odd")
        #expect(picture.picturesOnly == picture && picture.listInList == nil)
        #expect(rejected.picturesOnly == rejected && rejected.listInList == nil)
    }
}
