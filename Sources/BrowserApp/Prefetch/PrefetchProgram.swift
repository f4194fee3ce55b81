import BrowserCore
import Foundation
import ImageLoading
import Lists

/// Prefetches lists without a screen: reads, fetches, reports.
///
/// Memory does not grow with the list: only items on their way are held.
public actor PrefetchProgram {
    private let settings: PrefetchSettings
    private let library: Library
    private let prefetcher: ImagePrefetcher
    private var reporter: any PrefetchReporter
    private var tally = PrefetchTally()
    private var running: [Int: ItemRecord] = [:]
    private var duplicates = DuplicateFilter()
    private var failures: FailureList?
    private var lastID = -1
    private var listProblems: [String] = []

    /// Opens the library; a failed list that cannot be written is a `ProgramProblem`.
    public init(settings: PrefetchSettings, console: Console = Console()) throws(ProgramProblem) {
        self.settings = settings
        library = Library(settings: settings.library)
        var options = library.options()
        options.cache.forceRefresh = settings.refreshes
        prefetcher = ImagePrefetcher(
            pipeline: library.pipeline, options: options, maxConcurrentDownloads: settings.library.jobs,
            maxPerHost: settings.library.perHost)
        reporter = Reporters.reporter(for: settings, console: console)
        failures = try settings.failedFile.map { path throws(ProgramProblem) in try FailureList(path: path) }
        if let problem = library.diskProblem { throw ProgramProblem("nothing can be kept: \(problem)") }
    }

    /// Runs to the end of the lists, or until `interrupt`; answers how it went.
    public func run() async throws(ProgramProblem) -> PrefetchTally {
        let started = ContinuousClock.now
        reporter.start(lists: settings.lists.map { Redacted.text($0) }, jobs: settings.library.jobs)
        reporter.tick(milliseconds: 0, tally: tally)
        let ticking = Task { await tick(since: started) }
        let reading = Task { await readLists() }
        for await event in prefetcher.events { take(event) }
        await reading.value
        ticking.cancel()
        tally.milliseconds = started.duration(to: .now).milliseconds
        let isUnread = tally.items == 0 && !listProblems.isEmpty
        if !isUnread { reporter.finish(tally) }
        failures?.close()
        await library.close()
        if let problem = listProblems.first, isUnread { throw ProgramProblem(problem) }
        return tally
    }

    /// The first signal lets running transfers end and starts nothing new; the second stops at once.
    public func interrupt(signal: Int32) async {
        let isFirst = tally.signal == nil
        tally.signal = signal
        if isFirst { await prefetcher.drain() } else { await prefetcher.stop() }
    }
}

// MARK: - Reading

extension PrefetchProgram {
    private func readLists() async {
        for list in settings.lists where tally.signal == nil {
            do {
                let source = try ListSource.recognise(list)
                for try await event in ListReader(source, base: settings.base) {
                    guard tally.signal == nil else { break }
                    await take(event.picturesOnly, of: list, isLine: source.hasLines)
                }
            } catch {
                listProblems.append("\(error)")
                // A lone list's problem ends the run and is said there.
                guard settings.lists.count > 1 else { continue }
                reporter.lineRejected(0, list: list, reason: "\(error)")
                tally.skipped += 1
            }
        }
        reporter.listGrew(items: lastID + 1, isFinal: true)
        await prefetcher.finish()
    }

    private func take(_ event: ListEvent, of list: String, isLine: Bool) async {
        switch event {
        case .rejected(let line, let reason):
            tally.skipped += 1
            reporter.lineRejected(line, list: list, reason: reason)
        case .entry(var entry):
            if !isLine { entry.line = 0 }
            await add(entry)
        }
    }

    private func add(_ entry: ListEntry) async {
        lastID += 1
        let record = ItemRecord(id: lastID, entry: entry)
        reporter.listGrew(items: lastID + 1, isFinal: false)
        if duplicates.insert(entry.location, at: lastID) != nil { return end(record, .duplicate) }
        guard let source = SourceReference.source(for: entry.location) else {
            return end(record, .failed(.request(.invalidURL("only http, https, file and data can be read"))))
        }
        running[record.id] = record
        await prefetcher.add(PrefetchItem(id: record.id, source: source))
    }
}

// MARK: - Reporting

extension PrefetchProgram {
    private func take(_ event: PrefetchEvent) {
        switch event {
        case .started(let id): if let item = running[id] { reporter.started(item) }
        case .progress(let id, let progress): if let item = running[id] { reporter.progress(item, progress) }
        case .retrying(let id, let attempt, let error, let delay):
            running[id]?.attempts = attempt
            tally.retries += 1
            if let item = running[id] { reporter.retrying(item, error: error, delay: delay) }
        case .parked: break
        case .hostChanged(let event): reporter.hostChanged(event)
        case .finished(let id, let result): end(id, .ended(result))
        case .failed(let id, let error): end(id, .failed(error))
        }
    }

    private func end(_ id: Int, _ outcome: ItemOutcome) {
        if let item = running.removeValue(forKey: id) { end(item, outcome) }
    }

    private func end(_ item: ItemRecord, _ outcome: ItemOutcome) {
        tally.add(outcome)
        reporter.ended(item, outcome)
        if case .failed(let error) = outcome { failures?.add(item.location, reason: error.title) }
    }

    private func tick(since started: ContinuousClock.Instant) async {
        while (try? await Task.sleep(for: .milliseconds(100))) != nil {
            reporter.tick(milliseconds: started.duration(to: .now).milliseconds, tally: tally)
        }
    }
}

extension ListSource {
    /// Whether its entries stand in lines that a person can look up.
    fileprivate var hasLines: Bool {
        switch self {
        case .file, .standardInput: true
        case .folder, .picture: false
        }
    }
}

extension ItemRecord {
    init(id: Int, entry: ListEntry) {
        let item = BrowseItem(id: ItemID(id), entry: entry)
        self.init(
            id: id, line: entry.line, location: entry.location, shown: item.location, name: item.name,
            host: item.place)
    }
}
