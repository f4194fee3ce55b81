import BrowserCore
import Foundation
import ImageLoading
import Lists
import Retrying

/// Prefetches lists without a screen: reads, fetches, reports.
///
/// Only items on their way are held; what grows with the list is some 30 bytes a picture, to find duplicates.
public actor PrefetchProgram {
    private let settings: PrefetchSettings
    private let library: Library
    private let prefetcher: ImagePrefetcher
    private let loading: EntryLoading
    private let journal: PrefetchJournal?
    private let console: Console
    private let clock: any Clock<Duration>
    private var reporter: any PrefetchReporter
    private var tally = PrefetchTally()
    private var running: [Int: ItemRecord] = [:]
    /// Done by an earlier run, and perhaps evicted since: looked for in the cache many at a time.
    private var returning: [(record: ItemRecord, item: PrefetchItem)] = []
    private var takingBack: Task<Void, Never>?
    private var duplicates = DuplicateFilter()
    private var failures: FailureList?
    private var lastID = -1
    private var unkept = UnkeptRun()
    /// Of what came, what has been used longest ago.
    private var firstFetched: CacheEntryKey?
    private var sweeping: Task<Void, Never>?
    /// What of the index has been taken over, each time that it turned out to be damaged.
    private var listProblems: [String] = []
    /// Stops of our own from which the process has not been told to go on.
    private var suspensions = 0
    private var reading: Task<Void, Never>?
    private var ending: Task<Void, Never>?

    /// How long running transfers may go on after an interrupt.
    static let grace = Duration.seconds(10)
    private static let returningLimit = 256

    /// Opens the library; a failed list that cannot be written is a `ProgramProblem`.
    public init(
        settings: PrefetchSettings, console: Console = Console(), clock: any Clock<Duration> = ContinuousClock()
    ) throws(ProgramProblem) {
        self.settings = settings
        tally.isStrict = settings.isStrict
        self.console = console
        self.clock = clock
        var librarySettings = settings.library
        // A dry run makes no cache where there is none.
        if settings.isDryRun, let folder = try? librarySettings.diskFolder(), !folder.exists {
            librarySettings.usesDisk = false
        }
        library = Library(settings: librarySettings)
        let options = library.options().prefetching(settings)
        loading = EntryLoading(options: options, variants: settings.variants.map(\.processor))
        let reporter = Reporters.reporter(for: settings, console: console)
        self.reporter = reporter
        prefetcher = ImagePrefetcher(
            pipeline: library.pipeline, options: options, maxConcurrentDownloads: settings.library.jobs,
            maxPerHost: settings.library.perHost, followsTransfers: reporter.followsTransfers)
        // Who stores waits for one who holds the index, and makes room where there is any to be made.
        switch library.diskProblem {
        case nil, .noRoom, .locked: break
        // Who only looks keeps nothing.
        case _? where settings.isDryRun: break
        case let problem?: throw ProgramProblem("cannot write the cache: \(problem)")
        }
        let failedFile = settings.isDryRun ? nil : settings.failedFile
        if let failedFile, settings.lists.contains(where: { Self.isSame($0, failedFile) }) {
            throw ProgramProblem("\(failedFile) is one of the lists; choose another file for the failed ones")
        }
        failures = try failedFile.map { path throws(ProgramProblem) in try FailureList(path: path) }
        journal = settings.isDryRun ? nil : PrefetchJournal(of: settings)
    }

    /// Runs to the end of the lists, or until `interrupt`; answers how it went.
    public func run() async throws(ProgramProblem) -> PrefetchTally {
        let started = ContinuousClock.now
        reporter.start(settings, resumed: journal?.earlierCount ?? 0)
        reporter.tick(tally)
        let ticking = Task { await tick(since: started) }
        let reading = Task { await readLists() }
        self.reading = reading
        for await event in prefetcher.events { await take(event) }
        await reading.value
        ticking.cancel()
        ending?.cancel()
        measure(since: started)
        tally.isUnread = tally.items == 0 && tally.elsewhere == 0 && !listProblems.isEmpty
        tally.isOutgrown = await hasOutgrownCache
        // A list may be too short for that to show before its end.
        if unkept.length > 0, tally.usable == 0, case .unavailable = library.cache.disk?.availability {
            tally.keepsNothing = true
        }
        tally.failedListProblem = failures?.problem
        if !tally.isUnread || settings.printsJSON { reporter.finish(tally) }
        if library.cache.disk?.wasReset == true { console.message(CacheInspector.resetMessage) }
        failures?.close()
        journal?.end(isDone: !tally.isCutShort && !tally.isUnread)
        let result = tally
        if !settings.isDryRun, result.signal == nil { await sweep() }
        await library.close()
        if let problem = listProblems.first, result.isUnread { throw ProgramProblem(problem) }
        return result
    }

    /// Once a day; a signal ends it, and is no end of the run, which is over.
    private func sweep() async {
        let disk = library.cache.disk
        let sweeping = Task { _ = await disk?.sweep(isDaily: true) }
        self.sweeping = sweeping
        await sweeping.value
    }

    /// Whether so much came that the first of it has gone again.
    private var hasOutgrownCache: Bool {
        get async {
            guard let disk = library.cache.disk, let firstFetched, disk.runTally.evictions[.sizeLimit] ?? 0 > 0 else {
                return false
            }
            return await !disk.isCached(firstFetched)
        }
    }

    private static func key(of item: ItemRecord) -> CacheEntryKey? {
        SourceReference.source(for: item.entry.location, key: item.entry.key).map { CacheEntryKey(source: $0.cacheKey) }
    }

    /// Takes the progress block away, and stops the process as ctrl-z does.
    public func suspend() {
        reporter.suspend()
        suspensions += 1
        ProcessStop.stop()
    }

    /// The process goes on after a stop: where others have written to the terminal, the block is drawn anew below.
    public func resume() {
        // The block was taken away before a stop of our own.
        guard suspensions == 0 else {
            suspensions -= 1
            return
        }
        reporter.resume()
    }

    /// The first signal lets running transfers end, for 10 s, and starts nothing new; the second stops at once.
    public func interrupt(signal: Int32) async {
        if let sweeping { return sweeping.cancel() }
        let isFirst = tally.signal == nil
        tally.signal = signal
        guard isFirst else { return await prefetcher.stop() }
        endEarly()
        if !running.isEmpty { reporter.interrupted() }
    }

    private static func isSame(_ list: String, _ file: String) -> Bool {
        URL(filePath: list).resolvingSymlinksInPath() == URL(filePath: file).resolvingSymlinksInPath()
    }

    private func endEarly() {
        guard ending == nil else { return }
        reading?.cancel()
        library.downloader.drain()
        ending = Task {
            await prefetcher.drain()
            guard (try? await clock.sleep(for: Self.grace)) != nil else { return }
            await prefetcher.stop()
        }
    }
}

