import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("The tasks screen", .timeLimit(.minutes(1)))
struct TasksPanelTests {
    private func loading(_ received: Int, of total: Int? = 1 << 20, rate: Int? = 1 << 18) -> ItemStatus {
        .loading(received: received, total: total, rate: rate)
    }

    @Test func `loading tasks come first, then connecting, retrying, failed and waiting ones`() {
        var browser = Browser()
        browser.add(count: 6)
        browser.send(.statusChanged(ItemID(1), .retrying(attempt: 2, of: 4, seconds: 3, reason: "503")))
        browser.send(.statusChanged(ItemID(2), .connecting))
        browser.send(.statusChanged(ItemID(3), .failed(reason: "404 Not Found")))
        browser.send(.statusChanged(ItemID(4), loading(9)))
        #expect(browser.state.tasks == [4, 2, 1, 3, 5])
    }

    @Test func `a running task keeps its row while it is selected`() {
        var browser = Browser()
        browser.add(count: 6)
        for item in 1..<4 { browser.send(.statusChanged(ItemID(item), .connecting)) }
        browser.press(.character("w"), .down)
        #expect(browser.state.tasks == [1, 2, 3, 4, 5])
        // Others begin to load, and stand above those that still wait for an answer.
        for item in [3, 4] { browser.send(.statusChanged(ItemID(item), loading(1))) }
        #expect(browser.state.tasks == [3, 2, 4, 1, 5])
        browser.press(.escape)
        #expect(browser.state.tasks == [3, 4, 1, 2, 5])
    }

    @Test(arguments: [(149, 74, 155, true), (99, 38, 105, true), (70, 29, 76, false)])
    func `columns are dropped from the right, and none overlaps another`(
        width: Int, name: Int, end: Int, hasHost: Bool
    ) {
        let columns = TaskColumns(Rect(column: 7, row: 0, columns: width, rows: 9))
        let cells = columns.cells
        #expect(columns.name.start == 12 && columns.name.width == name)
        #expect(cells.time != nil && (columns.host != nil) == hasHost)
        let spans = [columns.name, cells.bar, cells.share, cells.rate, cells.time, columns.host].compactMap(\.self)
        #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.end < $1.start })
        #expect(spans.last?.end == end && cells.facts.start == cells.bar?.start)
    }

    @Test(arguments: 0..<60) func `in a pane of any width names and numbers stay within it`(width: Int) {
        let columns = TaskColumns(Rect(column: 0, row: 0, columns: width, rows: 9))
        #expect(columns.name.width >= 0 && columns.cells.facts.width >= 0)
        #expect(width < 20 || columns.cells.facts.end == width - 1 && columns.name.width >= 5)
    }

    @Test func `a row has a bar, percentage, rate, time left and host`() {
        var browser = Browser(size: GridSize(columns: 200, rows: 30))
        browser.add(names: ["one.jpg", "glacier.jpg", "harbour.gif"])
        browser.send(.statusChanged(ItemID(1), loading(640 << 10)))
        browser.send(.statusChanged(ItemID(2), loading(300 << 10, of: nil)))
        browser.press(.character("w"))
        #expect(browser.frame.text.contains("▌  ⇣ glacier.jpg"))
        #expect(browser.frame.text.contains("━━━━━───  62 %  256 KiB/s     2 s  images.example.org"))
        #expect(browser.frame.text.contains("300 KiB          images.example.org"))
    }

    @Test func `the graph shows the bytes of each second, the newest at the right, and their peak and mean`() {
        var browser = Browser(size: GridSize(columns: 200, rows: 30))
        browser.add(count: 2)
        browser.send(.statusChanged(ItemID(1), .connecting))
        for (second, received) in [(58, 1), (59, 3), (60, 7)] {
            browser.send(.tick(milliseconds: second * 1000))
            browser.send(.statusChanged(ItemID(1), loading(received << 10)))
        }
        browser.press(.character("w"))
        browser.send(.tick(milliseconds: 61_900))
        let frame = browser.frame
        #expect(frame.row(2).contains("█  now      4.0 KiB/s"))
        #expect(frame.row(3).contains("▅█  peak     4.0 KiB/s"))
        #expect(frame.row(4).contains("▁▁▁▁▆██  mean       119 B/s   60 s"))
        // A minute later nothing of it is left, and the numbers are zero.
        browser.send(.tick(milliseconds: 150_000))
        #expect(browser.frame.row(2).contains("now          0 B/s") && !browser.frame.text.contains("█"))
    }

