import Testing

@testable import TerminalGraphics

@Suite struct LibsixelBodyTests {
    @Test func theHeaderIsDropped() {
        #expect(bands("q\"1;1;4;6#1@@") == ["#1@@"])
    }

    @Test func everyPassOfAStripBeginsAtItsColumn() {
        #expect(bands("q\"1;1;4;6#1@@$#2!4A", offset: 160) == ["#1!160?@@$#2!160?!4A"])
    }

    @Test func aBandSelectsTheColorThatTheLastOneEndedWith() {
        #expect(bands("q\"1;1;4;12#1@@$#2A-B-#3C") == ["#1@@$#2A", "#2B", "#2#3C"])
    }

    @Test func rowsBelowThePictureAreTakenOut() {
        #expect(bands("q\"1;1;1;6#1~", rows: 0b11) == ["#1B"])
    }

    @Test func aLineFeedAtTheEndBeginsNoBand() {
        #expect(bands("q\"1;1;1;6#1~-") == ["#1~"])
    }

    private func bands(_ output: String, offset: Int = 0, rows: UInt8 = 63) -> [String] {
        LibsixelBody(Array(output.utf8)).bands(offset: offset, rows: rows).map { String(decoding: $0, as: UTF8.self) }
    }
}
