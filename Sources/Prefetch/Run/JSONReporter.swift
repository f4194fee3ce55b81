import AlcedoBrowserCore
import AlcedoConfig
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import Foundation
import ImageLoading
import Retrying

/// Prints one JSON object a line on standard output: start, item, retry, host, rejected, noted, progress, summary.
///
/// `docs/prefetch-events.schema.json` describes them.
struct JSONReporter: PrefetchReporter {
    let console: Console
    private let isWanted: (([String: Any]) -> Bool)?
    private var lastProgress = 0

    /// - Parameter filter: The filter of the items to print; nil for all.
    init(console: Console, filter: ReportFilter? = nil) {
        self.console = console
        isWanted = filter?.predicate()
    }

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

    func finished(_ item: ItemRecord, _ outcome: ItemOutcome) {
        let line = JSONLine.bytes(of: ItemReport(item, outcome))
        if let isWanted, ReportConversion.item(Data(line)).map(isWanted) != true { return }
        console.output(bytes: line)
    }

    /// Prints the progress every ten seconds.
    mutating func tick(_ tally: PrefetchTally) {
        guard tally.milliseconds - lastProgress >= 10_000 else { return }
        lastProgress = tally.milliseconds
        print(TallyLine(type: "progress", tally: tally))
    }

    func asked(_ tally: PrefetchTally) { print(TallyLine(type: "progress", tally: tally)) }

    func finish(_ tally: PrefetchTally) {
        var line = TallyLine(type: "summary", tally: tally)
        line.exit = Int(tally.exitCode)
        line.stopped =
            tally.signal.map { "signal \($0)" }
            ?? (tally.failedTooOften
                ? "failures" : tally.keepsNothing ? "cache" : tally.sinkProblem != nil ? "tar" : nil)
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
    var exit: Int?
    var stopped: String?

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
