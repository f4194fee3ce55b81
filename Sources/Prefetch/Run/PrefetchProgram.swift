import AlcedoBrowserCore
import AlcedoConfig
import AlcedoFileOperations
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import Glibc
import ImageLoading
import Retrying

/// Prefetches lists without a screen.
///
/// Only active items are held in memory; to find duplicates, 30 bytes are kept for each picture.
package actor PrefetchProgram {
    let settings: PrefetchSettings
    let library: ImageServices
    private let prefetcher: ImagePrefetcher
    private let loading: PrefetchItemBuilder
    let journal: PrefetchJournal?
    let console: Console
    private let clock: any Clock<Duration>
    private var reporters: [any PrefetchReporter]
    private var metrics: MetricsFile?
    /// Whether all lists were read, and whether it was said that the cache is too small for them.
    private(set) var isListRead = false
    var (hasWarned, tally) = (false, PrefetchTally())
    var running: [Int: ItemRecord] = [:]
    private var duplicates = DuplicateFilter()
    private var failures: FailureList?
    var report: ReportFile?
    let sink: (any PictureSink)?
    /// A filter as it was written, and its test of items.
    typealias Judge = (text: String, accepts: (JSONValue) -> Bool)
    /// The filters of the pictures that are kept, and of those that count as failed.
    let keep, reject: Judge?
    /// The pictures in the folder; a picture that is processed in several ways is written once.
    var packedNames = DuplicateFilter()
    /// The pictures in the unfinished tar file; the journal records them when the file is complete.
    var unrecorded: [String] = []
    /// The number of thumbnails in the report.
    var thumbnails = 0
    private(set) var lastID = -1
    private var storeFailures = ConsecutiveStoreFailures()
    /// The first picture that was downloaded, which is the first to be evicted.
    private var firstFetched: CacheEntryKey?
    private var sweeping: Task<Void, Never>?
    private var listProblems: [String] = []
    /// The number of stops by ``suspend()`` for which the continue signal has not been handled yet.
    private var suspensions = 0
    private var reading: Task<Void, Never>?
    private var stopping: Task<Void, Never>?

    /// Returns how long running transfers may continue after a signal.
    ///
    /// `docker stop` and closing terminals send SIGTERM or SIGHUP and kill the process after 10 s. The summary must
    /// come before that.
    static func grace(after signal: Int32) -> Duration { .seconds(signal == SIGINT ? 10 : 5) }

    /// Opens the library; throws a `ProgramProblem` if the cache or the list of failed items cannot be written.
    package init(
        settings: PrefetchSettings, console: Console = Console(), clock: any Clock<Duration> = ContinuousClock()
    ) throws(ProgramProblem) {
        self.settings = settings
        tally.isStrict = settings.isStrict
        self.console = console
        self.clock = clock
        var librarySettings = settings.library
        // A dry run and a check create no cache.
        if settings.storesNothing, let folder = try? librarySettings.diskFolder(), !folder.exists {
            librarySettings.usesDisk = false
        }
        sink = try settings.sink?.open(settings.encoding, isDryRun: settings.isDryRun)
        func judge(_ filter: ReportFilter?) -> Judge? { filter.map { ($0.text, $0.predicate()) } }
        (keep, reject) = (judge(settings.keep), judge(settings.reject))
        // The folder belongs to this run now; a killed one may have left a cache there.
        if !settings.keepsCache, !settings.isDryRun, let folder = settings.sink?.folder {
            try? FileManager.default.removeItem(atPath: Self.temporaryCache(in: folder))
            librarySettings.usesCache(at: Self.temporaryCache(in: folder), bytes: 1 << 30)
        }
        if let problem = librarySettings.proxies.problem { throw ProgramProblem(problem) }
        if let problem = ProcessLimits.problem(transfers: librarySettings[.jobs]) { throw ProgramProblem(problem) }
        library = ImageServices(settings: librarySettings)
        let options = library.options().prefetching(settings)
        // What is processed for the folder is not cached.
        loading = PrefetchItemBuilder(
            options: options, variants: settings.encoding == nil ? settings.variants.map(\.processor) : nil)
        let reporters = try settings.reporters(console: console)
        metrics = try settings.metricsFile.map { path throws(ProgramProblem) in try MetricsFile(path: path) }
        self.reporters = reporters
        prefetcher = ImagePrefetcher(
            pipeline: library.pipeline, options: options, maxConcurrentDownloads: settings[.jobs],
            maxPerHost: settings[.perHost], followsTransfers: reporters.contains { $0.followsTransfers })
        // A store waits for a lock and frees space if it can.
        switch library.diskProblem {
        case nil, .noRoom, .locked: break
        case _? where settings.storesNothing: break
        case let problem?: throw ProgramProblem("cannot write the cache: \(problem)")
        }
        let failedFile = settings.isDryRun ? nil : settings.failedFile
        if let failedFile, settings.lists.contains(where: { Self.isSame($0, failedFile) }) {
            throw ProgramProblem("\(failedFile) is one of the lists; choose another file for the failed ones")
        }
        if let reportFile = settings.reportFile,
            (settings.lists + (failedFile.map { [$0] } ?? [])).contains(where: { Self.isSame($0, reportFile) })
        {
            throw ProgramProblem("\(reportFile) is a list of this run; choose another file for the report")
        }
        failures = try failedFile.map { path throws(ProgramProblem) in try FailureList(path: path) }
        journal = settings.isDryRun ? nil : PrefetchJournal(of: settings)
        let isResumed = (journal?.earlierCount ?? 0) > 0
        report = try settings.reportFile.map { path throws(ProgramProblem) in
            try ReportFile(path: path, filter: settings.reportFilter, continues: isResumed)
        }
    }

    /// Runs to the end of the lists, or until ``interrupt(signal:)``, and returns the tally.
    package func run() async throws(ProgramProblem) -> PrefetchTally {
        let started = ContinuousClock.now
        reporters.report(.start(settings, resumed: journal?.earlierCount ?? 0))
        reporters.report(.tick(tally))
        let ticking = Task { await tick(since: started) }
        let reading = Task { await readLists() }
        self.reading = reading
        await handleEvents()
        await reading.value
        ticking.cancel()
        stopping?.cancel()
        measure(since: started)
        metrics?.update(tally, inFlight: 0, known: lastID + 1, isLast: true)
        tally.isUnread = tally.items == 0 && tally.elsewhere == 0 && !listProblems.isEmpty
        tally.isOutgrown = await hasOutgrownCache
        // A short list may end before this is detected.
        if storeFailures.length > 0, tally.usable == 0, case .unavailable = library.cache.disk?.availability {
            tally.keepsNothing = true
        }
        finishSink()
        report?.finish(title: settings.heading, isComplete: isComplete)
        tally.failedListProblem = failures?.problem
        tally.reportProblem = report?.problem
        if !tally.isUnread || settings.printsJSON { reporters.report(.finish(tally)) }
        if settings.printsJSON { tally.reportText.map(console.message) }
        if library.cache.disk?.wasReset == true { console.message(DiskStorage.resetMessage) }
        failures?.close()
        journal?.finish(isComplete: isComplete)
        let result = tally
        if !settings.storesNothing, result.signal == nil { await sweep() }
        await library.close()
        if !settings.keepsCache, !settings.isDryRun, let folder = settings.sink?.folder {
            try? FileManager.default.removeItem(atPath: Self.temporaryCache(in: folder))
        }
        if let problem = listProblems.first, result.isUnread { throw ProgramProblem(problem) }
        return result
    }

    private static func temporaryCache(in folder: String) -> String { folder.inFolder(".alcedo-cache") }

    /// Whether every item of the lists was finished.
    private var isComplete: Bool { !tally.isCutShort && !tally.isUnread }

    /// Sweeps the cache once a day; a signal stops only the sweep, because the run is complete.
    private func sweep() async {
        let disk = library.cache.disk
        let sweeping = Task { _ = await disk?.sweep(isDaily: true) }
        self.sweeping = sweeping
        await sweeping.value
    }

    /// Whether so much was downloaded that its first picture was evicted.
    private var hasOutgrownCache: Bool {
        get async {
            guard let disk = library.cache.disk, let firstFetched, disk.runTally.evictions[.sizeLimit] ?? 0 > 0 else {
                return false
            }
            return await !disk.isCached(firstFetched)
        }
    }

    /// Tells the progress on request, as dd does.
    package func showProgress() { reporters.report(.asked(tally)) }

    private static func key(of item: ItemRecord) -> CacheEntryKey? {
        SourceReference.source(for: item.entry.location, key: item.entry.key).map { CacheEntryKey(source: $0.cacheKey) }
    }

    /// Removes the progress block and stops the process as Ctrl-Z does.
    package func suspend() {
        reporters.report(.suspend)
        suspensions += 1
        ProcessStop.stop()
    }

    /// Handles the continue signal: draws the block again below the text that was written in the meantime.
    package func resume() {
        // The block was removed before a stop by ``suspend()``.
        guard suspensions == 0 else {
            suspensions -= 1
            return
        }
        reporters.report(.resume)
    }

    /// Handles a signal: the first one gives running transfers some seconds, the second one stops at once.
    package func interrupt(signal: Int32) async {
        if let sweeping { return sweeping.cancel() }
        let isFirst = tally.signal == nil
        tally.signal = signal
        guard isFirst else { return await prefetcher.stop() }
        stopEarly()
        if !running.isEmpty { reporters.report(.interrupted(by: signal)) }
    }

    private static func isSame(_ list: String, _ file: String) -> Bool {
        URL(filePath: list).resolvingSymlinksInPath() == URL(filePath: file).resolvingSymlinksInPath()
    }

    func stopEarly() {
        guard stopping == nil else { return }
        reading?.cancel()
        library.downloader.drain()
        stopping = Task {
            await prefetcher.drain()
            guard (try? await clock.sleep(for: Self.grace(after: tally.signal ?? SIGINT))) != nil else { return }
            await prefetcher.stop()
        }
    }
}

