import Foundation

/// Warms the disk cache with a list of pictures, a few at a time, in an order that may change while it runs.
public actor ImagePrefetcher {
    /// Everything that happens; ends after `finish()` when all is done, or after `stop()`.
    public nonisolated let events: AsyncStream<PrefetchEvent>

    private let pipeline: ImagePipeline
    private let options: ImageOptions
    private let backlogLimit: Int
    private let eventSink: AsyncStream<PrefetchEvent>.Continuation
    private var plan: PrefetchPlan
    private var sources: [Int: Source] = [:]
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var roomWaiters: [CheckedContinuation<Void, Never>] = []
    private var isClosing = false

    /// Makes an idle prefetcher: 5 transfers at a time, 6 to one host, and 256 waiting items, by default.
    public init(
        pipeline: ImagePipeline, options: ImageOptions = ImageOptions(), maxConcurrentDownloads: Int = 5,
        maxPerHost: Int = 6, backlogLimit: Int = 256
    ) {
        self.pipeline = pipeline
        self.options = options
        self.backlogLimit = max(1, backlogLimit)
        plan = PrefetchPlan(limit: maxConcurrentDownloads, limitPerHost: maxPerHost)
        (events, eventSink) = AsyncStream.makeStream()
    }

    /// Adds an item at the end; waits while the backlog is full, so that a list of any length takes little memory.
    public func add(_ item: PrefetchItem) async {
        while plan.waitingCount >= backlogLimit, !isClosing {
            await withCheckedContinuation { roomWaiters.append($0) }
        }
        guard !isClosing else { return }
        sources[item.id] = item.source
        plan.add(PrefetchPlan.Entry(id: item.id, host: item.source.hostForLimits))
        startNext()
    }

    /// Gives the waiting items a new order and content; running ones go on.
    public func replaceBacklog(with items: [PrefetchItem]) {
        sources = sources.filter { tasks[$0.key] != nil }
        for item in items where tasks[item.id] == nil { sources[item.id] = item.source }
        plan.replaceBacklog(with: items.map { PrefetchPlan.Entry(id: $0.id, host: $0.source.hostForLimits) })
        startNext()
    }

    /// Starts nothing new until `resume()`; what runs goes on.
    public func pause() { plan.isPaused = true }

    public func resume() {
        plan.isPaused = false
        startNext()
    }

    /// Gives up one item, waiting or running; it ends as failed with a cancellation.
    public func cancel(_ id: Int) {
        if let task = tasks[id] { return task.cancel() }
        guard plan.drop(id) else { return }
        sources[id] = nil
        eventSink.yield(.failed(id, .cancelled))
    }

    /// No more items will come: the events end when what is known is done.
    public func finish() {
        isClosing = true
        wakeRoomWaiters()
        endIfDrained()
    }

    /// Gives up everything; unstarted items end as failed with a cancellation, running ones when they have stopped.
    public func stop() {
        isClosing = true
        for id in plan.dropAll() { eventSink.yield(.failed(id, .cancelled)) }
        for task in tasks.values { task.cancel() }
        wakeRoomWaiters()
        endIfDrained()
    }

    private func startNext() {
        for id in plan.next() {
            guard let source = sources.removeValue(forKey: id) else {
                plan.finish(id)
                continue
            }
            tasks[id] = Task { await self.run(id, source: source) }
        }
        if plan.waitingCount < backlogLimit { wakeRoomWaiters() }
    }

    private func run(_ id: Int, source: Source) async {
        let sink = eventSink
        do throws(ImageError) {
            let result = try await pipeline.warm(source, options: options) { event in
                switch event {
                case .started: sink.yield(.started(id))
                case .progress(let progress): sink.yield(.progress(id, progress))
                case .retrying(let attempt, let error, let delay):
                    sink.yield(.retrying(id, attempt: attempt, error: error, delay: delay))
                }
            }
            sink.yield(.finished(id, result))
        } catch {
            sink.yield(.failed(id, error))
        }
        tasks[id] = nil
        plan.finish(id)
        startNext()
        endIfDrained()
    }

    private func wakeRoomWaiters() {
        let waiters = roomWaiters
        roomWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    private func endIfDrained() {
        if isClosing, plan.isIdle { eventSink.finish() }
    }
}

extension Source {
    /// Providers share one name: they are local work.
    fileprivate var hostForLimits: String { url?.host()?.lowercased() ?? "" }
}
