import BrowserCore
import ImageLoading
import Retrying

/// One JSON object a line on standard output: start, item, retry, host, rejected, progress, summary.
struct JSONReporter: PrefetchReporter {
    let console: Console
    private var lastProgress = 0

    init(console: Console) { self.console = console }

    func start(lists: [String], jobs: Int) { print(StartLine(lists: lists, jobs: jobs)) }

    func lineRejected(_ line: Int, list: String, reason: String) {
        print(RejectedLine(list: list, line: line, reason: reason))
    }

    func retrying(_ item: ItemRecord, error: ImageError, delay: Duration) {
        print(
            RetryLine(
                line: item.line, url: item.shown, attempt: item.attempts, delayMs: delay.milliseconds,
                error: .init(error)))
    }

    func hostChanged(_ event: HostEvent) { print(HostLine(event)) }

    func ended(_ item: ItemRecord, _ outcome: ItemOutcome) { print(ItemLine(item, outcome)) }

    /// Every ten seconds, for those who watch a log.
    mutating func tick(milliseconds: Int, tally: PrefetchTally) {
        guard milliseconds - lastProgress >= 10_000 else { return }
        lastProgress = milliseconds
        print(TallyLine(type: "progress", tally))
    }

    func finish(_ tally: PrefetchTally) { print(TallyLine(type: "summary", tally)) }

    private func print(_ line: some Encodable) { console.output(bytes: JSONLine.bytes(of: line)) }
}

private struct StartLine: Encodable {
    let type = "start"
    let lists: [String]
    let jobs: Int

    private enum CodingKeys: String, CodingKey { case type, lists, jobs }
}

private struct RejectedLine: Encodable {
    let type = "rejected"
    let list: String
    let line: Int
    let reason: String

    private enum CodingKeys: String, CodingKey { case type, list, line, reason }
}

private struct RetryLine: Encodable {
    let type = "retry"
    let line: Int
    let url: String
    let attempt: Int
    let delayMs: Int
    let error: ErrorFacts

    private enum CodingKeys: String, CodingKey { case type, line, url, attempt, delayMs, error }
}

private struct HostLine: Encodable {
    let type = "host"
    let host: String
    let change: String
    let pauseMs: Int?

    private enum CodingKeys: String, CodingKey { case type, host, change, pauseMs }

    init(_ event: HostEvent) {
        host = SafeText.clean(event.host)
        switch event.change {
        case .parked(let pause): (change, pauseMs) = ("parked", pause.milliseconds)
        case .circuitOpened(let pause): (change, pauseMs) = ("circuit", pause.milliseconds)
        case .givenUp: (change, pauseMs) = ("given-up", nil)
        case .resumed: (change, pauseMs) = ("resumed", nil)
        }
    }
}

private struct ErrorFacts: Encodable {
    let code: Int
    let text: String
    let retryable: Bool

    init(_ error: ImageError) {
        code = error.code
        text = error.title
        retryable = error.isRetryable
    }
}

private struct ItemLine: Encodable {
    let type = "item"
    let line: Int
    let url: String
    let status: String
    let attempts: Int
    var bytes: Int?
    var proto: String?
    var ms: Milliseconds?
    var error: ErrorFacts?

    private enum CodingKeys: String, CodingKey { case type, line, url, status, attempts, bytes, proto, ms, error }

    init(_ item: ItemRecord, _ outcome: ItemOutcome) {
        line = item.line
        url = item.shown
        attempts = item.attempts
        switch outcome {
        case .ended(let result):
            status = result.isRevalidated ? "revalidated" : result.cacheType == .none ? "fetched" : "hit"
            bytes = result.byteCount
            proto = result.metrics?.version
            ms = result.metrics.map(Milliseconds.init)
        case .duplicate: status = "duplicate"
        case .failed(let reason):
            status = reason.isTaskCancelled ? "cancelled" : "failed"
            error = ErrorFacts(reason)
        }
    }
}

private struct Milliseconds: Encodable {
    let queue: Int
    let ttfb: Int
    let total: Int

    init(_ metrics: DownloadMetrics) {
        queue = metrics.queued.milliseconds
        ttfb = metrics.firstByte.milliseconds
        total = metrics.total.milliseconds
    }
}

private struct TallyLine: Encodable {
    let type: String
    let fetched, hits, revalidated, duplicates, rejected, failed, cancelled, retries: Int
    let bytesFetched, bytesFromCache, ms: Int

    init(type: String, _ tally: PrefetchTally) {
        self.type = type
        fetched = tally.fetched
        hits = tally.hits
        revalidated = tally.revalidated
        duplicates = tally.duplicates
        rejected = tally.skipped
        failed = tally.failed
        cancelled = tally.cancelled
        retries = tally.retries
        bytesFetched = tally.bytesFetched
        bytesFromCache = tally.bytesFromCache
        ms = tally.milliseconds
    }
}
