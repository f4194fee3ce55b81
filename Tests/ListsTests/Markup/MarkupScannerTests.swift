import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct MarkupScannerTests {
    private func tokens(
        _ text: String, _ dialect: MarkupDialect = .html, limit: Int = 64 * 1024, pieces: Int = .max
    ) -> [MarkupToken] {
        var scanner = MarkupScanner(dialect: dialect, limit: limit)
        var tokens: [MarkupToken] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            tokens += scanner.feed(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        }
        return tokens
    }

    private func opened(_ tokens: [MarkupToken]) -> [String] {
        tokens.compactMap { if case .open(let tag) = $0.content { "\($0.line) \(tag.name)" } else { nil } }
    }

    @Test(arguments: [1, 3, 7, .max])
    func `tags are found between comments, scripts and declarations`(pieces: Int) {
        let text = """
            <!DOCTYPE html [ <!ENTITY x "><no>"> <!-- don't --> ]>
            <!-- <no> -- > --><P
             title='a > b'><!--><br/>1 < 2<![CDATA[ <no> ]]><?x?>
            <script>if (a < b) "<no>" + '</scrip'</SCRIPT ><b>
            """
        #expect(opened(tokens(text, pieces: pieces)) == ["2 p", "3 br", "4 script", "4 b"])
    }

    @Test func `quotes open only after an equals sign`() {
        #expect(opened(tokens("<p don't><a x=it's><i y = '>'><b>")) == ["1 p", "1 a", "1 i", "1 b"])
    }

    @Test(arguments: [1, 4, .max])
    func `XML text is returned and character data is not markup`(pieces: Int) {
        let found = tokens("<x:a>b<![CDATA[&<c>]]]>]]>d</x:a>", .xml, pieces: pieces)
        let text = found.reduce(into: [UInt8]()) { if case .text(let bytes) = $1.content { $0 += bytes } }
        #expect(String(decoding: text, as: UTF8.self) == "b&amp;<c>]]]>d")
        #expect(found.last?.content == .close("a"))
    }

    @Test func `a tag over the limit is reported and the next is read`() {
        let found = tokens("<a b=\"\(String(repeating: ">", count: 100))\"><i>", limit: 50)
        #expect(found.first == MarkupToken(line: 1, content: .error("a tag is longer than 64 KiB")))
        #expect(opened(found) == ["1 i"])
    }

    @Test func `character data over the limit is reported and the following tag is read`() {
        let found = tokens("<![CDATA[\(String(repeating: "x", count: 100))]]><i>", .xml, limit: 50)
        #expect(found.first?.content == .error("a tag is longer than 64 KiB"))
        #expect(opened(found) == ["1 i"])
    }

    @Test(arguments: [
        ("<a href='x", "a tag has no end"), ("<!-- x", "a tag has no end"),
        ("\n<style>x", "<style> is never closed"),
    ])
    func `an end within a tag or a raw element is reported as truncation`(text: String, reason: String) {
        var scanner = MarkupScanner(dialect: .html)
        _ = scanner.feed(Array(text.utf8))
        #expect(scanner.truncation?.reason == reason)
    }

    @Test func `a self-closing XML tag is closed`() {
        #expect(tokens("<a/>", .xml).last?.content == .close("a"))
    }
}
