import TestSupport
import Testing

@testable import AlcedoFilters

@Suite(.timeLimit(.minutes(1))) struct RegularExpressionTests {
    private func expression(_ pattern: String) throws -> RegularExpression { try #require(RegularExpression(pattern)) }

    @Test(arguments: [
        ("[0-9]{4}$", "IMG_2041", true), ("[0-9]{4}$", "IMG_2041.jpg", false), ("boat|ship", "Old SHIP.png", true),
        ("^é+$", "ÉÉ", true), ("\\w+", "Ωμέγα", true), ("^\\w+$", "a b", false), ("\\u00e9", "caf\u{E9}", true),
        ("(?<=a)b", "ab", true), ("^$", "", true), ("", "x", true),
    ])
    func `case is ignored, and letters are Unicode's`(pattern: String, text: String, isFound: Bool) throws {
        #expect(try expression(pattern).matches(text) == isFound)
    }

    @Test(arguments: ["(", "[", "*a", "a{2,1}", "(?<n>a)(?<n>b)", "\\"]) func `invalid patterns are refused`(
        text: String
    ) {
        #expect(RegularExpression(text) == nil)
    }

    @Test func `an expression without end in its steps does not match, in bounded time`() throws {
        let text = String(repeating: "a", count: 60) + "!"
        #expect(try !expression("^(a+)+$").matches(text))
        #expect(try !expression("^(([a-z])+.)+[A-Z]([a-z])+$").matches(String(repeating: "a", count: 200) + "?"))
    }

    @Test func `ranges are those of characters, without empty matches`() throws {
        let text = "é1-ü22-x"
        let found = try expression("[0-9]+|q*").ranges(in: text).map { text[$0] }
        #expect(found == ["1", "22"])
        #expect(try expression("\\w").ranges(in: "é").map { "é"[$0] } == ["é"])
        // The library may refuse a match that ends before its start; otherwise it ends the search.
        #expect(RegularExpression("(?=ab\\K)")?.ranges(in: "abab").isEmpty != false)
    }

    @Test func `tasks may share an expression`() async throws {
        let expression = try expression("7$")
        let found = await withTaskGroup(of: Int.self) { group in
            for start in 0..<4 {
                group.addTask { (0..<1000).filter { expression.matches("\(start)-\($0)") }.count }
            }
            return await group.reduce(0, +)
        }
        #expect(found == 400)
    }
}
