import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct LibsixelBodyTests {
    @Test func `the header is dropped`() {
        #expect(bands("q\"1;1;4;6#1@@") == ["#1@@"])
    }

    @Test func `every pass of a strip begins at its column`() {
        #expect(bands("q\"1;1;4;6#1@@$#2!4A", offset: 160) == ["#1!160?@@$#2!160?!4A"])
    }

    @Test func `a band selects the color that the last one ended with`() {
        #expect(bands("q\"1;1;4;12#1@@$#2A-B-#3C") == ["#1@@$#2A", "#2B", "#2#3C"])
    }

    @Test func `rows below the picture are taken out`() {
        #expect(bands("q\"1;1;1;6#1~", rows: 0b11) == ["#1B"])
    }

    @Test func `a line feed at the end begins no band`() {
        #expect(bands("q\"1;1;1;6#1~-") == ["#1~"])
    }

    private func bands(_ output: String, offset: Int = 0, rows: UInt8 = 63) -> [String] {
        LibsixelBody(Array(output.utf8)).bands(offset: offset, rows: rows).map { String(decoding: $0, as: UTF8.self) }
    }
}
