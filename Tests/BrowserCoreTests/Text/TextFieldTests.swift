import Testing

@testable import BrowserCore

@Suite("A typed line")
struct TextFieldTests {
    private func typed(_ text: String, then keys: Key...) -> String {
        var field = TextField()
        field.insert(text)
        for key in keys { _ = field.take(key) }
        return field.text
    }

    @Test("Editing keys")
    func editing() {
        #expect(typed("ab", then: .character("c")) == "abc")
        #expect(typed("ab夜", then: .backspace) == "ab")
        #expect(typed("one two ", then: .control("w")) == "one ")
        #expect(typed("one two", then: .control("u")) == "")
        #expect(typed("", then: .backspace) == "")
    }

    @Test("What is pasted is sanitised and bounded")
    func paste() {
        #expect(typed("a\u{1B}[31m") == "a\u{FFFD}[31m")
        #expect(typed(String(repeating: "x", count: 10_000)).count == TextField.limit)
    }
}
