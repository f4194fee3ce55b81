import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct ByteWriterTests {
    @Test(arguments: [0, 7, 10, 99, 100, 256, 10_000, 1_234_567])
    func `numbers are written in decimal`(number: Int) {
        #expect(text { $0.append(decimal: number) } == String(number))
    }

    @Test(arguments: [(0, ""), (1, "~"), (3, "~~~"), (4, "!4~"), (1000, "!1000~")])
    func `repetitions are run-length encoded where that is shorter`(times: Int, expected: String) {
        #expect(text { $0.append(UInt8(ascii: "~"), times: times) } == expected)
    }

    @Test func `bytes that do not fit are dropped`() {
        #expect(text(room: 2) { $0.append(decimal: 12345) } == "12")
    }

    private func text(room: Int = 20, _ body: (inout ByteWriter) -> Void) -> String {
        var bytes: [UInt8] = []
        bytes.append(capacity: room, body)
        return String(decoding: bytes, as: UTF8.self)
    }
}