    @Test func `bytes of local files and of transfers that were joined are not counted`() {
        var table = StatusTable()
        table.append(1)
        #expect(table.arrivedBytes(of: 0, loading(500)) == 0)
        table.set(0, loading(500), at: 0)
        #expect(table.arrivedBytes(of: 0, loading(800)) == 300)
        #expect(table.arrivedBytes(of: 0, loading(100)) == 0)
        #expect(table.arrivedBytes(of: 0, .onDisk(bytes: 900)) == 400)
        #expect(table.arrivedBytes(of: 0, .failed(reason: "")) == 0)
        var browser = Browser()
        browser.send(.itemsAdded([BrowseItem(id: ItemID(0), name: "a.png", place: "/p", location: "/p/a.png")]))
        browser.send(.statusChanged(ItemID(0), .connecting))
        browser.send(.statusChanged(ItemID(0), loading(800)))
        #expect(!browser.state.throughput.isMoving(at: 0))
    }

    @Test(arguments: [(200, 30, 3), (100, 30, 1), (200, 15, 0)])
    func `a small screen has a smaller graph, or none`(columns: Int, rows: Int, graphRows: Int) {
        var browser = Browser(size: GridSize(columns: columns, rows: rows))
        browser.add(count: 2)
        browser.send(.statusChanged(ItemID(1), .connecting))
        browser.send(.statusChanged(ItemID(1), loading(1 << 10)))
        browser.press(.character("w"))
        browser.send(.tick(milliseconds: 1_000))
        let graph = (0..<rows).filter { browser.frame.row($0).contains("█") }
        #expect(graph == Array(2..<2 + graphRows))
        #expect(browser.frame.text.contains("peak") == (graphRows == 3))
    }

    @Test func `in half a pane bytes are whole, and a host is told from another`() {
        var browser = Browser(size: GridSize(columns: 100, rows: 30))
        browser.add(names: ["one.jpg", "oak-tree.png"])
        browser.send(.statusChanged(ItemID(1), loading(94 << 10, of: nil)))
        let host = HostStatus(
            host: "127.0.0.1:18777", trouble: .slowed(tenthsPerSecond: 35), seconds: 0, retriesUsed: 0,
            retriesAllowed: 9)
        browser.send(.hostsChanged([host]))
        browser.press(.character("w"))
        #expect(browser.frame.text.contains("94 KiB") && browser.frame.faults.isEmpty)
        #expect(browser.frame.text.contains("127.0.0.1:18777  slowed down to 3.5 requests/s"))
    }

    @Test func `the words of a wait keep their length while its number gets longer`() {
        var options = BrowseOptions()
        options.answerTime = 15
        var browser = Browser(options: options, size: GridSize(columns: 160, rows: 30))
        browser.add(count: 2)
        browser.send(.statusChanged(ItemID(1), .connecting))
        browser.press(.character("w"))
        for (time, text) in [(9_000, " 9 of 15 s"), (14_000, "14 of 15 s")] {
            browser.send(.tick(milliseconds: time))
            #expect(browser.frame.text.contains("  answer                 \(text)  images.example.org"))
        }
    }

    @Test func `a host has its port, and the times of a transfer say whose they are`() {
        var browser = Browser(size: GridSize(columns: 160, rows: 30))
        let address = "http://user@127.0.0.1:18777/drip/kelp.png"
        browser.send(.itemsAdded([BrowseItem(id: ItemID(0), name: "kelp.png", place: "127.0.0.1", location: address)]))
        let times = TransferTimes(nil, firstByte: 13)
        browser.send(.statusChanged(ItemID(0), .loading(received: 1, total: 9, rate: nil, times: times)))
        browser.press(.character("w"))
        #expect(browser.frame.row(1).contains("kelp.png  on an open connection, first byte 13 ms"))
        #expect(browser.frame.text.contains("  127.0.0.1:18777") && !browser.frame.text.contains("user"))
    }

    @Test func `without tasks it says so`() {
        var browser = Browser()
        browser.press(.character("w"))
        #expect(browser.frame.text.contains("nothing under way"))
        #expect(browser.frame.row(0).contains("tasks  0 running · 0 waiting"))
    }
}
