import BrowserCore
import ImageLoading
import Lists
import Retrying

/// Prints one JSON object a line on standard output: start, item, retry, host, rejected, noted, progress, summary.
///
/// `docs/prefetch-events.schema.json` describes them.
struct JSONReporter: PrefetchReporter {
    let console: Console
    private var lastProgress = 0

    init(console: Console) { self.console = console }

    func start(_ settings: PrefetchSettings, resumed: Int) { print(StartLine(settings, resumed: resumed)) }

    func lineRejected(_ line: Int, list: String, reason: String) {
        print(RejectedLine(list: list, line: line, reason: reason))
    }

    func partOmitted(_ line: Int, list: String, reason: String) {
        print(RejectedLine(type: "noted", list: list, line: line, reason: reason))
    }

    func retrying(_ item: ItemRecord, error: ImageError, delay: Duration) {
        print(
            RetryLine(
                line: item.line, url: item.shown, attempt: item.attempts, delayMs: delay.milliseconds,
                error: ErrorFacts(error)))
    }

    func hostChanged(_ event: HostEvent) { print(HostLine(event)) }

    func finished(_ item: ItemRecord, _ outcome: ItemOutcome) { print(ItemLine(item, outcome)) }

    /// Prints the progress every ten seconds.
    mutating func tick(_ tally: PrefetchTally) {
        guard tally.milliseconds - lastProgress >= 10_000 else { return }
        lastProgress = tally.milliseconds
        print(TallyLine(type: "progress", tally))
    }

    func finish(_ tally: PrefetchTally) {
        var line = TallyLine(type: "summary", tally)
        line.exit = Int(tally.exitCode)
        line.stopped =
            tally.signal.map { "signal \($0)" }
            ?? (tally.failedTooOften ? "failures" : tally.keepsNothing ? "cache" : nil)
        print(line)
    }

    private func print(_ line: some Encodable) { console.output(bytes: JSONLine.bytes(of: line)) }
}

private struct StartLine: Encodable {
    let type = "start"
    let lists: [String]
    let jobs, perHost: Int
    let shard: String?
    let dryRun: Bool
    /// The number of pictures that the interrupted run completed.
    let resumed: Int

    init(_ settings: PrefetchSettings, resumed: Int) {
        lists = settings.lists.map { Redaction.display($0) }
        jobs = settings.library.jobs
        perHost = settings.library.perHost
        shard = settings.shard?.text
        dryRun = settings.isDryRun
        self.resumed = resumed
    }
}

private struct RejectedLine: Encodable {
    var type = "rejected"
    let list: String
    let line: Int
    let reason: String
}

private struct RetryLine: Encodable {
    let type = "retry"
    let line: Int
    let url: String
    let attempt: Int
    let delayMs: Int
    let error: ErrorFacts
}

private struct HostLine: Encodable {
    let type = "host"
    let host: String
    let change: String
    let pauseMs: Int?
    let perSecond: Double?

    init(_ event: HostEvent) {
        host = SafeText.clean(event.host)
        (change, pauseMs, perSecond) =
            switch event.change {
            case .parked(let pause): ("parked", pause.milliseconds, nil)
            case .slowed(let rate): ("slowed", nil, (rate * 10).rounded() / 10)
            case .circuitOpened(let pause): ("circuit", pause.milliseconds, nil)
            case .givenUp: ("given-up", nil, nil)
            case .resumed: ("resumed", nil, nil)
            }
    }
}

private struct ErrorFacts: Encodable {
    let code: Int
    let kind: String
    let text: String
    let retryable: Bool

    init(_ error: ImageError) {
        code = error.code
        kind = error.family
        text = error.title
        retryable = error.isRetryable
    }

    init(code: Int, text: String) { (self.code, kind, self.text, retryable) = (code, "earlier", text, false) }
}

private struct ItemLine: Encodable {
    let type = "item"
    let list: String
    let line: Int
    let url: String
    let key: String
    let title: String?
    let tags: [String]?
    let status: String
    let attempts: Int
    var http, bytes: Int?
    var format, verdict, mismatch, contentType: String?
    var color: ColorFacts?
    var width, height, frames, durationMs: Int?
    var alpha: Bool?
    var sha256, phash: String?
    var from, via, proto: String?
    var ms: Milliseconds?
    var error: ErrorFacts?

    init(_ item: ItemRecord, _ outcome: ItemOutcome) {
        list = item.list
        line = item.line
        url = item.shown
        key = item.shownKey
        title = item.entry.title.map(Redaction.text)
        tags = item.entry.tags.isEmpty ? nil : item.entry.tags
        attempts = item.attempts
        status = outcome.status
        switch outcome {
        case .finished(let result):
            http = result.metrics?.statusCode
            bytes = result.byteCount
            addFacts(result.facts, item)
            from = result.origin
            via = item.place(of: result)
            proto = result.metrics?.version
            ms = Milliseconds(result)
        case .failed(let reason):
            http = reason.statusCode ?? item.statusCode
            error = ErrorFacts(reason)
        case .failedBefore(let code): error = ErrorFacts(code: code, text: ItemOutcome.beforeText(code: code))
        case .duplicate, .doneBefore, .planned: break
        }
    }
}

extension ItemLine {
    fileprivate mutating func addFacts(_ facts: ImageFacts?, _ item: ItemRecord) {
        guard let facts else { return }
        (format, verdict) = (facts.header?.format.rawValue, facts.verdict?.rawValue)
        (width, height) = (facts.header?.size.width, facts.header?.size.height)
        let countsFrames = !facts.isBeginning || ![.gif, .webP].contains(facts.header?.format)
        (frames, durationMs) = (countsFrames ? facts.header?.frameCount : nil, facts.duration?.milliseconds)
        (color, alpha) = (facts.header?.color, facts.hasAlpha)
        (sha256, phash) = (facts.sha256, facts.hash?.description)
        contentType = facts.contentType.map { SafeText.clean($0) }
        mismatch = facts.mismatch(address: item.shown).map { SafeText.clean($0) }
    }
}

/// The duration of each step; steps that did not happen are omitted.
///
/// `connect` contains DNS, TCP and TLS, which the HTTP client does not report separately.
private struct Milliseconds: Encodable {
    var queue, connect, ttfb, total, decode, store: Int?

    init?(_ result: DataResult) {
        guard result.metrics != nil || result.store != nil || result.decode != nil else { return nil }
        if let metrics = result.metrics {
            queue = metrics.queued.milliseconds
            connect = metrics.connect?.milliseconds
            ttfb = metrics.firstByte.milliseconds
            total = metrics.total.milliseconds
        }
        decode = result.decode?.milliseconds
        store = result.store?.milliseconds
    }
}

private struct TallyLine: Encodable {
    let type: String
    let fetched, hits, revalidated, duplicates, skipped, planned, elsewhere, noted, rejected, failed, cancelled: Int
    let retries, unreadLists, bytesFetched, bytesReceived, bytesFromCache, ms: Int
    var exit: Int?
    var stopped: String?

    init(type: String, _ tally: PrefetchTally) {
        self.type = type
        fetched = tally.fetched
        hits = tally.hits
        revalidated = tally.revalidated
        duplicates = tally.duplicates
        skipped = tally.doneBefore
        planned = tally.planned
        elsewhere = tally.elsewhere
        noted = tally.noted
        rejected = tally.rejected
        failed = tally.failed
        cancelled = tally.cancelled
        retries = tally.retries
        unreadLists = tally.unreadLists
        bytesFetched = tally.bytesFetched
        bytesReceived = tally.bytesReceived
        bytesFromCache = tally.bytesFromCache
        ms = tally.milliseconds
    }
}