// MARK: - Reading

extension PrefetchProgram {
    private func readLists() async {
        let (pipeline, options) = (library.pipeline, loading.options)
        let ignored = IgnoredQuery(settings.library.configuration[.ignoredQuery])
        var traversal = ListTraversal(
            settings.lists, base: settings.base, columns: settings.wantedColumns, ignoredQuery: ignored
        ) {
            url throws(ImageError) in
            try await pipeline.document(at: url, options: options)
        }
        // The run may be cut short while the next event is read.
        while !tally.isCutShort, let event = await traversal.next(), !tally.isCutShort { await handle(event) }
        reporters.report(.listGrew(items: lastID + 1, isFinal: true))
        isListRead = !tally.isCutShort
        await prefetcher.finish()
    }

    private func handle(_ event: ListTraversal.Event) async {
        switch event {
        case .picture(let entry, let list):
            failures?.begin()
            await add(entry, of: list)
        case .partOmitted(let line, let list, let reason):
            tally.noted += 1
            reporters.report(.partOmitted(line, list: list, reason: reason))
        case .lineRejected(let line, let list, let reason):
            failures?.begin()
            tally.rejected += 1
            reporters.report(.lineRejected(line, list: list, reason: reason))
        case .listUnreadable(let line?, let list, let reason):
            failures?.begin()
            tally.unreadLists += 1
            reporters.report(.lineRejected(line, list: list, reason: reason))
        case .listUnreadable(nil, let list, let reason):
            listProblems.append(reason)
            tally.unreadLists += 1
            // If it is the only list, the error ends the run and is reported there.
            guard settings.lists.count > 1 || lastID >= 0 else { return }
            reporters.report(.lineRejected(0, list: list, reason: reason))
        }
    }

