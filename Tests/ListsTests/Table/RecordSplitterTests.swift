import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct RecordSplitterTests {
    private func records(
        _ text: String, separator: Unicode.Scalar = ",", limit: Int = 64 * 1024, pieces: Int = .max
    ) -> [TableRecord] {
        var splitter = RecordSplitter(separator: UInt8(ascii: separator), limit: limit)
        var records: [TableRecord] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            records += splitter.feed(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        }
        return (records + splitter.finish())
            .map { TableRecord(line: $0.line, content: $0.content, windows1252Fields: $0.windows1252Fields) }
    }

    @Test func `a record knows which of its fields were quoted`() {
        var splitter = RecordSplitter(separator: UInt8(ascii: ","))
        let found = splitter.feed(Array("a,\"b\",c\n\"d\"\ne\"\"\n\"\",f,\"g\"".utf8)) + splitter.finish()
        #expect(found.map(\.quotedFields) == [[1], [0], [], [0, 2]])
    }

    private func record(_ line: Int, _ fields: String...) -> TableRecord {
        TableRecord(line: line, content: .success(fields))
    }

    @Test(arguments: [1, 2, 3, 5, .max])
    func `quoted fields hold separators, line ends and quotes at any piece boundary`(pieces: Int) {
        let found = records("a,\"b,\"\"c\"\"\nd\",\n\"\"\n\ne,\"f\"", pieces: pieces)
        #expect(
            found == [record(1, "a", "b,\"c\"\nd", ""), record(3, ""), record(4, ""), record(5, "e", "f")])
    }

    @Test func `a quote within a plain field is part of it`() {
        #expect(records("a\"b\",c\n") == [record(1, "a\"b\"", "c")])
    }

    @Test func `text after a closing quote is an error`() {
        let found = records("\"a\"b,c\nd\n")
        #expect(found == [TableRecord(line: 1, content: .failure(.afterQuote)), record(2, "d")])
    }

    @Test(arguments: [1, 2, 3, 5, .max]) func `an unclosed quote loses only its own line`(pieces: Int) {
        let lost = TableRecord(line: 1, content: .failure(.openQuote))
        let rest = [record(2, "bcdefgh"), record(3, "i", "j"), record(4, "k")]
        for limit in [7, 1000] {
            #expect(records("\"a\nbcdefgh\ni,j\nk\n", limit: limit, pieces: pieces) == [lost] + rest)
            #expect(records("\"a\nbcdefgh\ni,j\nk", limit: limit, pieces: pieces) == [lost] + rest)
        }
        #expect(records("\"a\n", pieces: pieces) == [lost])
        #expect(records("\"abcdefgh\nb\n", limit: 6, pieces: pieces) == [lost, record(2, "b")])
    }

    @Test(arguments: [1, 2, 3, 5, .max]) func `two unclosed quotes lose only their own lines`(pieces: Int) {
        let found = records("\"a\nb\n\"c\nd\n", pieces: pieces)
        #expect(
            found == [
                TableRecord(line: 1, content: .failure(.afterQuote)), record(2, "b"),
                TableRecord(line: 3, content: .failure(.openQuote)), record(4, "d"),
            ])
    }

    @Test(arguments: [1, 2, 3, 5, .max]) func `with tabs an unclosed quote is part of its field`(pieces: Int) {
        let found = records("\"a\tb\nc\t\"d e\n\"f\tg\"\t\"\"\n\"h", separator: "\t", pieces: pieces)
        #expect(
            found == [
                record(1, "\"a", "b"), record(2, "c", "\"d e"), record(3, "f\tg", ""), record(4, "\"h"),
            ])
    }

    /// Quadratic time would exceed the limit.
    @Test(.timeLimit(.minutes(1))) func `an unclosed quote before many separators takes linear time`() {
        let line = "\"" + String(repeating: "a", count: 70_000) + String(repeating: ",", count: 120_000)
        let found = records(line + "\nb\n")
        #expect(found.count == 2 && found.last == record(2, "b"))
        #expect(found.first?.content == .failure(.openQuote))
    }

    @Test func `a record over the limit is an error, even if it is all separators`() {
        #expect(records("abcdefg\nb\n", limit: 6).map(\.content) == [.failure(.recordTooLong), .success(["b"])])
        #expect(records(",,,,,,,\nb\n", limit: 6).map(\.content) == [.failure(.recordTooLong), .success(["b"])])
    }

    @Test func `text that is not UTF-8 is read as Windows-1252, and zero bytes are errors`() {
        var splitter = RecordSplitter(separator: UInt8(ascii: ","))
        let found = splitter.feed([0x61, 0xFF, 0x92, 0x80, 0x0A, 0xE9, 0x81, 0x0A, 0x00, 0x0A])
        #expect(found.map(\.content) == [.success(["aÿ’€"]), .success(["é\u{81}"]), .failure(.zeroByte)])
        #expect(found.map(\.windows1252Fields) == [[0], [0], []])
    }
}
