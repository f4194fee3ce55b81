import FoundationEssentials
import Retrying
import Synchronization

/// An event of a load.
public enum LoadEvent: Sendable {
    /// The transfer has a slot and starts.
    case started
    /// The number of bytes so far, from a transfer or a provider.
    case progress(DownloadProgress)
    /// The transfer is complete; its bytes are checked, stored and decoded next.
    case received(byteCount: Int)
    /// A processed partial image; more follow.
    case partial(Image)
    /// The status code and the redirects of the last response to a load that failed after it.
    case answered(statusCode: Int, redirects: [URL])
    /// The received bytes are refused because they are damaged or not a picture; the load fails after this event.
    case refused(DataResult)
    /// An attempt failed; the attempt with this number starts after the delay.
    case retrying(attempt: Int, error: ImageError, delay: Duration)
    /// The host accepts no requests now; the transfer waits for its turn and then starts.
    case parked(HostRejection)
}

/// The result of a load.
public struct ImageResult: Sendable {
    /// The image, after processing and the image modifier.
    public var image: Image
    /// The number of the request, larger than the numbers of all earlier requests.
    public var identifier: Source.Identifier.Value = 0
    /// The tier that had the image; `.none` for the network and providers.
    public var cacheType: ImageCache.CacheType
    /// The metrics of the transfer, if there was one.
    public var metrics: DownloadMetrics?
    /// The error of the server for an expired image; nil for all other images.
    public var expiredBecause: ImageError?
    /// The reason why the image is not on disk although it should be; known only for stores that were waited for.
    public var storeProblem: ImageError?
    /// The source that had the image: that of the call, its smaller version, or an alternative.
    public internal(set) var source: Source?
    /// The bytes that the load fetched; nil if a cache had the image.
    public internal(set) var fetched: Data?
}

/// The result of loading a source's bytes.
public struct DataResult: Sendable {
    /// The tier that had the bytes; `.none` for the network and providers.
    public var cacheType: ImageCache.CacheType
    /// The size of the file in bytes; 0 if only its beginning was fetched and the server did not state its length.
    public var byteCount: Int
    /// The metrics of the transfer, if there was one.
    @Shared public var metrics: DownloadMetrics?
    /// The URL that returned the bytes, after redirects and alternatives; nil if there was no request.
    public var url: URL?
    /// Whether the server confirmed that the expired bytes in the cache are still valid.
    public var isRevalidated: Bool
    /// The facts about the picture; nil if nothing was read.
    @Shared public var facts: ImageFacts?
    /// Whether the bytes have expired and are used because their server is unavailable.
    public var isExpired = false
    /// The time to check and store the bytes; nil if they were not stored.
    package var store: Duration?
    /// The time to decode, process and store the variants; nil if there are none.
    package var decode: Duration?

    package init(
        cacheType: ImageCache.CacheType, byteCount: Int, metrics: DownloadMetrics?, isRevalidated: Bool = false,
        facts: ImageFacts? = nil
    ) {
        self.cacheType = cacheType
        self.byteCount = byteCount
        _metrics = Shared(wrappedValue: metrics)
        self.isRevalidated = isRevalidated
        // Swift 6.3 leaks the storage of nil if the value is assigned in the initializers below.
        _facts = Shared(wrappedValue: facts)
    }

    /// Creates the description of a cached entry.
    package init(_ entry: CacheEntry) {
        self.init(cacheType: .disk, byteCount: entry.length, metrics: nil, facts: ImageFacts(entry))
    }

    /// Creates the description of fetched bytes.
    init(_ fetched: FetchedData) {
        var facts = fetched.check
        if let download = fetched.download { facts?.add(download) }
        self.init(
            cacheType: fetched.cacheType, byteCount: fetched.data.count, metrics: fetched.metrics,
            isRevalidated: fetched.isRevalidated, facts: facts)
        store = fetched.storeTime
        url = fetched.download?.url
    }
}

/// A relay that passes one load's events to their handler, in order.
///
/// A handler that is isolated to an actor runs there; any other runs where the queue says.
final class EventRelay: Sendable {
    /// A handler that keeps its isolation; calling it needs a task.
    typealias Handler = @isolated(any) @Sendable (LoadEvent) -> Void

    private let queue: CallbackQueue
    private let handler: Handler
    /// The same handler, called where the event occurs; nil if the handler needs a hop.
    private let direct: (@Sendable (LoadEvent) -> Void)?
    private let state = Mutex((events: [LoadEvent](), drain: Task<Void, Never>?.none, isClosed: false))

    init(_ queue: CallbackQueue, _ handler: @escaping Handler) {
        self.queue = queue
        self.handler = handler
        direct = nil
    }

    /// Creates a relay that calls the handler where the event occurs, if the queue is `untouch`.
    init(_ queue: CallbackQueue, direct handler: @escaping @Sendable (LoadEvent) -> Void) {
        self.queue = queue
        self.handler = handler
        if case .untouch = queue { direct = handler } else { direct = nil }
    }

    /// Sends an event to the handler; does nothing after `finish()`.
    func send(_ event: LoadEvent) {
        if let direct {
            if !state.withLock(\.isClosed) { direct(event) }
            return
        }
        state.withLock { state in
            guard !state.isClosed else { return }
            state.events.append(event)
            if state.drain == nil { state.drain = startDrain() }
        }
    }

    /// Waits until every event so far has been handled; later events are dropped.
    func finish() async {
        let drain = state.withLock { state in
            state.isClosed = true
            return state.drain
        }
        await drain?.value
    }

    /// Starts the task that calls the handler; a handler without isolation runs on the task's preferred executor.
    private func startDrain() -> Task<Void, Never> {
        Task(executorPreference: queue.executor) { await self.drain() }
    }

    private func drain() async {
        while let events = takeEvents() {
            for event in events { await handler(event) }
        }
    }

    /// Removes and returns the waiting events; if there are none, ends the drain under the same lock and returns nil.
    private func takeEvents() -> [LoadEvent]? {
        state.withLock { state in
            guard !state.events.isEmpty else {
                state.drain = nil
                return nil
            }
            defer { state.events = [] }
            return state.events
        }
    }
}
