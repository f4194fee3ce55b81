import AlcedoBrowserCore
import AlcedoConfig
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import Glibc
import ImageLoading
import Retrying

/// An event of a prefetch.
enum ReportedEvent {
    /// The run begins; the interrupted run finished `resumed` items.
    case start(PrefetchSettings, resumed: Int)
    /// More items are known.
    case listGrew(items: Int, isFinal: Bool)
    case lineRejected(Int, list: String, reason: String)
    /// A part of a usable line was left out.
    case partOmitted(Int, list: String, reason: String)
    case started(ItemRecord)
    case progress(ItemRecord, DownloadProgress)
    case retrying(ItemRecord, error: ImageError, delay: Duration)
    /// An item waits for its host, which has paused or is failing.
    case waits(ItemRecord)
    case hostChanged(HostEvent)
    case finished(ItemRecord, ItemOutcome)
    case tick(PrefetchTally)
    /// The user asked for the state with a signal.
    case asked(PrefetchTally)
    /// A signal was received, and nothing new is started.
    case interrupted(by: Int32)
    /// The process is about to stop.
    case suspend
    /// The process continues after a stop.
    case resume
    case finish(PrefetchTally)
}

/// Reports the progress of a prefetch, as text or as JSON, with redacted names of lists and reasons.
protocol PrefetchReporter {
    /// Whether it shows running transfers.
    var followsTransfers: Bool { get }
    mutating func report(_ event: ReportedEvent)
}

extension PrefetchReporter {
    var followsTransfers: Bool { false }
}

extension [any PrefetchReporter] {
    mutating func report(_ event: ReportedEvent) {
        for index in indices { self[index].report(event) }
    }
}

extension Redaction {
    /// Returns the message about an unusable line, or the reason alone if there is no line.
    package static func rejection(_ line: Int, of list: String, reason: String) -> String {
        line > 0 ? "\(display(list)): line \(line): \(reason)" : reason
    }
}

/// The text line about the outcome of one item.
enum ItemLineText {
    static func interrupted(by signal: Int32) -> String {
        let again = signal == SIGINT ? "press ctrl-c again to stop now" : "another signal stops them now"
        return "Interrupted: finishing running downloads (\(PrefetchProgram.grace(after: signal).shortText)); \(again)"
    }

    static func line(_ item: ItemRecord, _ outcome: ItemOutcome) -> String {
        let place = item.line > 0 ? "line \(item.line)  " : ""
        return "\(outcome.status)  \(place)\(item.shown)" + facts(of: item, outcome).map { "  " + $0 }.joined()
    }

    private static func facts(of item: ItemRecord, _ outcome: ItemOutcome) -> [String] {
        if let failure = outcome.failure { return [failure] }
        guard case .finished(let result) = outcome else { return [] }
        let place = item.place(of: result).map { ["by " + $0] } ?? []
        let time = result.metrics.map { [Units.duration(milliseconds: $0.total.milliseconds), $0.version] } ?? []
        return (result.byteCount > 0 ? [Units.bytes(result.byteCount)] : []) + time + place
    }
}

extension PrefetchSettings {
    /// The title of the progress.
    var heading: String { title ?? (lists.count == 1 ? lists[0] : "\(lists.count) sources") }

    /// Returns the command that retries the failed items, from the list of failed items or else from the original
    /// lists.
    ///
    /// Returns nil if the list came from standard input and was not saved. Also nil after an interrupted run, which the
    /// same command resumes.
    func retryCommand(after tally: PrefetchTally) -> String? {
        if let failedFile, !isDryRun, tally.failedListProblem == nil {
            return "\(command) \(Console.quoted(failedFile))"
        }
        guard !lists.contains("-"), !tally.isCutShort else { return nil }
        return isPlain
            ? command + " " + lists.map(Console.quoted).joined(separator: " ") : "with the same command"
    }

    private var command: String {
        switch inspection {
        case nil: sinkCommand
        case .beginning: "alcedo check"
        case .whole: "alcedo check --full"
        }
    }

    private var sinkCommand: String {
        switch sink {
        case nil: "alcedo prefetch"
        case .tar(let folder): "alcedo prefetch --to \(Console.quoted("tar:\(folder)"))"
        case .folder(let folder, let template, keepsAddress: _):
            "alcedo download -o \(Console.quoted(folder))"
                + (template == .standard ? "" : " --name \(Console.quoted(template.text))")
        }
    }

    /// Whether the lists alone determine the run and contain no secrets.
    private var isPlain: Bool {
        library.connection == ConnectionSettings() && variants.isEmpty && base == nil && shard == nil
            && freshness == .ifNotCached && lists.allSatisfy { Redaction.display($0) == $0 }
    }

    /// Returns the first line of the output; nil if there is nothing to say.
    func opening(resumed: Int) -> String? {
        resumed > 0 ? "resuming after \(Units.count(resumed)) of an interrupted run; --no-resume starts over" : nil
    }
}
