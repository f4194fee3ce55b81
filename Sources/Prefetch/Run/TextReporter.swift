import AlcedoBrowserCore
import AlcedoConfig
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import ImageLoading
import Retrying

/// Reports a prefetch in text: as lines for a pipe or a log, or with a progress block on a terminal.
///
/// Lines report failures at once, progress every 30 s or 10 %, then the summary. A block is drawn ten times a second;
/// the summary with the failures stays, and with `--verbose` a line for each item.
struct TextReporter: PrefetchReporter {
    private(set) var state: PrefetchScreenState
    private let console: Console
    private let settings: PrefetchSettings
    private let isQuiet: Bool
    /// The filter of the items that are printed; nil for none.
    private let isWanted: (@Sendable (JSONValue) -> Bool)?
    /// The progress block; nil for plain lines.
    private var block: ProgressBlock?
    private var lastTime = 0
    private var lastTenth = 0

    init(console: Console, settings: PrefetchSettings, isQuiet: Bool = false, hasBlock: Bool = false) {
        (self.console, self.settings, self.isQuiet) = (console, settings, isQuiet)
        isWanted = settings.printsRows ? settings.reportFilter?.predicate() : nil
        block = hasBlock ? ProgressBlock(console: console, environment: settings.library.environment) : nil
        state = PrefetchScreenState(
            title: Redaction.display(settings.heading), isASCII: settings.isASCII, perHost: settings[.perHost])
        if settings.inspection != nil { state.fetchedWord = "checked" }
    }

    var followsTransfers: Bool { block != nil }

    mutating func report(_ event: ReportedEvent) {
        switch event {
        case .start(_, let resumed):
            if !isQuiet, let opening = settings.opening(resumed: resumed) { console.message(opening) }
        case .listGrew(let items, let isFinal): state.listGrew(items: items, isFinal: isFinal)
        case .lineRejected(let line, let list, let reason), .partOmitted(let line, let list, let reason):
            printLine(Redaction.rejection(line, of: list, reason: reason))
        case .started(let item):
            state.resume(item.id)
            transfer(item, received: 0, total: nil)
        case .progress(let item, let progress):
            transfer(item, received: progress.received, total: progress.total)
        case .retrying(let item, error: _, delay: _): state.waitForRetry(item.id)
        case .waits(let item): state.waitForHost(item.id)
        case .hostChanged(let event) where block != nil: state.setNotice(event.change.stateText, of: event.host)
        case .hostChanged(let event): if !isQuiet { console.message(event.line) }
        case .finished(let item, let outcome): finished(item, outcome)
        case .tick(let tally): tick(tally)
        case .asked(let tally):
            record(tally)
            printLine(PrefetchText.plainLine(state))
        case .interrupted(let signal): if !isQuiet { printLine(ItemLineText.interrupted(by: signal)) }
        case .suspend: block?.erase()
        // The shell has written below the block, so a new one begins there.
        case .resume: block?.forget()
        case .finish(let tally): finish(tally)
        }
    }

    private mutating func finished(_ item: ItemRecord, _ outcome: ItemOutcome) {
        keep(item, outcome)
        if let isWanted,
            ReportConversion.item(Data(JSONLine.bytes(of: ItemReport(item, outcome)))).map(isWanted) == true
        {
            console.output(ItemLineText.line(item, outcome))
        }
        if case .planned = outcome { console.output(location: Redaction.display(item.entry.location)) }
        if settings.isVerbose || block == nil && outcome.failure != nil { printLine(ItemLineText.line(item, outcome)) }
    }

    private mutating func tick(_ tally: PrefetchTally) {
        record(tally)
        guard block == nil else {
            block?.draw(state)
            return
        }
        let tenth = state.isListComplete ? state.done * 10 / max(1, state.items) : 0
        guard !isQuiet, tenth > lastTenth || tally.milliseconds - lastTime >= 30_000 else { return }
        lastTenth = tenth
        lastTime = tally.milliseconds
        console.message(PrefetchText.plainLine(state))
    }

