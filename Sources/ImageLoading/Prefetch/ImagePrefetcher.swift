import Foundation
import Retrying
import Support

/// Warms the disk cache with a list of pictures, a few at a time, in an order that may change while it runs.
public actor ImagePrefetcher {
    /// Everything that happens; ends after `finish()` when all is done, or after `stop()`.
    public nonisolated let events: AsyncStream<PrefetchEvent>

    private let pipeline: ImagePipeline
    private let options: ImageOptions
    private let backlogLimit: Int
    private let eventSink: AsyncStream<PrefetchEvent>.Continuation
    private let observation: HostHealth.Observation
    private var plan: PrefetchPlan
    private var lookAhead = PrefetchLookAhead()
    private var isLooking = false
    private var isFull = false
    private var waiting: [Int: PrefetchItem] = [:]
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var roomWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastWaiter = 0
    /// How many items wait for room in the backlog.
    private(set) var arrivingCount = 0
    /// How many items have not been looked for in the cache yet.
    var lookingCount: Int { lookAhead.count }
    /// How many items run or rest.
    var activeCount: Int { tasks.count }
    private var stage = Stage.open
    /// The list that is prefetched from `start()` on.
    private var list: [Source]
    private var kept: PrefetchResults?
    private let followsTransfers: Bool
    private let steps = PrefetchSteps()

    private enum Stage {
        case open
        /// Ends as soon as nothing is left, but takes items until then.
        case listRead
        case finishing, stopped

        var takesItems: Bool { self == .open || self == .listRead }
    }

    /// Makes an idle prefetcher: 5 transfers at a time, 6 to one host, and 256 waiting items, by default.
    ///
    /// Items of a host that takes no requests now wait besides those, up to 256 times as many, so that the others go on.
    /// Without `followsTransfers`, true by default, there are no `.progress` events, and `.started` only of what rested.
    public init(
        pipeline: ImagePipeline, options: ImageOptions = ImageOptions(), maxConcurrentDownloads: Int = 5,
        maxPerHost: Int = 6, backlogLimit: Int = 256, followsTransfers: Bool = true
    ) {
        let plan = PrefetchPlan(limit: maxConcurrentDownloads, limitPerHost: maxPerHost)
        self.init(
            list: nil, pipeline: pipeline, options: options, plan: plan, backlogLimit: backlogLimit,
            followsTransfers: followsTransfers)
    }

    /// Makes a prefetcher of a list, which `start()` sets going; the items' ids are their places in it.
    ///
    /// 5 transfers at a time, 6 to one host, by default. `results` tells of every item.
    public init(
        sources: [Source], options: ImageOptions = ImageOptions(), pipeline: ImagePipeline,
        maxConcurrentDownloads: Int = 5, maxPerHost: Int = 6
    ) {
        self.init(
            list: sources, pipeline: pipeline, options: options,
            plan: PrefetchPlan(limit: maxConcurrentDownloads, limitPerHost: maxPerHost), backlogLimit: 256,
            followsTransfers: true)
    }

    private init(
        list: [Source]?, pipeline: ImagePipeline, options: ImageOptions, plan: PrefetchPlan, backlogLimit: Int,
        followsTransfers: Bool
    ) {
        self.pipeline = pipeline
        self.followsTransfers = followsTransfers
        self.list = list ?? []
        kept = list == nil ? nil : PrefetchResults()
        self.options = options.hearingAtOnce
        self.backlogLimit = max(1, backlogLimit)
        self.plan = plan
        let (events, sink) = AsyncStream<PrefetchEvent>.makeStream()
        (self.events, eventSink) = (events, sink)
        observation = pipeline.hosts.observe { sink.yield(.hostChanged($0)) }
    }

    /// Prefetches the list that the prefetcher was made of; the events end when every item has.
    ///
    /// Further items may be added until then. A second call does nothing but answer the same events.
    public func start() -> AsyncStream<PrefetchEvent> {
        let sources = list
        list = []
        guard stage == .open, kept != nil else { return events }
        // The list counts as one who waits for room: the events do not end before it is read to its end.
        arrivingCount += 1
        Task {
            for (id, source) in sources.enumerated() { await add(PrefetchItem(id: id, source: source)) }
            arrivingCount -= 1
            if stage == .open { stage = .listRead }
            endIfDrained()
        }
        return events
    }

    /// How the items of the list ended, and those that were added to it; empty for a prefetcher without one.
    public var results: PrefetchResults { kept ?? PrefetchResults() }

    /// Changes the turn of a waiting item; nothing for one that runs or is not known.
    public func setPriority(_ priority: Double, of id: Int) {
        waiting[id]?.priority = priority
        plan.setPriority(priority, of: id)
    }

    /// Adds an item at the end of its priority, or ends it when the cache has it.
    ///
    /// Once the backlog is full this waits until half of it is gone, so that a list of any length takes little memory.
    /// An item whose id is waiting or running already is ignored. After `stop()` or `finish()`, and when the calling
    /// task is cancelled, the item ends at once as failed with a cancellation.
    public func add(_ item: PrefetchItem) async {
        kept?.add(item)
        guard stage.takesItems, await hasRoom() else {
            end(item.id, .failure(.cancelled))
            return endIfDrained()
        }
        guard waiting[item.id] == nil, tasks[item.id] == nil else { return endIfDrained() }
        waiting[item.id] = item
        lookAhead.add(item.id)
        guard !isLooking else { return }
        isLooking = true
        Task { await self.look() }
    }

    /// Looks for what came: what the cache has ends here, the rest has its turn.
    private func look() async {
        while case let ids = await arrivals(), !ids.isEmpty {
            let items = ids.compactMap { waiting[$0] }
            let findings = await pipeline.lookAhead(items.map { ($0, $0.options ?? options) })
            for (item, finding) in zip(items, findings) where lookAhead.settle(item.id) { settle(item, finding) }
            startNext()
        }
        isLooking = false
        endIfDrained()
    }

    /// What came, with what comes right behind it.
    private func arrivals() async -> [Int] {
        var seen = 0
        while lookAhead.count > seen, seen < PrefetchLookAhead.limit {
            seen = lookAhead.count
            await Task.yield()
        }
        return lookAhead.take()
    }

    private func settle(_ item: PrefetchItem, _ finding: ImagePipeline.WarmFinding) {
        if case .warm(let result) = finding {
            waiting[item.id] = nil
            return end(item.id, .success(result))
        }
        if case .missing = finding { lookAhead.noteMissing(item.id, item.source.cacheKey, at: pipeline.now()) }
        plan.add(PrefetchPlan.Entry(waiting[item.id] ?? item))
    }

    /// Starts an item at once, beyond the limits, whose transfer is under way for somebody who is about to leave it.
    ///
    /// False, and nothing happens, for an item that runs, once no more items are taken, and while twice as many run as may.
    public func takeOver(_ item: PrefetchItem) -> Bool {
        guard stage.takesItems, plan.begin(PrefetchPlan.Entry(item)) else { return false }
        _ = lookAhead.settle(item.id)
        // That transfer may have been stored since.
        lookAhead.forget(item.id)
        waiting[item.id] = nil
        tasks[item.id] = start(item)
        return true
    }

    /// Gives the waiting items a new order and content; running ones go on.
    ///
    /// Items that are left out are forgotten without an event. Nothing happens after `stop()`.
    public func replaceBacklog(with items: [PrefetchItem]) {
        guard stage != .stopped else { return }
        waiting.keys.forEach { lookAhead.forget($0) }
        _ = lookAhead.settleAll()
        waiting = [:]
        for item in items where tasks[item.id] == nil { waiting[item.id] = item }
        plan.replaceBacklog(with: items.map(PrefetchPlan.Entry.init))
        startNext()
    }

    /// Starts nothing new until `resume()`; what runs goes on, and what the cache has ends.
    public func pause() { plan.isPaused = true }

    /// Goes on after `pause()`.
    public func resume() {
        plan.isPaused = false
        startNext()
    }

    /// Gives up one item, waiting or running; it ends as failed with a cancellation.
    public func cancel(_ id: Int) {
        if let task = tasks[id] { return task.cancel() }
        guard lookAhead.settle(id) || plan.drop(id) else { return }
        waiting[id] = nil
        end(id, .failure(.cancelled))
        wakeRoomWaiters()
        endIfDrained()
    }

    /// No more items will come: the events end when what is known, or waits for room, is done.
    public func finish() {
        if stage.takesItems { stage = .finishing }
        endIfDrained()
    }

    /// Gives up everything; unstarted items end as failed with a cancellation, running ones when they have stopped.
    public func stop() {
        drain()
        for task in tasks.values { task.cancel() }
    }

    /// Gives up what has not started and what waits for another attempt or for its host; what runs goes on to its end,
    /// then the events end.
    public func drain() {
        stage = .stopped
        takeSteps()
        for id in plan.restingElsewhere { tasks[id]?.cancel() }
        waiting = [:]
        for id in plan.dropAll() + lookAhead.settleAll() { end(id, .failure(.cancelled)) }
        wakeRoomWaiters()
        endIfDrained()
    }

    private func startNext() {
        for id in plan.next() {
            guard let item = waiting.removeValue(forKey: id) else {
                plan.finish(id)
                continue
            }
            tasks[id] = start(item)
        }
        if hasRoomNow() { wakeRoomWaiters() }
    }

    /// Whether items may come: once the backlog was full, when it is half empty, so that they come and are looked for
    /// many at a time.
    private func hasRoomNow() -> Bool {
        let count = plan.waitingCount + lookAhead.count
        isFull = count >= backlogLimit || isFull && count > backlogLimit / 2
        return !isFull && plan.heldCount < backlogLimit.multipliedClamped(by: 256)
    }

    /// The work is done off the actor: what happens to it is told here.
    private func start(_ item: PrefetchItem) -> Task<Void, Never> {
        let isMissing = lookAhead.isMissing(item.id, at: pipeline.now())
        let options = item.options?.hearingAtOnce ?? options
        return Task { @concurrent in
            await self.done(item, await self.result(of: item, isMissing: isMissing, options))
        }
    }

    private nonisolated func result(
        of item: PrefetchItem, isMissing: Bool, _ options: ImageOptions
    ) async -> Result<DataResult, ImageError> {
        let (id, sink, followsTransfers) = (item.id, eventSink, followsTransfers)
        do throws(ImageError) {
            let result = try await pipeline.warm(item, isMissing: isMissing, options: options) { event in
                switch event {
                case .started:
                    let hasRested = self.note(.goesOn(id))
                    if followsTransfers || hasRested { sink.yield(.started(id)) }
                case .progress(let progress): if followsTransfers { sink.yield(.progress(id, progress)) }
                case .received(let byteCount): self.note(.rests(id, .keeping(byteCount: byteCount)))
                case .partial: break
                case .answered(let code, let redirects):
                    sink.yield(.answered(id, statusCode: code, redirects: redirects))
                case .retrying(let attempt, let error, let delay):
                    sink.yield(.retrying(id, attempt: attempt, error: error, delay: delay))
                    self.note(.rests(id, .retry))
                case .parked(let rejection):
                    sink.yield(.parked(id, rejection))
                    self.note(.rests(id, .host))
                }
            }
            return .success(result)
        } catch {
            return .failure(error)
        }
    }

    private func done(_ item: PrefetchItem, _ result: Result<DataResult, ImageError>) {
        let id = item.id
        lookAhead.noteEnd(of: item.source.cacheKey)
        end(id, result)
        takeSteps()
        steps.forget(id)
        tasks[id] = nil
        plan.finish(id)
        startNext()
        endIfDrained()
    }

    private func end(_ id: Int, _ result: Result<DataResult, ImageError>) {
        kept?.end(id, result)
        lookAhead.forget(id)
        switch result {
        case .success(let data): eventSink.yield(.finished(id, data))
        case .failure(let error): eventSink.yield(.failed(id, error))
        }
    }

    /// Hears a step at once and in order, which the plan takes in as soon as the actor is free; answers whether it is one.
    @discardableResult
    private nonisolated func note(_ step: PrefetchSteps.Step) -> Bool {
        let hearing = steps.note(step)
        if hearing.calls { Task { await self.takeStepsAndGoOn() } }
        return hearing.isStep
    }

    private func takeStepsAndGoOn() {
        takeSteps()
        startNext()
    }

    private func takeSteps() {
        for step in steps.take() {
            switch step {
            case .rests(let id, let rest): plan.rest(id, rest)
            case .goesOn(let id): plan.wake(id)
            }
        }
    }

    /// Waits while the backlog is full; false when the item will never have its turn.
    private func hasRoom() async -> Bool {
        arrivingCount += 1
        defer { arrivingCount -= 1 }
        while !hasRoomNow(), stage != .stopped, !Task.isCancelled { await waitForRoom() }
        return stage != .stopped && !Task.isCancelled
    }

    /// Returns when there may be room, or when the calling task is cancelled.
    private func waitForRoom() async {
        lastWaiter += 1
        let waiter = lastWaiter
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { continuation.resume() } else { roomWaiters[waiter] = continuation }
            }
        } onCancel: {
            Task { await self.wake(waiter) }
        }
    }

    private func wake(_ waiter: Int) { roomWaiters.removeValue(forKey: waiter)?.resume() }

    private func wakeRoomWaiters() {
        for waiter in roomWaiters.keys.sorted() { wake(waiter) }
    }

    private func endIfDrained() {
        if stage != .open, plan.isIdle, lookAhead.count == 0, arrivingCount == 0 { eventSink.finish() }
    }
}

extension ImageOptions {
    /// The plan must hear of events at once and in order.
    fileprivate var hearingAtOnce: ImageOptions {
        var copy = self
        copy.delivery.callbackQueue = .untouch
        return copy
    }
}

extension Int {
    fileprivate func multipliedClamped(by factor: Int) -> Int {
        let (product, isTooLarge) = multipliedReportingOverflow(by: factor)
        return isTooLarge ? .max : product
    }
}

extension PrefetchPlan.Entry {
    fileprivate init(_ item: PrefetchItem) {
        self.init(id: item.id, host: item.source.hostForLimits, priority: item.priority)
    }
}

extension Source {
    /// Providers share one name: they are local work.
    fileprivate var hostForLimits: String { url?.hostKey ?? "" }
}
