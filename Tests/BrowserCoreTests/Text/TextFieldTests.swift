import AlcedoScreen
import Testing

@testable import AlcedoBrowserCore

@Suite("The text field", .timeLimit(.minutes(1)))
struct TextFieldTests {
    private func typed(_ text: String, then keys: Key...) -> String {
        var field = TextField()
        field.insert(text)
        for key in keys { _ = field.handle(key) }
        return field.text
    }

    @Test
    func `editing keys change the line`() {
        #expect(typed("ab", then: .character("c")) == "abc")
        #expect(typed("ab夜", then: .backspace) == "ab")
        #expect(typed("one two ", then: .control("w")) == "one ")
        #expect(typed("one two", then: .control("u")) == "")
        #expect(typed("", then: .backspace) == "")
    }

    @Test func `typing replaces a proposed path that was not edited`() {
        func typed(_ path: String, _ keys: Key...) -> String {
            var field = TextField()
            field.insert("export ")
            field.propose(path: path)
            for key in keys { _ = field.handle(key) }
            return field.text
        }
        #expect(typed("a.jpg", .character("/"), .character("/")) == "export //")
        #expect(typed("./", .character("~")) == "export ~")
        #expect(typed("a", .character("b"), .character("/")) == "export ab/")
        #expect(typed("ab", .backspace, .character("/")) == "export a/")
        #expect(typed("", .character("/")) == "export /")
    }

    @Test
    func `pasted text is sanitised and limited`() {
        #expect(typed("a\u{1B}[31m") == "a\u{FFFD}[31m")
        #expect(typed(String(repeating: "x", count: 10_000)).count == TextField.limit)
    }
}
