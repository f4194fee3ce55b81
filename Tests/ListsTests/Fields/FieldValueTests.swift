import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct FieldValueTests {
    @Test(
        arguments: [
            (.number(90), .seconds(90)), (.text("90"), .seconds(90)), (.text("1.5m"), .seconds(90)),
            (.text("12 h"), .seconds(43_200)), (.text("7d"), .seconds(604_800)), (.text("1w"), .seconds(604_800)),
            (.number(1e300), .seconds(3_153_600_000)), (.text("0"), .zero),
        ] as [(FieldValue, Duration)])
    func `durations are seconds or have a unit`(value: FieldValue, duration: Duration) {
        #expect(value.duration == duration)
    }

    @Test(arguments: [.number(-1), .text("x"), .text("d"), .text("inf"), .text("nan"), .flag(true)] as [FieldValue])
    func `invalid durations are refused`(value: FieldValue) {
        #expect(value.duration == nil)
    }

    @Test func `flags may be words or numbers`() {
        #expect(FieldValue.text("Yes").flag == true)
        #expect(FieldValue.number(0).flag == false)
        #expect(FieldValue.text("maybe").flag == nil)
        #expect(FieldValue.number(2).flag == nil)
    }

    @Test func `texts are split at bars and lines`() {
        #expect(FieldValue.text("a| b\n|c d").texts == ["a", "b", "c d"])
        #expect(FieldValue.texts(["a|b"]).texts == ["a|b"])
    }

    @Test func `headers may be lines or pairs`() {
        let expected = [ListHeader(name: "A", value: "1: 2"), ListHeader(name: "B", value: "")]
        #expect(FieldValue.text("A: 1: 2\n\nB:").headers == expected)
        #expect(FieldValue.pairs(expected).headers == expected)
    }

    @Test(arguments: ["no colon", ": x", "a b: x", "Host: x", "content-length: 5", "a\u{0}: x", "é: x", "a: \u{1B}x"])
    func `an invalid header is refused`(line: String) {
        #expect(FieldValue.text(line).headers == nil)
    }

    @Test func `a line break in a header value is refused`() {
        #expect(FieldValue.pairs([ListHeader(name: "A", value: "1\r\nB: 2")]).headers == nil)
    }
}
