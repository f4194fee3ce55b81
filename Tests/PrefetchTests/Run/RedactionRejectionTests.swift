import AlcedoLists
import AlcedoSupport
import ImageLoading
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct RedactionRejectionTests {
    @Test func `secrets of addresses are hidden and paths are unchanged`() {
        #expect(Redaction.display("https://user:hush@host/a?token=hush&w=3") == "https://host/a?token=…&w=3")
        #expect(Redaction.display("/home/user:x@y/list?token=1") == "/home/user:x@y/list?token=1")
        #expect(Redaction.display("-") == "-")
    }

    @Test func `a rejection names its list and line`() {
        let text = Redaction.rejection(3, of: "https://host/list?key=hush", reason: "no address")
        #expect(text == "https://host/list?key=…: line 3: no address")
    }

    @Test func `a list that cannot be read is reported without a line number`() {
        #expect(Redaction.rejection(0, of: "list.txt", reason: "cannot read list.txt") == "cannot read list.txt")
    }
}
