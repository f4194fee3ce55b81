import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoCacheScreen

/// Rows of equal names show what differs.
@Suite(.timeLimit(.minutes(1))) struct CacheNamesTests {
    /// The names of rows in the whole, each as it is shown beside the others.
    private func names(_ addresses: [String], showsHosts: Bool = true) -> [String] {
        let rows = addresses.enumerated().map { number, address in
            var row = InspectionScreen.row(number)
            let parts = AddressParts(address)
            (row.address, row.name, row.host) = (address, String(parts.file), String(parts.host))
            return row
        }
        let names = CacheNames(of: rows, showsHosts: showsHosts)
        return rows.map { row in
            names.text(of: row).text(width: 90, ellipsis: "…").spans.map(\.text).joined()
        }
    }

    @Test func `a name that only one address has stands alone`() {
        let unlike = ["https://a.example/1/kelp.jpg?w=540", "https://a.example/1/dunes.jpg"]
        #expect(names(unlike) == ["kelp.jpg", "dunes.jpg"])
        // The original and a processed picture of one address differ in other columns.
        #expect(names(["https://a.example/kelp.jpg", "https://a.example/kelp.jpg"]) == ["kelp.jpg", "kelp.jpg"])
    }

    @Test func `equal names show as much of their folders as differs`() {
        #expect(
            names(["https://a.example/1/kelp.jpg", "https://a.example/2/kelp.jpg"]) == ["1/kelp.jpg", "2/kelp.jpg"])
        #expect(
            names(["https://a.example/1/x/kelp.jpg", "https://a.example/2/x/kelp.jpg", "https://a.example/kelp.jpg"])
                == ["1/x/kelp.jpg", "2/x/kelp.jpg", "a.example/kelp.jpg"])
        #expect(names(["/one/x/kelp.jpg", "/two/x/kelp.jpg"]) == ["one/x/kelp.jpg", "two/x/kelp.jpg"])
    }

    @Test func `equal paths show their queries, other ones only if they need them`() {
        #expect(
            names([
                "https://a.example/1/kelp.jpg?w=540", "https://a.example/1/kelp.jpg?w=80",
                "https://a.example/1/kelp.jpg", "https://a.example/2/kelp.jpg?w=80",
            ]) == ["1/kelp.jpg?w=540", "1/kelp.jpg?w=80", "1/kelp.jpg", "2/kelp.jpg"])
    }

    @Test func `of long queries only the parameters that differ are shown`() {
        let queries = ["crop=faces&w=540&quality=85", "crop=faces&w=80&quality=85", "crop=faces&quality=85"]
        #expect(
            names(queries.map { "https://a.example/kelp.jpg?\($0)" })
                == ["kelp.jpg?w=540", "kelp.jpg?w=80", "kelp.jpg"])
    }

    @Test func `hosts are told apart by their column, without it before the name`() {
        let addresses = ["http://127.0.0.1:8001/kelp.jpg", "http://127.0.0.1:8002/kelp.jpg"]
        #expect(names(addresses) == ["kelp.jpg", "kelp.jpg"])
        #expect(names(addresses, showsHosts: false) == ["127.0.0.1:8001/kelp.jpg", "127.0.0.1:8002/kelp.jpg"])
        #expect(
            names(["http://a.example/kelp.jpg", "https://a.example/kelp.jpg"])
                == ["http://a.example/kelp.jpg", "https://a.example/kelp.jpg"])
    }

    @Test(arguments: [60, 100, 160, 250])
    func `no two rows of one name look alike`(columns: Int) {
        var screen = InspectionScreen(columns: columns, rows: 12)
        screen.entries = 5
        var number = 0
        screen.answer {
            let size = number % 2 == 0 ? "/2026" : "/2025"
            ($0.name, $0.host, $0.kind) = ("kelp.jpg", "127.0.0.1:18777", "original")
            $0.address = "http://127.0.0.1:18777\(size)/kelp.jpg?crop=faces&w=\(number * 90)"
            ($0.bytes, $0.hits, $0.secondsSinceUse, $0.processor) = (80_000, 1, 900, "")
            ($0.isPinned, $0.state, $0.size, $0.secondsToExpiry) = (false, .live, nil, 604_800)
            number += 1
        }
        let rows = (2..<7).map { screen.frame.row($0).drop { $0 != "◐" } }
        #expect(Set(rows).count == 5)
        #expect(rows.allSatisfy { $0.contains("kelp.jpg?w=") })
    }
}
