import AlcedoScreen
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1)))
struct DetailRowsTests {
    private let lines = [DetailLine("location", "https://host/a-long-path"), DetailLine("state", "on disk")]

    private func rows(_ count: Int) -> [String] {
        DetailRows(lines, width: 10, count: count, ellipsis: "…").rows.map { row in
            (row.isFirst ? row.line.label + ": " : "") + row.part
        }
    }

    @Test
    func `a long value is wrapped into the spare rows`() {
        #expect(rows(9) == ["location: https://ho", "st/a-long-", "path", "state: on disk"])
    }

    @Test
    func `with few rows each line gets one, and the last ones are dropped`() {
        #expect(rows(3) == ["location: https://ho", "st/a…-path", "state: on disk"])
        #expect(rows(2) == ["location: http…-path", "state: on disk"])
        #expect(rows(1) == ["location: http…-path"])
        #expect(rows(0).isEmpty && rows(-1).isEmpty)
    }
}