    private mutating func finish(_ tally: PrefetchTally) {
        record(tally)
        block?.erase()
        guard !isQuiet else {
            for text in [tally.failedListText, tally.reportText] { text.map(console.message) }
            return
        }
        let command = settings.retryCommand(after: tally)
        let written = (settings.isDryRun ? nil : settings.sink).map { sink in
            "   \(Units.count(tally.written)) written to \(SafeText.clean(sink.folder))"
        }
        (PrefetchText.summary(state, retryCommand: command, naming: naming)
            + (written.map { [$0] } ?? []) + tally.closing).forEach(console.message)
    }

    /// How the summary names failures: not if a line reported each of them.
    private var naming: FailureNaming {
        guard block != nil, !settings.isVerbose else { return .none }
        return settings.failedFile == nil ? .firstAndAdvice : .first
    }

    /// Prints a line, above the block if there is one.
    private mutating func printLine(_ line: String) {
        block?.erase()
        console.message(line)
        block?.draw(state)
    }
}

// MARK: - The state

extension TextReporter {
    private mutating func record(_ tally: PrefetchTally) {
        state.tick(milliseconds: tally.milliseconds, received: tally.bytesReceived)
    }

    /// Updates the state.
    ///
    /// Transfers are identified by the item's number, failures show the line in the list.
    private mutating func keep(_ item: ItemRecord, _ outcome: ItemOutcome) {
        if let failure = outcome.failure {
            let kind = outcome.failureKind ?? failure
            return state.fail(item.id, line: item.line, location: item.shown, reason: failure, kind: kind)
        }
        switch outcome {
        case .finished(let result): state.finish(item.id, result.outcome, bytes: result.byteCount)
        case .duplicate: state.finish(item.id, .duplicate)
        case .planned: state.finish(item.id, .planned)
        case .failed: state.cancel(item.id)
        case .doneBefore, .failedBefore, .leftOut, .rejected: state.finish(item.id, .skipped)
        }
    }

    private mutating func transfer(_ item: ItemRecord, received: Int, total: Int?) {
        guard followsTransfers else { return }
        let row = item.row
        state.transfer(item.id, name: row.name, host: row.place, received: received, total: total)
    }
}

extension PrefetchTally {
    /// The remarks below the summary.
    var closing: [String] {
        let remarks: [(applies: Bool, text: String)] = [
            (items + rejected + elsewhere + unreadLists == 0 && !isCutShort, "the lists name no pictures"),
            (rejected > 0, "\(Units.counted(rejected, "line")) or folders could not be used"),
            (noted > 0, "\(Units.counted(noted, "time")) a part of a line was left out"),
            (unreadLists > 0, "\(Units.counted(unreadLists, "list")) could not be read completely"),
            (leftOut > 0, "\(Units.counted(leftOut, "picture")) left out by --keep"),
            (cancelled > 0, "\(Units.counted(cancelled, "picture")) skipped"),
            (elsewhere > 0, "\(Units.counted(elsewhere, "picture")) of other shards"),
            (failedTooOften, "aborted: more failures than --max-failures allows; the same command resumes here"),
            (keepsNothing, "the cache cannot be written; alcedo doctor shows its folder"),
            (sinkProblem != nil, "aborted: \(sinkProblem ?? ""); the same command resumes here"),
            (failedListText != nil, failedListText ?? ""),
            (reportText != nil, reportText ?? ""),
            (isOutgrown, "the cache is too small: the first pictures were evicted; raise max-size in [cache]"),
            (signal != nil, "interrupted; the same command resumes here"),
        ]
        return remarks.filter(\.applies).map { "   " + $0.text }
    }

    /// Why the list of failed items is incomplete.
    var failedListText: String? {
        failedListProblem.map { "the list of failed pictures is incomplete: \($0)" }
    }

    /// Why there is no report.
    var reportText: String? { reportProblem.map { "there is no report: \($0)" } }

}

extension HostEvent {
    /// The change as a line of text.
    var line: String { "host \(SafeText.clean(host))  \(change.text)" }
}