// MARK: - Reading

extension PrefetchProgram {
    private func readLists() async {
        let (pipeline, options) = (library.pipeline, loading.options)
        var walk = ListWalk(base: settings.base) { url throws(ImageError) in
            try await pipeline.document(at: url, options: options)
        }
        for list in settings.lists where !tally.isCutShort { await walk.read(list) { await take($0) } }
        await takeBack()
        reporter.listGrew(items: lastID + 1, isFinal: true)
        await prefetcher.finish()
    }

    /// Answers whether the lists are to be read on.
    private func take(_ finding: ListWalk.Finding) async -> Bool {
        guard !tally.isCutShort else { return false }
        switch finding {
        case .picture(let entry, let list):
            failures?.begin()
            await add(entry, of: list)
        case .noted(let line, let list, let reason):
            tally.noted += 1
            reporter.partLeftOut(line, list: list, reason: reason)
        case .rejected(let line, let list, let reason):
            failures?.begin()
            tally.rejected += 1
            reporter.lineRejected(line, list: list, reason: reason)
        case .unreadLink(let line, let list, let reason):
            failures?.begin()
            tally.unreadLists += 1
            reporter.lineRejected(line, list: list, reason: reason)
        case .unread(let list, let reason): miss(list, because: reason)
        }
        return !tally.isCutShort
    }

