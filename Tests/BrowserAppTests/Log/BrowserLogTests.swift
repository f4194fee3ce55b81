import AlcedoBrowserCore
import Foundation
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

/// What of a browser's messages is kept.
@Suite(.timeLimit(.minutes(1)))
@MainActor
struct BrowserLogTests {
    private let log = BrowserLog { _ in "https://host/a.png" }

    @Test func `a failure is logged with address and reason`() {
        // When
        let line = log.line(for: .statusChanged(ItemID(0), .failed(reason: "404 Not Found")))

        // Then
        #expect(line == LogLine(severity: .warning, text: "failed: https://host/a.png: 404 Not Found"))
    }

    @Test func `a retry is logged`() {
        // When
        let status = ItemStatus.retrying(attempt: 2, of: 4, seconds: 3, reason: "stalled")
        let line = log.line(for: .statusChanged(ItemID(0), status))

        // Then
        #expect(line == LogLine(severity: .info, text: "attempt 2 of 4 in 3 s: https://host/a.png: stalled"))
    }

    @Test func `notices and unusable lines are logged`() {
        #expect(log.line(for: .notice("exported"))?.text == "exported")
        #expect(log.line(for: .warning("1 failed")) == LogLine(severity: .warning, text: "1 failed"))
        let end = BrowseMessage.listFinished(skipped: 3, reasons: ["line 2: a space"])
        #expect(log.line(for: end)?.text == "lists read, 3 unusable lines: line 2: a space")
    }

    @Test func `hosts with trouble are logged`() {
        // When
        let host = HostStatus(host: "host", trouble: .parked, seconds: 9, retriesUsed: 0, retriesAllowed: 9)

        // Then
        #expect(log.line(for: .hostsChanged([host]))?.text == "host: paused, next try in 9 s")
        #expect(log.line(for: .hostsChanged([])) == nil)
    }

    @Test func `frequent events are not logged`() {
        let messages: [BrowseMessage] = [
            .tick(milliseconds: 5), .statusChanged(ItemID(0), .connecting),
            .statusChanged(ItemID(0), .onDisk(bytes: 9)),
        ]
        for message in messages { #expect(log.line(for: message) == nil) }
    }

    @Test func `a line contains time and process, and no control characters`() {
        // Given
        let line = LogLine(severity: .warning, text: "failed: \u{1B}[2Jx\nsecond")

        // When
        let written = line.written(at: Date(timeIntervalSince1970: 1.5), by: 42)

        // Then
        #expect(written.hasPrefix("1970-01-01T00:00:01.500Z 42 warning failed: "))
        #expect(written.hasSuffix("\n"))
        #expect(written.dropLast().unicodeScalars.allSatisfy { $0.value >= 32 })
    }
}
