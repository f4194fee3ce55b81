import Testing

@testable import Lists

@Suite struct RecordSplitterTests {
    private func records(_ text: String, limit: Int = 64 * 1024, pieces: Int = .max) -> [TableRecord] {
        var splitter = RecordSplitter(separator: UInt8(ascii: ","), limit: limit)
        var records: [TableRecord] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            records += splitter.feed(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        }
        return records + [splitter.finish()].compactMap { $0 }
    }

    private func record(_ line: Int, _ fields: String...) -> TableRecord {
        TableRecord(line: line, content: .success(fields))
    }

    @Test(arguments: [1, 2, 3, 5, .max])
    func quotedFieldsHoldSeparatorsLineEndsAndQuotesHoweverTheyAreCut(pieces: Int) {
        let found = records("a,\"b,\"\"c\"\"\r\nd\",\r\n\"\"\n\ne,\"f\"", pieces: pieces)
        #expect(
            found == [record(1, "a", "b,\"c\"\r\nd", ""), record(3, ""), record(4, ""), record(5, "e", "f")])
    }

    @Test func quoteWithinAPlainFieldIsAByteOfIt() {
        #expect(records("a\"b\",c\n") == [record(1, "a\"b\"", "c")])
    }

    @Test func textBehindAQuoteIsAFault() {
        let found = records("\"a\"b,c\nd\n")
        #expect(found == [TableRecord(line: 1, content: .failure(.afterQuote)), record(2, "d")])
    }

    @Test func quoteThatIsNeverClosedCostsNoMoreThanTheLimit() {
        let found = records("\"a\nbcdefgh\ni,j\nk\n", limit: 6)
        #expect(found == [TableRecord(line: 1, content: .failure(.openQuote)), record(3, "i", "j"), record(4, "k")])
        #expect(records("\"a\n") == [TableRecord(line: 1, content: .failure(.openQuote))])
    }

    @Test func recordOverTheLimitIsAFaultEvenWhenItIsAllSeparators() {
        #expect(records("abcdefg\nb\n", limit: 6).map(\.content) == [.failure(.tooLong), .success(["b"])])
        #expect(records(",,,,,,,\nb\n", limit: 6).map(\.content) == [.failure(.tooLong), .success(["b"])])
    }

    @Test func brokenTextAndZeroBytesAreFaults() {
        var splitter = RecordSplitter(separator: UInt8(ascii: ","))
        let found = splitter.feed([0x61, 0xFF, 0x0A, 0x00, 0x0A])
        #expect(found.map(\.content) == [.failure(.notText), .failure(.zero)])
    }
}
