import AlcedoBrowserCore
import AlcedoConfig
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import ImageLoading
import Retrying

/// Prints one JSON object a line on standard output: start, item, retry, host, rejected, noted, progress, summary.
///
/// `docs/prefetch-events.schema.json` describes them.
struct JSONReporter: PrefetchReporter {
    let console: Console
    private let isWanted: ((JSONValue) -> Bool)?
    private var lastProgress = 0

    /// - Parameter filter: The filter of the items to print; nil for all.
    init(console: Console, filter: ReportFilter? = nil) {
        self.console = console
        isWanted = filter?.predicate()
    }

    mutating func report(_ event: ReportedEvent) {
        switch event {
        case .start(let settings, let resumed): print(StartLine(settings, resumed: resumed))
        case .lineRejected(let line, let list, let reason): print(RejectedLine(list: list, line: line, reason: reason))
        case .partOmitted(let line, let list, let reason):
            print(RejectedLine(type: "noted", list: list, line: line, reason: reason))
        case .retrying(let item, let error, let delay):
            print(
                RetryLine(
                    line: item.line, url: item.shown, attempt: item.attempts, delayMs: delay.milliseconds,
                    error: ErrorFacts(error)))
        case .hostChanged(let event): print(HostLine(event))
        case .finished(let item, let outcome):
            let line = JSONLine.bytes(of: ItemReport(item, outcome))
            if let isWanted, ReportConversion.item(Data(line)).map(isWanted) != true { return }
            console.output(bytes: line)
        case .tick(let tally):
            guard tally.milliseconds - lastProgress >= 10_000 else { return }
            lastProgress = tally.milliseconds
            print(TallyLine(type: "progress", tally: tally))
        case .asked(let tally): print(TallyLine(type: "progress", tally: tally))
        case .finish(let tally): print(TallyLine(summary: tally))
        case .listGrew, .started, .progress, .waits, .interrupted, .suspend, .resume: break
        }
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
        jobs = settings[.jobs]
        perHost = settings[.perHost]
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

/// The counters with the end of the run, if it has ended.
private struct TallyLine: Encodable {
    let type: String
    let tally: PrefetchTally
    private let exit: Int?
    private let stopped: String?

    init(type: String, tally: PrefetchTally) { (self.type, self.tally, exit, stopped) = (type, tally, nil, nil) }

    init(summary tally: PrefetchTally) {
        (type, self.tally, exit) = ("summary", tally, Int(tally.exitCode))
        stopped =
            tally.signal.map { "signal \($0)" }
            ?? (tally.failedTooOften
                ? "failures" : tally.keepsNothing ? "cache" : tally.sinkProblem != nil ? "tar" : nil)
    }

    private enum CodingKeys: String, CodingKey {
        case type, exit, stopped
    }

    func encode(to encoder: any Encoder) throws {
        try tally.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type, forKey: .type)
        try container.encodeIfPresent(exit, forKey: .exit)
        try container.encodeIfPresent(stopped, forKey: .stopped)
    }
}
