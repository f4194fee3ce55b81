import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct JSONValueTests {
    private func value(_ text: String) -> Result<JSONValue, JSONValue.SyntaxError> {
        Result { () throws(JSONValue.SyntaxError) in try JSONValue(text[...]) }
    }

    @Test(
        arguments: [
            ("null", .null), (" true ", .flag(true)), ("false", .flag(false)), ("0", .number(0)),
            ("-12.5e+1", .number(-125)), ("1E-2", .number(0.01)), ("\"\"", .string("")), ("[ ]", .array([])),
            ("\"a\\n\\\"\\u00e9\\ud83d\\udc26\\/\"", .string("a\n\"é🐦/")), ("{ }", .object([])),
            ("[1 , [2]]", .array([.number(1), .array([.number(2)])])),
            (
                "{\"a\" : 1, \"a\":null}",
                .object([JSONValue.Member(name: "a", value: .number(1)), JSONValue.Member(name: "a", value: .null)])
            ),
            ("[NaN, Infinity, -Infinity, 1e999, -1]", .array([.null, .null, .null, .null, .number(-1)])),
        ] as [(String, JSONValue)])
    func `every kind of value is parsed`(text: String, expected: JSONValue) {
        #expect(value(text) == .success(expected))
    }

    @Test(arguments: [
        ("", 1), ("{", 2), ("[1,]", 4), ("{\"a\" 1}", 6), ("{\"a\":1,}", 8), ("{a:1}", 2), ("tru", 4), ("1 2", 3),
        ("-", 1), ("[1, 2x]", 5), ("\"a", 3), ("\"\u{1}\"", 2), ("\"\\x\"", 3), ("\"\\u12g4\"", 6),
        ("\"\\ud800\"", 8), ("\"\\udc26\\ud83d\"", 14), ("'a'", 1),
    ])
    func `a syntax error has its position`(text: String, place: Int) {
        #expect(value(text) == .failure(JSONValue.SyntaxError(position: place)))
    }

    @Test func `the nesting depth is limited`() {
        let deep = String(repeating: "[", count: 60_000)
        #expect(value(deep) == .failure(JSONValue.SyntaxError(position: 33)))
    }
}
