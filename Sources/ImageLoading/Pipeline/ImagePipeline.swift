import FoundationEssentials
import Retrying
import Synchronization

/// A pipeline that loads images.
///
/// The stages are: cache look-up, download with retries, decode, process, store.
///
/// Equal work that runs at the same time is done once, stage by stage: bytes by source, decodes by box and limits, and
/// each step of a processor chain by the steps before it. A cancellation affects only its own waiter. Work stops when
/// it has no more waiters, and has the priority of its most urgent waiter.
public final class ImagePipeline: Sendable {
    /// The cache for look-ups and stores, unless the options name another one.
    public let cache: ImageCache
    /// The options of calls that pass none, and the base for added ones; the library's defaults by default.
    public let defaultOptions: ImageOptions
    /// The health records of the hosts; every transfer waits here for its turn.
    public let hosts: HostHealth
    let downloader: any DataDownloading
    let decoder: any ImageDecoding
    let originals = RequestCoalescer<BytesKey, FetchedData, LoadEvent>()
    let pictures = RequestCoalescer<StepKey, StagedImage, LoadEvent>()
    let pendingStores = PendingStores()
    let transfers = TransferTable()
    let gone: NegativeCache
    let now: @Sendable () -> Duration
    private let loads = RequestCoalescer<LoadKey, ImageResult, LoadEvent>()

    /// Creates an idle pipeline.
    ///
    /// - Parameter goneLifetime: The time for which a 404 or 410 is returned without another request, 30 s by default.
    ///   A forced refresh sends a request in any case.
    /// - Parameter now: Returns the time since any fixed moment.
    public init(
        cache: ImageCache, downloader: any DataDownloading = ImageDownloader(),
        decoder: any ImageDecoding = CodecDecoder(), hosts: HostHealth = HostHealth(),
        defaultOptions: ImageOptions = ImageOptions(), goneLifetime: Duration = .seconds(30),
        now: @escaping @Sendable () -> Duration = RunClock.system.now
    ) {
        (self.cache, self.defaultOptions, self.hosts, self.downloader) = (cache, defaultOptions, hosts, downloader)
        (self.decoder, self.now) = (decoder, now)
        gone = NegativeCache(lifetime: goneLifetime, now: now)
        cache.clearingHandlers.withLock { $0[ObjectIdentifier(self)] = { downloader.removePartialBodies() } }
    }

    deinit { cache.clearingHandlers.withLock { $0[ObjectIdentifier(self)] = nil } }

    /// Loads the processed image of a source.
    ///
    /// If the source fails, its alternatives are tried in order.
    ///
    /// - Parameter onEvent: The event handler. A closure written on an actor, such as the main actor, is isolated to
    ///   it; any other runs where `callbackQueue` says. It never runs after the call returns.
    /// - Throws: `ImageError`; `.isTaskCancelled` is true if the calling task was cancelled.
    public func image(
        for source: Source, options: ImageOptions? = nil,
        @_inheritActorContext onEvent: (@isolated(any) @Sendable (LoadEvent) -> Void)? = nil
    ) async throws(ImageError) -> ImageResult {
        let options = options ?? defaultOptions
        let identifier = Source.Identifier.next()
        var (result, expiredBecause) = try await relaying(
            onEvent.map { EventRelay(options.delivery.callbackQueue, $0) }
        ) { send throws(ImageError) in
            try await self.firstSuccess(source, options) { source, options throws(ImageError) in
                var result = try await self.load(source, options: options, onEvent: send)
                result.source = source
                return result
            }
        }
        result.expiredBecause = expiredBecause
        result.identifier = identifier
        if let modifier = options.delivery.imageModifier { result.image = modifier.modify(result.image) }
        return result
    }

    /// Loads the processed image of a source with the pipeline's options and further ones; a later option wins.
    ///
    /// A list of options adds to `defaultOptions`; a value of `ImageOptions` is used instead of them.
    public func image(
        for source: Source, options items: [ImageOptionsItem],
        @_inheritActorContext onEvent: (@isolated(any) @Sendable (LoadEvent) -> Void)? = nil
    ) async throws(ImageError) -> ImageResult {
        try await image(for: source, options: defaultOptions.applying(items), onEvent: onEvent)
    }

    /// Loads the processed image of a URL, another resource or a provider, with the pipeline's options and further ones.
    @_disfavoredOverload
    public func image(
        for source: any SourceConvertible, options items: [ImageOptionsItem] = [],
        @_inheritActorContext onEvent: (@isolated(any) @Sendable (LoadEvent) -> Void)? = nil
    ) async throws(ImageError) -> ImageResult {
        try await image(for: source.convertToSource(), options: items, onEvent: onEvent)
    }