    /// A list that the user named cannot be read, or no further.
    private func miss(_ list: String, because reason: String) {
        listProblems.append(reason)
        tally.unreadLists += 1
        // A lone list's problem ends the run and is said there.
        guard settings.lists.count > 1 || lastID >= 0 else { return }
        reporter.lineRejected(0, list: list, reason: reason)
    }

    private func add(_ entry: ListEntry, of list: String) async {
        let record = ItemRecord(id: lastID + 1, entry: entry, list: list)
        if let shard = settings.shard, !shard.contains(record.name) {
            tally.elsewhere += 1
            return
        }
        lastID += 1
        reporter.listGrew(items: lastID + 1, isFinal: false)
        if duplicates.insert(record.work.text, at: lastID) != nil { return end(record, .duplicate) }
        do throws(ImageError) {
            let item = try loading.item(record.id, entry)
            if journal?.outcome(of: record.work) == .usable, item.source.url != nil {
                returning.append((record, item))
                return returning.count < Self.returningLimit ? () : await takeBack()
            }
            await takeBack()
            if let outcome = await outcomeWithoutWork(of: record, item.source) { return end(record, outcome) }
            await begin(record, item)
        } catch {
            end(record, .failed(error))
        }
    }

    private func begin(_ record: ItemRecord, _ item: PrefetchItem) async {
        running[record.id] = record
        await prefetcher.add(item)
    }

    /// Takes back what is returning, after what was before it.
    private func takeBack() async {
        if takingBack == nil, !returning.isEmpty {
            takingBack = Task {
                while !returning.isEmpty { await settleReturning() }
                takingBack = nil
            }
        }
        await takingBack?.value
    }

    /// Ends those of the returning items that the cache still has, and begins the others.
    private func settleReturning() async {
        let items = returning
        returning = []
        let keys = items.map { Self.keys(of: $0.item) }
        let kept = await library.cache.disk?.areCached(keys.flatMap(\.self)) ?? []
        var place = 0
        for ((record, item), keys) in zip(items, keys) {
            let isKept = kept.dropFirst(place).prefix(keys.count).count(where: \.self) == keys.count
            place += keys.count
            if isKept {
                end(record, .doneBefore)
            } else if tally.isCutShort {
                end(record, .failed(.cancelled))
            } else {
                await begin(record, item)
            }
        }
    }

    /// What an item leaves in the cache: the original, and what each processor makes of it.
    private static func keys(of item: PrefetchItem) -> [CacheEntryKey] {
        let source = item.source.cacheKey
        return [CacheEntryKey(source: source)]
            + item.variants.map { CacheEntryKey(source: source, processor: $0.identifier, kind: .processed) }
    }

    /// How an item ends for which nothing is to be done: one that is done already, or any in a dry run.
    private func outcomeWithoutWork(of record: ItemRecord, _ source: Source) async -> ItemOutcome? {
        if settings.isDryRun {
            let key = CacheEntryKey(source: source.cacheKey)
            guard settings.freshness == .ifNotCached, let entry = await library.cache.disk?.liveEntry(for: key)
            else { return .planned }
            return .ended(DataResult(cacheType: .disk, byteCount: entry.length, metrics: nil))
        }
        switch journal?.outcome(of: record.work) {
        case .failed(let code): return .failedBefore(code: code)
        // A file is as near as the cache.
        case .usable: return .doneBefore
        case nil: return nil
        }
    }
}

// MARK: - Reporting

extension PrefetchProgram {
    private func take(_ event: PrefetchEvent) async {
        switch event {
        case .started(let id): if let item = running[id] { reporter.started(item) }
        case .progress(let id, let progress): if let item = running[id] { reporter.progress(item, progress) }
        case .retrying(let id, let attempt, let error, let delay):
            running[id]?.attempts = attempt
            tally.retries += 1
            if let item = running[id] { reporter.retrying(item, error: error, delay: delay) }
        case .parked(let id, let rejection):
            if rejection.isTrouble, let item = running[id] { reporter.waits(item) }
        case .hostChanged(let event): reporter.hostChanged(event)
        case .answered(let id, let statusCode, _): running[id]?.statusCode = statusCode
        case .finished(let id, let result):
            await shortenLife(id, result)
            end(id, await pinned(id, result))
        case .failed(let id, let error): end(id, .failed(error))
        }
    }