    private func add(_ entry: ListEntry, of list: String) async {
        var record = ItemRecord(id: lastID + 1, entry: entry, list: list, columns: settings.columns)
        if settings.onPicture != nil, entry.location.hasPrefix("/") { record.stamp = FileStamp(path: entry.location) }
        if let shard = settings.shard, !shard.contains(record) {
            tally.elsewhere += 1
            return
        }
        lastID += 1
        reporters.report(.listGrew(items: lastID + 1, isFinal: false))
        if duplicates.insert(record.workName, at: lastID) != nil { return finish(record, .duplicate) }
        if let sink, sink.register(record), sink.isJournaled || settings.freshness == .ifNotCached {
            return finish(record, .doneBefore)
        }
        var item: PrefetchItem
        do throws(ImageError) { item = try loading.item(record.id, entry) } catch {
            return finish(record, .failed(error))
        }
        if let age = settings.trustedAge,
            let entry = await library.cache.disk?.liveEntry(for: CacheEntryKey(source: item.source.cacheKey)),
            Date().timeIntervalSince(entry.stored) <= age
        {
            var options = item.options ?? loading.options
            options.cache.policy = .cacheFirst
            item.options = options
        }
        switch earlierOutcome(of: record) {
        case .failed(let code): finish(record, .failedBefore(code: code))
        // It may have been evicted since. A report that lacks its facts gets them from the cache.
        case .usable where item.source.url != nil && settings.inspection == nil && sink == nil:
            record.isReturning = report?.contains(ItemReport(record, .doneBefore)) != false
            if record.isReturning, settings.freshness != .ifNotCached {
                var options = item.options ?? loading.options
                options.cache.policy = .cacheFirst
                item.options = options
            }
            await start(record, item)
        // The folder lacks it.
        case .usable where sink?.isJournaled == false: await start(record, item)
        // Local files are not cached, and the pictures of a tar file are kept there.
        case .usable: finish(record, .doneBefore)
        case nil where settings.isDryRun: finish(record, await plannedOutcome(of: item.source))
        case nil: await start(record, item)
        }
    }

