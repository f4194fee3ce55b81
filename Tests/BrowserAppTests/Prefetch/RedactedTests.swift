import Testing

@testable import BrowserApp

@Suite struct RedactedTests {
    @Test func addressesLoseTheirSecretsAndPathsStayAsTheyAre() {
        #expect(Redacted.text("https://user:hush@host/a?token=hush&w=3") == "https://host/a?token=…&w=3")
        #expect(Redacted.text("/home/user:x@y/list?token=1") == "/home/user:x@y/list?token=1")
        #expect(Redacted.text("-") == "-")
    }

    @Test func aRejectionNamesItsListAndLine() {
        let text = Redacted.rejection(3, of: "https://host/list?key=hush", reason: "no address")
        #expect(text == "https://host/list?key=…: line 3: no address")
    }

    @Test func aListThatCannotBeReadHasNoLine() {
        #expect(Redacted.rejection(0, of: "list.txt", reason: "cannot read list.txt") == "cannot read list.txt")
    }
}
