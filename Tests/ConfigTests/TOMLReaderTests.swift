import TestSupport
import Testing

@testable import AlcedoConfig

@Suite(.timeLimit(.minutes(1))) struct TOMLReaderTests {
    /// The values of a text in its order, each as a line `PATH = VALUE`.
    private func values(_ text: String) throws -> [String] {
        let (table, failures) = TOMLParser.parse(text, limit: 10)
        #expect(failures.isEmpty)
        return Self.lines(of: table, "")
    }

    private static func lines(of table: TOMLTable, _ prefix: String) -> [String] {
        table.entries.flatMap { entry -> [String] in
            switch entry.node {
            case .value(let value): ["\(prefix)\(entry.name) = \(value.toml)"]
            case .table(let inner): lines(of: inner, "\(prefix)\(entry.name).")
            }
        }
    }

    /// The position of the fault of a text, as `LINE:COLUMN`.
    private func fault(_ text: String) -> String? {
        let failure = TOMLParser.parse(text, limit: 10).failures.first
        return failure.map { "\($0.position.line):\($0.position.column)" }
    }

    /// The position of a value in tables, as `[LINE, COLUMN]`.
    private func position(_ path: String..., in text: String) -> [Int]? {
        var table = TOMLParser.parse(text, limit: 10).table
        var entry: TOMLTable.Entry?
        for name in path {
            entry = table.entries.first { $0.name == name }
            if case .table(let inner) = entry?.node { table = inner }
        }
        return entry.map { [$0.value.line, $0.value.column] }
    }

    @Test(arguments: [
        ("a = 'x' # 'y'", "a = \"x\""), ("a = \"x\\n\\u00e9\\\"\"", "a = \"x\\u000a\u{E9}\\\"\""),
        ("a = ''", "a = \"\""),
        ("a = '\\n'", "a = \"\\\\n\""), ("a = \"\"\"\nx\ny\"\"\"\"", "a = \"x\\u000ay\\\"\""),
        ("a = \"\"\"x\\\n   y\"\"\"", "a = \"xy\""), ("a = '''\nx\\'''", "a = \"x\\\\\""),
        ("a = 0x1F", "a = 31"), ("a = 0o17", "a = 15"), ("a = 0b101", "a = 5"), ("a = 1_000", "a = 1000"),
        ("a = -17", "a = -17"), ("a = +17", "a = 17"), ("a = 0", "a = 0"), ("a = true", "a = true"),
        ("a = []", "a = []"), ("a = ['x', \"y\",\n# z\n]", "a = [\"x\", \"y\"]"), ("a = [1, [2]]", "a = a list"),
        ("a = { b = 1, c.d = 2 }", "a.b = 1\na.c.d = 2"), ("a = {}", ""), ("a.b = 1\na.c = 2", "a.b = 1\na.c = 2"),
        ("[a]\nb = 1\n[a.c]\nd = 2\n[e]", "a.b = 1\na.c.d = 2"), ("[ a . 'b' ]\r\nc\t=\t1\r\n", "a.b.c = 1"),
        ("\"a b\".'c' = 1", "a b.c = 1"), ("[a.b]\nx = 1\n[a]\ny = 2", "a.b.x = 1\na.y = 2"),
    ])
    func `values of every type are parsed`(text: String, expected: String) throws {
        #expect(try values(text).joined(separator: "\n") == expected)
    }

    @Test(arguments: [
        ("a = 2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"), ("a = 10%", "10%"), ("a = dark", "dark"),
        ("a = 0x", "0x"), ("a = 1__0", "1__0"),
    ])
    func `other bare words are values that no setting accepts`(text: String, word: String) throws {
        #expect(try values(text) == ["a = \(word), which has no quotes"])
    }

    @Test(arguments: ["1.5", "007", "-1e9", "99999999999999999999"])
    func `other numbers are values that no setting accepts`(number: String) throws {
        #expect(try values("a = \(number)") == ["a = \(number)"])
    }

    @Test(arguments: [
        ("a", "1:2"), ("a =", "1:4"), ("a = 1 b", "1:7"), ("= 1", "1:1"), ("a. = 1", "1:4"), ("a = 1\na = 2", "2:1"),
        ("[a]\n[a]", "2:1"), ("a = 1\n[a]", "2:1"), ("a = 1\na.b = 2", "2:1"), ("a = {}\na.b = 1", "2:1"),
        ("[a", "1:3"), ("[[a]]", "1:1"), ("[a] b", "1:5"), ("a = 'x", "1:7"), ("a = \"x\ny\"", "1:7"),
        ("a = '''x", "1:9"), ("a = \"\\x\"", "1:6"), ("a = \"\\ud800\"", "1:6"), ("a = \"\\u12\"", "1:6"),
        ("a = [1 2]", "1:8"), ("a = [1,,]", "1:8"), ("a = { b = 1, }", "1:14"), ("a = {\nb = 1}", "1:6"),
        ("a = 1\rb = 2", "1:6"),
        ("a = '\u{7F}'", "1:6"), ("# \u{1}", "1:3"),
    ])
    func `invalid TOML is reported with its position`(text: String, position: String) {
        #expect(fault(text) == position)
    }

    @Test func `deep nesting is refused`() {
        #expect(fault("a = " + String(repeating: "[", count: 4000)) != nil)
        #expect(fault("a = " + String(repeating: "{a=", count: 4000)) != nil)
        #expect(fault(String(repeating: "a.", count: 2000) + "a = 1") != nil)
    }

    @Test func `the position of a value is found, also in an inline table`() {
        let text = "top = 1\n[a]\n  x = 2\n\n[ b . c ]\r\ny\t=\t3\r\n"
        #expect(position("top", in: text) == [1, 7] && position("a", "x", in: text) == [3, 7])
        #expect(position("b", "c", "y", in: text) == [6, 5])
        #expect(position("a", "x", in: "b = 1\na = { x = 1 }") == [2, 11])
        #expect(position("ä", "e\u{301}", in: "\"ä\".'e\u{301}' = 1") == [1, 12])
    }

    @Test(arguments: [
        "s = \"\"\"\n[a]\nx = 1\n\"\"\"\n[a]\nx = 2", "s = '''\n[a]\nx = 1\n'''\n[a]\nx = 2",
        "s = [\n['a'],\n[1],\n]\n[a]\nx = 2", "s = '[' # [\nt = \"\\\"[\"\n# \"\"\"\n\n[a]\nx = 2",
        "s = \"\"\"\n\\\"\"\" \n'''\n\"\"\"\"\"\n[a]\nx = 2", "s = '''a'''\nt = \"\"\nu = ''\n# [a]\n[a]\nx = 2",
    ])
    func `a multi-line value that looks like keys is skipped`(text: String) {
        #expect(position("a", in: text) == [5, 1] && position("a", "x", in: text) == [6, 5])
    }
}