    /// Returns the outcome of an item in the interrupted run; nil if it was not finished, or if a check's report lacks
    /// it.
    private func earlierOutcome(of record: ItemRecord) -> PrefetchJournal.Earlier? {
        guard let earlier = journal?.outcome(of: record.workName) else { return nil }
        guard let report, settings.inspection != nil else { return earlier }
        return report.contains(ItemReport(record, .doneBefore)) ? earlier : nil
    }

    private func start(_ record: ItemRecord, _ item: PrefetchItem) async {
        running[record.id] = record
        await prefetcher.add(item)
    }

    /// Returns the outcome of an item in a dry run.
    private func plannedOutcome(of source: Source) async -> ItemOutcome {
        guard settings.freshness == .ifNotCached,
            let entry = await library.cache.disk?.liveEntry(for: CacheEntryKey(source: source.cacheKey))
        else { return .planned }
        return .finished(DataResult(entry))
    }
}

// MARK: - Reporting

extension PrefetchProgram {
    /// Handles the events of the prefetcher, one after the other; as many pictures are encoded at a time as there are
    /// processors.
    private func handleEvents() async {
        let most = ProcessInfo.processInfo.activeProcessorCount
        await withTaskGroup(of: Void.self) { group in
            var active = 0
            for await event in prefetcher.events {
                guard settings.encoding != nil, case .finished = event else {
                    await handle(event)
                    continue
                }
                if active >= most { await group.next() } else { active += 1 }
                group.addTask { await self.handle(event) }
            }
        }
    }

    private func handle(_ event: PrefetchEvent) async {
        switch event {
        case .load(let id, let event): await handle(event, of: id)
        case .hostChanged(let event):
            metrics?.note(event)
            reporters.report(.hostChanged(event))
        case .finished(let id, let result):
            let isDone = running[id]?.isReturning == true && result.outcome == .hit
            await shortenLife(id, result)
            if !isDone { await addThumbnail(id, result) }
            let outcome = await pinned(id, result)
            if isDone, case .finished = outcome { return finish(id, .doneBefore) }
            finish(id, await packed(id, chosen(id, outcome)))
        case .failed(let id, let error): finish(id, .failed(error))
        }
    }

    private func handle(_ event: LoadEvent, of id: Int) async {
        switch event {
        case .started: if let item = running[id] { reporters.report(.started(item)) }
        case .progress(let progress): if let item = running[id] { reporters.report(.progress(item, progress)) }
        case .received, .partial: break
        case .retrying(let attempt, let error, let delay):
            running[id]?.attempts = attempt
            running[id]?.refused = nil
            running[id]?.thumbnail = nil
            tally.retries += 1
            if let item = running[id] { reporters.report(.retrying(item, error: error, delay: delay)) }
        case .parked(let rejection):
            if rejection.isTrouble, let item = running[id] { reporters.report(.waits(item)) }
        case .answered(let statusCode, _): running[id]?.statusCode = statusCode
        case .refused(let result):
            running[id]?.refused = result
            await addThumbnail(id, result)
        }
    }

    /// Shortens the lifetime of a cached picture to the lifetime that its list now states.
    private func shortenLife(_ id: Int, _ result: DataResult) async {
        guard let entry = running[id]?.entry, let life = entry.timeToLive, result.outcome == .hit,
            let disk = library.cache.disk, let source = source(of: entry),
            let kept = await disk.entry(for: CacheEntryKey(source: source.cacheKey))
        else { return }
        try? await disk.shortenLife(of: kept, to: .seconds(life / .seconds(1)))
    }