    /// What is there lives no longer than its list says now.
    private func shortenLife(_ id: Int, _ result: DataResult) async {
        guard let entry = running[id]?.entry, let life = entry.timeToLive, result.outcome == .hit,
            let disk = library.cache.disk, let source = source(of: entry),
            let kept = await disk.entry(for: CacheEntryKey(source: source.cacheKey))
        else { return }
        try? await disk.shortenLife(of: kept, to: .seconds(life / .seconds(1)))
    }

    /// Keeps eviction off a picture and what is made of it, or lets it at them again, where its list says so.
    ///
    /// One that has been evicted by now has failed: what is pinned fills the cache.
    private func pinned(_ id: Int, _ result: DataResult) async -> ItemOutcome {
        guard let entry = running[id]?.entry, let isPinned = entry.pin, let disk = library.cache.disk,
            let source = source(of: entry), result.origin != "file"
        else { return .ended(result) }
        do throws(DiskCacheError) {
            guard let kept = await disk.entry(for: CacheEntryKey(source: source.cacheKey)) else {
                return isPinned ? .failed(Self.notPinned) : .ended(result)
            }
            let variants =
                running[id]?.entry.process == nil && settings.variants.isEmpty
                ? [] : try await disk.variants(of: kept)
            let count = try await disk.setPinned(isPinned, ids: [kept.id] + variants.map(\.id))
            return isPinned && count == 0 ? .failed(Self.notPinned) : .ended(result)
        } catch {
            return .failed(ImageError(error))
        }
    }

    /// What an entry is loaded from.
    private func source(of entry: ListEntry) -> Source? {
        let small = settings.usesLowData ? entry.lowData.flatMap { SourceReference.source(for: $0) } : nil
        return small ?? SourceReference.source(for: entry.location, key: entry.key)
    }

    private static let notPinned = ImageError.cache(
        .cannotStore("evicted before it could be pinned: pinned pictures fill the cache; raise max-size in [cache]"))

    private func end(_ id: Int, _ outcome: ItemOutcome) {
        if let item = running.removeValue(forKey: id) { end(item, outcome) }
    }

    private func end(_ item: ItemRecord, _ outcome: ItemOutcome) {
        tally.add(outcome)
        switch outcome {
        case .ended(let result):
            journal?.note(item.work)
            unkept.end()
            if firstFetched == nil, result.cacheType == .none { firstFetched = Self.key(of: item) }
        case .failed(let error) where error.isTaskCancelled: break
        case .failed(let error):
            failures?.add(item.entry, reason: error.title)
            if error.isFinal { journal?.note(item.work, code: error.code) }
            note(error)
        case .failedBefore(let code): failures?.add(item.entry, reason: ItemOutcome.beforeText(code: code))
        case .duplicate, .doneBefore, .planned: break
        }
        // What is told has been noted: who stops the run now gets it from the next one.
        reporter.ended(item, outcome)
        if !tally.failedTooOften, tally.passes(settings.failureLimit, returning: returning.count) {
            tally.failedTooOften = true
            endEarly()
        }
    }

    /// Where nothing can be kept, nothing more is fetched.
    private func note(_ error: ImageError) {
        guard case .cache = error, let disk = library.cache.disk, case .unavailable = disk.availability else { return }
        guard unkept.grow(at: .now, mayPass: !disk.lacksRoom), !tally.isCutShort else { return }
        tally.keepsNothing = true
        endEarly()
    }

    private func measure(since started: ContinuousClock.Instant) {
        tally.milliseconds = started.duration(to: .now).milliseconds
        tally.bytesReceived = library.downloader.receivedByteCount
    }

    /// Nobody reads what happens any more, as when `head` has what it wants.
    private func endUnheard() {
        guard settings.printsJSON, Console.isUnread, !tally.isCutShort else { return }
        tally.isUnheard = true
        endEarly()
    }

    private func tick(since started: ContinuousClock.Instant) async {
        while (try? await Task.sleep(for: .milliseconds(100))) != nil {
            measure(since: started)
            reporter.tick(tally)
            endUnheard()
            // A list that comes slowly must not hold up what it has named; and the ticks wait for nobody.
            if takingBack == nil, !returning.isEmpty { Task { await takeBack() } }
        }
    }
}
