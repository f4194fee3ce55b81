import Foundation
import ImageLoading
import ProgramTestSupport
import Retrying
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct JSONReporterTests {
    private let captured: CapturedConsole

    init() throws { captured = try CapturedConsole() }

    private func report(_ event: ReportedEvent) {
        var reporter = JSONReporter(console: captured.console)
        reporter.report(event)
    }

    /// The one line printed, with its type checked.
    private func object(_ type: String) throws -> [String: Any] {
        let objects = try captured.objects
        try #require(objects.count == 1)
        #expect(objects[0]["type"] as? String == type && objects[0]["v"] as? Int == 1)
        return objects[0]
    }

    @Test func `the start names lists and jobs`() throws {
        var settings = PrefetchSettings()
        settings.lists = ["a.txt", "https://ann:hush@host/b.txt"]
        settings[.jobs] = 4
        settings.shard = Shard("2/3")
        report(.start(settings, resumed: 5))
        let object = try object("start")
        #expect(object["lists"] as? [String] == ["a.txt", "https://host/b.txt"] && object["jobs"] as? Int == 4)
        #expect(object["shard"] as? String == "2/3" && object["resumed"] as? Int == 5)
    }

    @Test func `a fetched item has its metrics`() throws {
        var metrics = DownloadMetrics()
        (metrics.queued, metrics.firstByte, metrics.total) = (.milliseconds(3), .milliseconds(40), .milliseconds(90))
        metrics.version = "HTTP/2"
        metrics.statusCode = 200
        report(
            .finished(
                Fixtures.item(attempts: 2), .finished(DataResult(cacheType: .none, byteCount: 100, metrics: metrics))))
        let object = try object("item")
        #expect(object["status"] as? String == "fetched" && object["line"] as? Int == 7)
        #expect(object["url"] as? String == "https://host/0.png?token=…")
        #expect(object["bytes"] as? Int == 100 && object["attempts"] as? Int == 2)
        #expect(object["proto"] as? String == "HTTP/2" && object["http"] as? Int == 200)
        #expect(object["from"] as? String == "network" && object["list"] as? String == "list.txt")
        #expect(object["key"] as? String == "https://host/0.png?token=…")
        #expect(object["ms"] as? [String: Int] == ["queue": 3, "ttfb": 40, "total": 90])
        #expect(object["error"] == nil)
    }

    @Test(arguments: [
        ("https://host/0.png?token=hush", nil), ("HTTPS://host:443/0.png?token=hush#x", nil),
        ("https://mirror/0.png?token=hush", "https://mirror/0.png?token=…"),
    ])
    func `the final address is reported where it differs from the requested one`(url: String, told: String?) throws {
        var result = DataResult(cacheType: .none, byteCount: 100, metrics: nil)
        result.url = URL(string: url)
        report(.finished(Fixtures.item(), .finished(result)))
        #expect(try object("item")["via"] as? String == told)
    }

    @Test(arguments: [
        (ItemOutcome.hit, "hit"), (.duplicate, "duplicate"), (.lost, "failed"), (.failed(.cancelled), "cancelled"),
        (.doneBefore, "skipped"), (.failedBefore(code: 2002), "failed"), (.planned, "planned"),
    ])
    func `every outcome has its status`(outcome: ItemOutcome, status: String) throws {
        report(.finished(Fixtures.item(), outcome))
        #expect(try object("item")["status"] as? String == status)
    }

    @Test(
        arguments: [
            (HostEvent.Change.parked(for: .seconds(2)), "parked", 2_000),
            (.circuitOpened(for: .seconds(5)), "circuit", 5_000), (.slowed(requestsPerSecond: 1.25), "slowed", nil),
            (.givenUp, "given-up", nil), (.resumed, "resumed", nil),
        ] as [(HostEvent.Change, String, Int?)])
    func `a host's change is reported without control characters`(change: HostEvent.Change, name: String, pause: Int?)
        throws
    {
        report(.hostChanged(HostEvent(host: "a\u{1B}[31m.example:80", change: change)))
        let object = try object("host")
        #expect(object["change"] as? String == name)
        #expect(object["pauseMs"] as? Int == pause)
        #expect(object["perSecond"] as? Double == (name == "slowed" ? 1.3 : nil))
        #expect(try #require(object["host"] as? String).unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }

    @Test func `a failure says why and whether to try again`() throws {
        let error = ImageError.response(.invalidHTTPStatusCode(503, retryAfter: nil))
        report(.finished(Fixtures.item(), .failed(error)))
        let facts = try #require(try object("item")["error"] as? [String: Any])
        #expect(facts["code"] as? Int == 2002 && facts["text"] as? String == error.title)
        #expect(facts["retryable"] as? Bool == true)
    }

    @Test func `a retry says when the next attempt comes`() throws {
        let error = ImageError.response(.timedOut(.idle))
        report(.retrying(Fixtures.item(attempts: 2), error: error, delay: .milliseconds(1500)))
        let object = try object("retry")
        #expect(object["attempt"] as? Int == 2 && object["delayMs"] as? Int == 1500)
        #expect((object["error"] as? [String: Any])?["text"] as? String == "stalled")
    }

    @Test func `a rejected line is named`() throws {
        report(.lineRejected(3, list: "list.txt", reason: "no address"))
        let object = try object("rejected")
        #expect(object["list"] as? String == "list.txt" && object["line"] as? Int == 3)
        #expect(object["reason"] as? String == "no address")
    }

    @Test func `an omitted field of a line is reported as noted, not as rejected`() throws {
        report(.partOmitted(3, list: "list.txt", reason: "pin takes true or false"))
        #expect(try object("noted")["line"] as? Int == 3)
    }

    @Test func `progress comes every ten seconds`() throws {
        var reporter = JSONReporter(console: captured.console)
        for second in 0...25 { reporter.report(.tick(Fixtures.tally(after: second * 1000))) }
        #expect(try captured.objects.map { $0["type"] as? String } == ["progress", "progress"])
    }

    @Test func `the summary counts everything`() throws {
        var tally = PrefetchTally()
        for outcome in [ItemOutcome.fetched, .hit, .duplicate, .lost, .failed(.cancelled)] { tally.add(outcome) }
        (tally.rejected, tally.retries, tally.milliseconds, tally.bytesReceived) = (6, 7, 8, 120)
        tally.signal = 2
        report(.finish(tally))
        let object = try object("summary")
        let expected = [
            "fetched": 1, "hits": 1, "duplicates": 1, "rejected": 6, "failed": 1, "cancelled": 1, "retries": 7,
            "bytesFetched": 100, "bytesReceived": 120, "bytesFromCache": 30, "ms": 8,
        ]
        #expect(object["exit"] as? Int == 130 && object["stopped"] as? String == "signal 2")
        for (key, value) in expected { #expect(object[key] as? Int == value, "\(key)") }
    }
}
