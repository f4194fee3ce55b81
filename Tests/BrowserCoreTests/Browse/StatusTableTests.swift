import Testing

@testable import AlcedoBrowserCore

@Suite("The table of statuses", .timeLimit(.minutes(1)))
struct StatusTableTests {
    private func table(_ statuses: ItemStatus...) -> StatusTable {
        var table = StatusTable()
        table.append(statuses.count)
        for (index, status) in statuses.enumerated() { table.set(index, status, at: 1000) }
        return table
    }

    @Test
    func `a status is stored and returned unchanged`() {
        let all: [ItemStatus] = [
            .waiting, .connecting, .loading(received: 1, total: nil, rate: 3), .onDisk(bytes: 5), .inMemory(bytes: 6),
            .retrying(attempt: 2, of: 4, seconds: 3, reason: "503"), .parked(seconds: 9, reason: "429"),
            .failed(reason: "404"), .duplicate(of: ItemID(3)),
        ]
        var table = StatusTable()
        table.append(1)
        for status in all + all.reversed() {
            table.set(0, status, at: 1000)
            #expect(table.status(of: 0, at: 1000) == status)
            #expect(table.count(of: status.kind) == 1)
        }
    }

    @Test
    func `remaining seconds count down to zero`() {
        let table = table(.retrying(attempt: 2, of: 4, seconds: 3, reason: "503"))
        #expect(table.status(of: 0, at: 2999) == .retrying(attempt: 2, of: 4, seconds: 2, reason: "503"))
        #expect(table.status(of: 0, at: 99_000) == .retrying(attempt: 2, of: 4, seconds: 0, reason: "503"))
    }

    @Test(arguments: [
        ItemStatus.parked(seconds: 30, reason: "429"), .retrying(attempt: 2, of: 4, seconds: 30, reason: "429"),
    ])
    func `a wait that is reported again goes on, a later one begins anew`(wait: ItemStatus) {
        var table = table(wait)
        table.set(0, wait, at: 11_000)
        #expect(table.longestWait(at: 11_000) == 20)
        table.set(0, wait, at: 32_000)
        #expect(table.longestWait(at: 32_000) == 30)
        table.set(0, .parked(seconds: 5, reason: "429"), at: 33_000)
        #expect(table.longestWait(at: 33_000) == 5)
    }

    @Test
    func `the total rate is the sum over running transfers`() {
        let table = table(
            .loading(received: 1, total: nil, rate: 30), .loading(received: 1, total: nil, rate: 12),
            .loading(received: 1, total: nil, rate: nil), .onDisk(bytes: 99))
        #expect(table.rate == 42)
        #expect(table.activeItems == [0, 1, 2])
    }

    @Test
    func `failed items are listed in order and can all be reset at once`() {
        var table = table(.failed(reason: "a"), .waiting, .failed(reason: "b"))
        table.set(0, .connecting, at: 0)
        table.set(1, .failed(reason: "c"), at: 0)
        #expect(table.failed == [2, 1])
        #expect(table.resetFailures() == [2, 1])
        #expect(table.count(of: .failed) == 0)
        #expect(table.count(of: .waiting) == 2)
    }
}
