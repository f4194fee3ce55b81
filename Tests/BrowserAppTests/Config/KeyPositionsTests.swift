import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct KeyPositionsTests {
    private func key(_ path: String..., in text: String) -> [Int] {
        let position = KeyPositions(text).key(path)
        return [position.line, position.column]
    }

    private func value(_ path: String..., in text: String) -> [Int] {
        let position = KeyPositions(text).value(of: path)
        return [position.line, position.column]
    }

    @Test func `positions of keys and values are found`() {
        let text = "top = 1\n[a]\n  x = 2\n\n[ b . c ]\r\ny\t=\t3\r\n"
        #expect(key("top", in: text) == [1, 1] && value("top", in: text) == [1, 7])
        #expect(key("a", in: text) == [2, 1] && key("a", "x", in: text) == [3, 3])
        #expect(value("a", "x", in: text) == [3, 7])
        #expect(key("b", in: text) == [5, 1] && key("b", "c", "y", in: text) == [6, 1])
        #expect(value("b", "c", "y", in: text) == [6, 5])
    }

    @Test func `columns count scalars`() { #expect(value("ä", "e\u{301}", in: "\"ä\".'e\u{301}' = 1") == [1, 12]) }

    @Test func `quoted and dotted keys are equal to plain ones`() {
        #expect(key("a", "x", in: "\"a\".'x' = 1") == [1, 1])
        #expect(key("a", "x\"y", in: "[a]\n\"x\\\"y\" = 1") == [2, 1])
    }

    @Test func `a key inside an inline table has the position of the table`() {
        #expect(key("a", "x", in: "b = 1\na = { x = 1 }") == [2, 1])
        #expect(value("a", "x", in: "b = 1\na = { x = 1 }") == [2, 5])
    }

    @Test(arguments: [
        "s = \"\"\"\n[a]\nx = 1\n\"\"\"\n[a]\nx = 2", "s = '''\n[a]\nx = 1\n'''\n[a]\nx = 2",
        "s = [\n['a'],\n[1],\n]\n[a]\nx = 2", "s = '[' # [\nt = \"\\\"[\"\n# \"\"\"\n\n[a]\nx = 2",
        "s = \"\"\"\n\\\"\"\" \n'''\n\"\"\"\"\"\n[a]\nx = 2", "s = '''a'''\nt = \"\"\nu = ''\n# [a]\n[a]\nx = 2",
    ])
    func `text that only looks like a key is ignored`(text: String) {
        #expect(key("a", in: text) == [5, 1])
        #expect(key("a", "x", in: text) == [6, 1])
    }

    @Test func `a repeated table has its first position`() { #expect(key("a", in: "[[a]]\n[[a]]\n") == [1, 1]) }

    @Test func `an unknown key has the position 1:1`() { #expect(key("zzz", in: "a = 1\n") == [1, 1]) }
}