    /// Returns the image if it is in memory and the options allow that; the call never suspends.
    package func imageInMemory(for source: Source, options: ImageOptions) -> ImageResult? {
        guard var hit = memoryHit(LoadRequest(source: source, options: options, cache: cache)) else { return nil }
        hit.source = source
        if let modifier = options.delivery.imageModifier { hit.image = modifier.modify(hit.image) }
        return hit
    }

    /// Cancels all loads that run; each of their callers gets an error whose `isTaskCancelled` is true.
    ///
    /// The pipeline can be used further.
    public func cancelAll() { cancel { _ in true } }

    /// Cancels the running loads of an address in the same way, also those that try it as an alternative.
    public func cancel(url: URL) {
        let key = Source(url).cacheKey
        cancel { $0.source == key }
    }

    private func cancel(where isMeant: (BytesKey) -> Bool) {
        loads.cancel { isMeant($0.step.decode.bytes) }
        pictures.cancel { isMeant($0.decode.bytes) }
        originals.cancel(where: isMeant)
    }

    /// Waits until every image returned so far is stored, if it has to be.
    public func finishStores() async { await pendingStores.finish() }

    /// Returns the number of waiters for a whole load.
    func waiterCount(of request: LoadRequest) -> Int { loads.waiterCount(for: request.loadKey) }

    func load(
        _ source: Source, options: ImageOptions, onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> ImageResult {
        let request = LoadRequest(source: source, options: options, cache: cache)
        if let hit = memoryHit(request) { return hit }
        let partial = partialPictures(request, onEvent)
        defer { partial?.close() }
        return try await transfers.waiting(
            for: request.bytesKey, priority: request.options.download.priority, onBytes: partial?.append
        ) { () throws(ImageError) in
            try await self.loads.value(for: request.loadKey, onEvent: onEvent) { sharing throws(ImageError) in
                if let hit = await self.processedHit(request) { return hit }
                let staged = try await self.picture(request, send: sharing.send)
                return try await self.store(staged, request)
            }
        }
    }

    /// Performs the work and sends its events to the relay; all are handled when the call returns.
    func relaying<Value: Sendable>(
        _ relay: EventRelay?,
        _ work: (@escaping @Sendable (LoadEvent) -> Void) async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        guard let relay else { return try await work { _ in } }
        let result: Result<Value, ImageError>
        do throws(ImageError) { result = .success(try await work { relay.send($0) }) } catch {
            result = .failure(error)
        }
        await relay.finish()
        return try result.get()
    }

    func firstSource(_ source: Source, _ options: ImageOptions) -> Source {
        options.download.isNetworkConstrained ? options.download.lowDataSource ?? source : source
    }

    /// Returns the result of the first source that succeeds.
    ///
    /// The source, or its replacement for a constrained network, is first; its alternatives follow. If the server is
    /// unavailable and the options allow it, returns the result of an expired entry, together with the error.
    func firstSuccess<Value: Sendable>(
        _ source: Source, _ options: ImageOptions, _ load: (Source, ImageOptions) async throws(ImageError) -> Value
    ) async throws(ImageError) -> (value: Value, expiredBecause: ImageError?) {
        let first = firstSource(source, options)
        let candidates = [first] + (options.cache.policy.mayFetch ? options.download.alternativeSources : [])
        var failures: [SourceFailure] = []
        var failure = ImageError.cancelled
        for candidate in candidates {
            do throws(ImageError) {
                return (try await load(candidate, options.sent(to: candidate, meantFor: source)), nil)
            } catch {
                if error.isTaskCancelled { throw error }
                failures.append(SourceFailure(source: candidate, error: error))
                failure = error
            }
        }
        if candidates.count > 1 { failure = .imageSetting(.alternativeSourcesExhausted(failures)) }
        let request = LoadRequest(source: first, options: options, cache: cache)
        guard request.expiredLimit != nil, failure.isOutage else { throw failure }
        var options = options
        options.cache.policy = .cacheOnlyEvenExpired
        guard let value = try? await load(first, options) else { throw failure }
        return (value, failure)
    }
}

extension ImageOptions {
    /// Returns the options, without headers if the source has another origin, because headers may contain credentials.
    fileprivate func sent(to source: Source, meantFor own: Source) -> ImageOptions {
        guard !download.headers.isEmpty, let url = source.url, own.url.map(Origin.init) != Origin(url) else {
            return self
        }
        var options = self
        options.download.headers = []
        return options
    }
}
