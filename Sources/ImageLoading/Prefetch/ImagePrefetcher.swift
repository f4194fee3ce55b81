import AlcedoSupport
import FoundationEssentials
import Retrying

/// A prefetcher that loads a list of images into the disk cache, a few at a time, in an order that can change.
public actor ImagePrefetcher {
    /// The events of all items; the stream finishes after `stop()`, or after `finish()` when all items are done.
    public nonisolated let events: AsyncStream<PrefetchEvent>

    private let pipeline: ImagePipeline
    private let options: ImageOptions
    private let backlogLimit: Int
    private let eventSink: AsyncStream<PrefetchEvent>.Continuation
    private let observation: HostHealth.Observation
    private var plan: PrefetchPlan
    /// The items that have not been looked up in the cache yet.
    private(set) var lookAhead = PrefetchLookAhead()
    private var isLooking = false
    private var isFull = false
    private var waiting: [Int: PrefetchItem] = [:]
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var roomWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastWaiter = 0
    /// The number of items that wait for room in the backlog.
    private(set) var arrivingCount = 0
    /// The number of items that run or rest.
    var activeCount: Int { tasks.count }
    private var stage = Stage.open
    /// The list that `start()` prefetches.
    private var list: [Source]
    private var kept: PrefetchResults?
    private let followsTransfers: Bool
    private let steps = PrefetchSteps()

    private enum Stage {
        case open
        /// The list is read: the events finish as soon as no item is left, and items are accepted until then.
        case listRead
        case finishing, stopped

        var takesItems: Bool { self == .open || self == .listRead }
    }

    /// Creates an idle prefetcher without a list.
    ///
    /// Items of a host that accepts no requests now do not count towards `backlogLimit`. Up to 256 times as many of
    /// them wait, so that the items of other hosts continue.
    ///
    /// - Parameter maxConcurrentDownloads: The number of transfers at a time, 5 by default.
    /// - Parameter maxPerHost: The number of transfers to one host at a time, 6 by default.
    /// - Parameter backlogLimit: The number of waiting items, 256 by default.
    /// - Parameter followsTransfers: True by default. If false, there are no `.progress` events, and `.started` is only
    ///   sent for items that rested before.
    public init(
        pipeline: ImagePipeline, options: ImageOptions? = nil, maxConcurrentDownloads: Int = 5,
        maxPerHost: Int = 6, backlogLimit: Int = 256, followsTransfers: Bool = true
    ) {
        let plan = PrefetchPlan(limit: maxConcurrentDownloads, limitPerHost: maxPerHost)
        self.init(
            list: nil, pipeline: pipeline, options: options, plan: plan, backlogLimit: backlogLimit,
            followsTransfers: followsTransfers)
    }

    /// Creates a prefetcher for a list, which `start()` prefetches.
    ///
    /// The id of an item is its index in the list. `results` contains the outcome of every item. The list's transfers
    /// have half the priority that the options say, so that they yield to loads with the same options.
    ///
    /// - Parameter maxConcurrentDownloads: The number of transfers at a time, 5 by default.
    /// - Parameter maxPerHost: The number of transfers to one host at a time, 6 by default.
    public init(
        sources: [Source], options: ImageOptions? = nil, pipeline: ImagePipeline,
        maxConcurrentDownloads: Int = 5, maxPerHost: Int = 6
    ) {
        var options = options ?? pipeline.defaultOptions
        options.download.priority /= 2
        self.init(
            list: sources, pipeline: pipeline, options: options,
            plan: PrefetchPlan(limit: maxConcurrentDownloads, limitPerHost: maxPerHost), backlogLimit: 256,
            followsTransfers: true)
    }

    private var finishHandler: (@Sendable (Int) -> Void)?

    private init(
        list: [Source]?, pipeline: ImagePipeline, options: ImageOptions?, plan: PrefetchPlan, backlogLimit: Int,
        followsTransfers: Bool
    ) {
        self.pipeline = pipeline
        self.followsTransfers = followsTransfers
        self.list = list ?? []
        kept = list == nil ? nil : PrefetchResults()
        self.options = (options ?? pipeline.defaultOptions).forPrefetching
        self.backlogLimit = max(1, backlogLimit)
        self.plan = plan
        let (events, sink) = AsyncStream<PrefetchEvent>.makeStream()
        (self.events, eventSink) = (events, sink)
        observation = pipeline.hosts.observe { sink.yield(.hostChanged($0)) }
    }

    /// Prefetches the prefetcher's list; the events finish when every item is done.
    ///
    /// More items can be added until then. A second call only returns the same events.
    public func start() -> AsyncStream<PrefetchEvent> {
        let sources = list
        list = []
        guard stage == .open, kept != nil else { return events }
        // The list counts as one waiting item, so that the events do not finish before all of it is read.
        arrivingCount += 1
        Task {
            for (id, source) in sources.enumerated() { await add(PrefetchItem(id: id, source: source)) }
            arrivingCount -= 1
            if stage == .open { stage = .listRead }
            finishIfIdle()
        }
        return events
    }

    /// The outcomes of the list's items and of the items added to it; empty for a prefetcher without a list.
    public var results: PrefetchResults { kept ?? PrefetchResults() }

    /// Changes the priority of a waiting item; does nothing if the item runs or is unknown.
    public func setPriority(_ priority: Double, of id: Int) {
        waiting[id]?.priority = priority
        plan.setPriority(priority, of: id)
    }

    /// Adds an item at the end of its priority, or finishes it if the cache has it.
    ///
    /// If the backlog is full, the call waits until half of it is free, so that a list of any length takes little
    /// memory. An item whose id is waiting or running already is ignored. After `stop()` or `finish()`, or if the
    /// calling task is cancelled, the item fails at once with a cancellation.
    public func add(_ item: PrefetchItem) async {
        kept?.add(item)
        guard stage.takesItems, await hasRoom() else {
            report(item.id, .failure(.cancelled))
            return finishIfIdle()
        }
        guard waiting[item.id] == nil, tasks[item.id] == nil else { return finishIfIdle() }
        waiting[item.id] = item
        lookAhead.add(item.id)
        guard !isLooking else { return }
        isLooking = true
        Task { await self.lookUpNewItems() }
    }

    /// Looks new items up in the cache: finishes those that the cache has and adds the others to the plan.
    private func lookUpNewItems() async {
        while case let items = await nextBatch(), !items.isEmpty {
            let results = await pipeline.cachedResults(of: items.map { ($0, $0.options ?? options) })
            for (item, result) in zip(items, results) where lookAhead.remove(item.id) {
                if let result {
                    waiting[item.id] = nil
                    report(item.id, .success(result))
                } else {
                    plan.add(PrefetchPlan.Entry(waiting[item.id] ?? item))
                }
            }
            startNext()
        }
        isLooking = false
        finishIfIdle()
    }

    /// Returns the new items, together with those that are added while the task yields.
    private func nextBatch() async -> [PrefetchItem] {
        var seen = 0
        while lookAhead.count > seen, seen < PrefetchLookAhead.limit {
            seen = lookAhead.count
            await Task.yield()
        }
        return lookAhead.nextBatch().compactMap { waiting[$0] }
    }

    /// Starts an item at once, beyond the limits, to join a transfer that another waiter is about to leave.
    ///
    /// - Returns: False, without any effect, if the item runs already, if no more items are accepted, or if twice as
    ///   many items run as the limit allows.
    package func takeOver(_ item: PrefetchItem) -> Bool {
        guard stage.takesItems, plan.begin(PrefetchPlan.Entry(item)) else { return false }
        _ = lookAhead.remove(item.id)
        waiting[item.id] = nil
        tasks[item.id] = start(item)
        return true
    }

    /// Replaces the waiting items and their order; running items continue.
    ///
    /// Items that are not in `items` are dropped without an event. After `stop()` the call does nothing.
    public func replaceBacklog(with items: [PrefetchItem]) {
        guard stage != .stopped else { return }
        _ = lookAhead.removeAll()
        waiting = [:]
        for item in items where tasks[item.id] == nil { waiting[item.id] = item }
        plan.replaceBacklog(with: items.map(PrefetchPlan.Entry.init))
        startNext()
        finishIfIdle()
    }

    /// Returns whether an item runs or rests.
    package func isActive(_ id: Int) -> Bool { tasks[id] != nil }

    /// Calls `handler` with the id of each item that finishes, before its event.
    package func onFinish(_ handler: @escaping @Sendable (Int) -> Void) { finishHandler = handler }

    /// Replaces the waiting items without those that have finished according to `isFinished`, whose events may be
    /// unread.
    package func replaceBacklog(with items: [PrefetchItem], unless isFinished: @Sendable (Int) -> Bool) {
        replaceBacklog(with: items.filter { !isFinished($0.id) })
    }

    /// Starts no new items until `resume()`; running items continue, and items that the cache has still finish.
    public func pause() { plan.isPaused = true }

    /// Starts waiting items again after `pause()`.
    public func resume() {
        plan.isPaused = false
        startNext()
    }

    /// Cancels one item, waiting or running; the item fails with a cancellation.
    public func cancel(_ id: Int) {
        if let task = tasks[id] { return task.cancel() }
        guard lookAhead.remove(id) || plan.drop(id) else { return }
        waiting[id] = nil
        report(id, .failure(.cancelled))
        wakeRoomWaiters()
        finishIfIdle()
    }

    /// Accepts no more items; the events finish when all known items, and those that wait for room, are done.
    public func finish() {
        if stage.takesItems { stage = .finishing }
        finishIfIdle()
    }

    /// Cancels all items: waiting ones fail at once with a cancellation, running ones when they have stopped.
    public func stop() {
        drain()
        for task in tasks.values { task.cancel() }
    }

    /// Cancels all items that wait for their start, another attempt or their host.
    ///
    /// Running items continue to their end, then the events finish.
    public func drain() {
        stage = .stopped
        applySteps()
        for id in plan.restingElsewhere { tasks[id]?.cancel() }
        waiting = [:]
        for id in plan.dropAll() + lookAhead.removeAll() { report(id, .failure(.cancelled)) }
        wakeRoomWaiters()
        finishIfIdle()
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

    /// Returns whether the backlog accepts items.
    ///
    /// After it was full it accepts items when it is half empty, so that they arrive and are looked up in batches.
    private func hasRoomNow() -> Bool {
        let count = plan.waitingCount + lookAhead.count
        isFull = count >= backlogLimit || isFull && count > backlogLimit / 2
        return !isFull && plan.blockedCount < backlogLimit.multipliedClamped(by: 256)
    }

    /// Starts an item outside the actor; the result comes back to the actor.
    private func start(_ item: PrefetchItem) -> Task<Void, Never> {
        let options = item.options?.forPrefetching ?? options
        return Task { @concurrent in
            await self.finish(item.id, await self.result(of: item, options))
        }
    }

    private nonisolated func result(
        of item: PrefetchItem, _ options: ImageOptions
    ) async -> Result<DataResult, ImageError> {
        let (id, sink, followsTransfers) = (item.id, eventSink, followsTransfers)
        do throws(ImageError) {
            let result = try await pipeline.warm(item.source, variants: item.variants, options: options) { event in
                switch event {
                case .started:
                    let hasRested = self.record(.resumes(id))
                    if followsTransfers || hasRested { sink.yield(.load(id, event)) }
                case .progress: if followsTransfers { sink.yield(.load(id, event)) }
                case .received(let byteCount): self.record(.rests(id, .keeping(byteCount: byteCount)))
                case .partial: break
                case .answered, .refused: sink.yield(.load(id, event))
                case .retrying:
                    sink.yield(.load(id, event))
                    self.record(.rests(id, .retry))
                case .parked:
                    sink.yield(.load(id, event))
                    self.record(.rests(id, .host))
                }
            }
            return .success(result)
        } catch {
            return .failure(error)
        }
    }

    private func finish(_ id: Int, _ result: Result<DataResult, ImageError>) {
        report(id, result)
        applySteps()
        steps.forget(id)
        tasks[id] = nil
        plan.finish(id)
        startNext()
        finishIfIdle()
    }

    /// Records and sends the result of an item.
    private func report(_ id: Int, _ result: Result<DataResult, ImageError>) {
        kept?.record(id, result)
        finishHandler?(id)
        switch result {
        case .success(let data): eventSink.yield(.finished(id, data))
        case .failure(let error): eventSink.yield(.failed(id, error))
        }
    }

    /// Records a step at once and in order; the plan applies it as soon as the actor is free.
    ///
    /// - Returns: Whether the plan needs the step.
    @discardableResult
    private nonisolated func record(_ step: PrefetchSteps.Step) -> Bool {
        let outcome = steps.record(step)
        if outcome.needsTask { Task { await self.applyStepsAndStartNext() } }
        return outcome.isNeeded
    }

    private func applyStepsAndStartNext() {
        applySteps()
        startNext()
    }

    private func applySteps() {
        for step in steps.removeAll() {
            switch step {
            case .rests(let id, let rest): plan.rest(id, rest)
            case .resumes(let id): plan.resume(id)
            }
        }
    }

    /// Waits while the backlog is full; returns false if the item can no longer be added.
    private func hasRoom() async -> Bool {
        arrivingCount += 1
        defer { arrivingCount -= 1 }
        while !hasRoomNow(), stage != .stopped, !Task.isCancelled { await waitForRoom() }
        return stage != .stopped && !Task.isCancelled
    }

    /// Waits until there may be room, or until the calling task is cancelled.
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

    private func finishIfIdle() {
        if stage != .open, plan.isIdle, lookAhead.count == 0, arrivingCount == 0 { eventSink.finish() }
    }
}

extension ImageOptions {
    /// A copy of the options whose events are sent at once and in order, as the plan requires, and that waits for
    /// hosts.
    fileprivate var forPrefetching: ImageOptions {
        var copy = self
        copy.delivery.callbackQueue = .untouch
        copy.download.waitsForHost = true
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
    /// The host that the per-host limit counts; all providers share the empty name, because their work is local.
    fileprivate var hostForLimits: String { url?.hostKey ?? "" }
}