    /// Pins or unpins a picture and its variants if its list says so.
    ///
    /// If the picture was evicted already, the item fails: pinned pictures fill the cache.
    private func pinned(_ id: Int, _ result: DataResult) async -> ItemOutcome {
        guard let entry = running[id]?.entry, let isPinned = entry.pin, let disk = library.cache.disk,
            let source = source(of: entry), result.origin != "file"
        else { return .finished(result) }
        do throws(DiskCacheError) {
            guard let kept = await disk.entry(for: CacheEntryKey(source: source.cacheKey)) else {
                return isPinned ? .failed(Self.notPinned) : .finished(result)
            }
            let variants =
                running[id]?.entry.process == nil && settings.variants.isEmpty
                ? [] : try await disk.variants(of: kept)
            let count = try await disk.setPinned(isPinned, ids: [kept.id] + variants.map(\.id))
            return isPinned && count == 0 ? .failed(Self.notPinned) : .finished(result)
        } catch {
            return .failed(ImageError(error))
        }
    }

    /// Returns the source that an entry is loaded from.
    func source(of entry: ListEntry) -> Source? {
        let small = settings.usesLowData ? entry.lowData.flatMap { SourceReference.source(for: $0) } : nil
        return small ?? SourceReference.source(for: entry.location, key: entry.key)
    }

    private static let notPinned = ImageError.cache(
        .cannotStore("evicted before it could be pinned: pinned pictures fill the cache; raise max-size in [cache]"))

    private func finish(_ id: Int, _ outcome: ItemOutcome) {
        if let item = running.removeValue(forKey: id) { finish(item, outcome) }
    }

    private func finish(_ item: ItemRecord, _ outcome: ItemOutcome) {
        tally.add(outcome)
        switch outcome {
        case .finished(let result):
            settings.onPicture?(CheckedPicture(item, result))
            if sink == nil { journal?.record(item.workName) }
            storeFailures.reset()
            if firstFetched == nil, result.cacheType == .none { firstFetched = Self.key(of: item) }
        case .failed(let error) where error.isTaskCancelled: break
        case .failed(let error):
            failures?.add(item.entry, reason: error.title)
            if error.isFinal { journal?.record(item.workName, code: error.code) }
            stopIfNothingIsStored(after: error)
        case .failedBefore(let code): failures?.add(item.entry, reason: ItemOutcome.beforeText(code: code))
        case .rejected(_, let filter): failures?.add(item.entry, reason: ItemOutcome.rejectedText(filter))
        case .duplicate, .doneBefore, .planned, .leftOut: break
        }
        if let report {
            var itemReport = ItemReport(item, outcome)
            itemReport.thumbnail = item.thumbnail
            report.add(itemReport, isNews: outcome.isNews)
        }
        // The journal comes first, so that a user who stops the run after this report resumes with the next item.
        reporters.report(.finished(item, outcome))
        if !tally.failedTooOften, tally.passes(settings.failureLimit) {
            tally.failedTooOften = true
            stopEarly()
        }
    }

    /// Stops the run if the cache cannot store anything.
    private func stopIfNothingIsStored(after error: ImageError) {
        guard case .cache = error, let disk = library.cache.disk, case .unavailable = disk.availability else { return }
        guard storeFailures.add(at: .now, isTemporary: !disk.lacksSpace), !tally.isCutShort else { return }
        tally.keepsNothing = true
        stopEarly()
    }

    private func measure(since started: ContinuousClock.Instant) {
        tally.milliseconds = started.duration(to: .now).milliseconds
        tally.bytesReceived = library.downloader.receivedByteCount
    }

    /// Stops the run if the reader of standard output is gone, as with `head`.
    private func stopIfOutputClosed() {
        guard settings.printsJSON, Console.isUnread, !tally.isCutShort else { return }
        tally.isOutputClosed = true
        stopEarly()
    }

    private func tick(since started: ContinuousClock.Instant) async {
        while (try? await Task.sleep(for: .milliseconds(100))) != nil {
            measure(since: started)
            reporters.report(.tick(tally))
            metrics?.update(tally, inFlight: running.count, known: isListRead ? lastID + 1 : nil)
            warnIfListOutgrowsCache()
            stopIfOutputClosed()
        }
    }
}
