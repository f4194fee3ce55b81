import AlcedoSupport
import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct LineSplitterTests {
    private func lines(_ pieces: [[UInt8]], limit: Int = 64 * 1024) -> [ListLine] {
        var splitter = LineSplitter(limit: limit)
        let whole = pieces.flatMap { splitter.feed($0) }
        return whole + [splitter.finish()].compactMap { $0 }
    }

    private func text(_ lines: [ListLine]) -> [String] {
        lines.map { line in (try? line.content.get()) ?? "fault" }
    }

    @Test func `lines end with a line feed`() {
        #expect(text(lines([Array("a\nb\n\nc".utf8)])) == ["a", "b", "", "c"])
    }

    @Test func `piece boundaries may split lines and characters anywhere`() {
        let bytes = Array("grün\nblå\n".utf8)
        for cut in bytes.indices {
            #expect(text(lines([Array(bytes[..<cut]), Array(bytes[cut...])])) == ["grün", "blå"])
        }
    }

    @Test func `a line over the limit is an error with its number and the next is complete`() {
        let found = lines([Array("one\n".utf8), Array("toolong".utf8), Array("er\nfour".utf8)], limit: 4)
        #expect(found.map(\.number) == [1, 2, 3])
        #expect(found[1].content == .failure(.lineTooLong))
        #expect(text(found)[2] == "four")
    }

    @Test func `a line of exactly the limit is kept, one more byte is an error`() {
        #expect(text(lines([Array("four\n".utf8)], limit: 4)) == ["four"])
        #expect(lines([Array("fives\n".utf8)], limit: 4)[0].content == .failure(.lineTooLong))
    }

    @Test func `a long line without an end is an error`() {
        #expect(lines([Array("longer".utf8)], limit: 4).map(\.content) == [.failure(.lineTooLong)])
    }

    @Test func `zero bytes are errors; bytes that are no UTF-8 are kept, as they may be of a path`() {
        let found = lines([[0x61, 0xFF, 0x0A, 0x61, 0x00, 0x0A, 0x62]])
        #expect(
            found.map(\.content) == [.success(String(pathBytes: [0x61, 0xFF])), .failure(.zeroByte), .success("b")])
    }

    @Test func `empty input has no lines`() {
        #expect(lines([[]]).isEmpty)
    }
}
