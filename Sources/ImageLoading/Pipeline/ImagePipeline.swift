import Foundation
import Retrying

/// Loads pictures.
///
/// In one line: source → cache? → download (+ retry) → decode → process → cache!
///
/// Equal work at the same time is done once, stage by stage: bytes by source, decodes by box and limits, each step of a
/// processor chain by the steps up to it. A waiter's cancel is its own; work stops when nobody waits for it, and is as
/// urgent as its most urgent waiter.
public final class ImagePipeline: Sendable {
    /// Where pictures are looked for and kept, unless the options name others.
    public let cache: ImageCache
    /// What a call's own options are added to, or what stands for them; the library's defaults by default.
    public let defaultOptions: ImageOptions
    /// How the hosts fare; every transfer asks here for its turn.
    public let hosts: HostHealth
    let downloader: any DataDownloading
    let decoder: any ImageDecoding
    let fetches = JoinedWork<BytesKey, FetchedData, LoadEvent>()
    let decodes = JoinedWork<DecodeKey, StagedImage, LoadEvent>()
    let steps = JoinedWork<StepKey, StagedImage, LoadEvent>()
    let stores = PendingStores()
    let urgency = TransferUrgency()
    let gone: GoneAddresses
    let feeds = ByteFeeds()
    let now: @Sendable () -> Duration
    private let loads = JoinedWork<LoadKey, ImageResult, LoadEvent>()

    /// Makes an idle pipeline.
    ///
    /// `remembersGone`, 30 s by default, is for how long a 404 or 410 is answered without another request; a forced
    /// refresh asks all the same. `now` is time since any fixed moment.
    public init(
        cache: ImageCache, downloader: any DataDownloading = ImageDownloader(),
        decoder: any ImageDecoding = CodecDecoder(), hosts: HostHealth = HostHealth(),
        defaultOptions: ImageOptions = ImageOptions(), remembersGone: Duration = .seconds(30),
        now: @escaping @Sendable () -> Duration = MonotonicTime.now
    ) {
        self.cache = cache
        self.defaultOptions = defaultOptions
        self.hosts = hosts
        self.downloader = downloader
        self.decoder = decoder
        self.now = now
        gone = GoneAddresses(lifetime: remembersGone, now: now)
    }

    /// The picture of a source, processed.
    ///
    /// When the source fails, its alternatives are tried in order. `onEvent` runs where `callbackQueue` says, and never
    /// after this has returned. Throws `ImageError`; `.isTaskCancelled` when the calling task was cancelled.
    public func image(
        for source: Source, options: ImageOptions? = nil, onEvent: (@Sendable (LoadEvent) -> Void)? = nil
    ) async throws(ImageError) -> ImageResult {
        let options = options ?? defaultOptions
        let identifier = Source.Identifier.next()
        var (result, expiredBecause) = try await relaying(onEvent, options) { send throws(ImageError) in
            try await self.firstSuccess(source, options) { source, options throws(ImageError) in
                try await self.load(source, options: options, onEvent: send)
            }
        }
        result.expiredBecause = expiredBecause
        result.identifier = identifier
        if let modifier = options.delivery.imageModifier { result.image = modifier.modify(result.image) }
        return result
    }

    /// The picture of a source with more options than the pipeline's own, which come first: of two, the later wins.
    public func image(
        for source: Source, adding items: [ImageOptionsItem], onEvent: (@Sendable (LoadEvent) -> Void)? = nil
    ) async throws(ImageError) -> ImageResult {
        try await image(for: source, options: defaultOptions.applying(items), onEvent: onEvent)
    }

    /// Returns when every picture handed out so far is stored, where it is to be.
    public func finishStores() async { await stores.finish() }

    /// How many wait for a whole load now.
    func waiterCount(of request: LoadRequest) -> Int { loads.waiterCount(for: request.loadKey) }

    func load(
        _ source: Source, options: ImageOptions, onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> ImageResult {
        let request = LoadRequest(source: source, options: options, cache: cache)
        if let hit = memoryHit(request) { return hit }
        return try await urgently(request) { () throws(ImageError) in
            try await self.showingParts(of: request, onEvent) { () throws(ImageError) in
                try await self.loads.value(for: request.loadKey, onEvent: onEvent) { send throws(ImageError) in
                    if let hit = await self.processedHit(request) { return hit }
                    let staged = try await self.picture(request, send: send)
                    return try await self.keep(staged, request)
                }
            }
        }
    }

    /// Does the work and tells meanwhile what there is of the picture, where that is asked for.
    private func showingParts<Value: Sendable>(
        of request: LoadRequest, _ onEvent: @escaping @Sendable (LoadEvent) -> Void,
        _ work: () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        guard let progressive = request.options.process.progressiveJPEG else { return try await work() }
        let pictures = PartialPictures(progressive, now: now) { data, scan async throws(ImageError) in
            try await self.partialPicture(data, scan, progressive, request)
        } send: {
            onEvent(.partial($0))
        }
        defer { pictures.close() }
        return try await feeds.listening(to: request.bytesKey(isKept: false), pictures.append, during: work)
    }

    func urgently<Value: Sendable>(
        _ request: LoadRequest, _ work: () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        try await urgency.wishing(request.options.download.priority, for: request.bytesKey(isKept: false), work)
    }

    /// Gives the work a place to tell its events; all are handled when this returns.
    func relaying<Value: Sendable>(
        _ handler: (@Sendable (LoadEvent) -> Void)?, _ options: ImageOptions,
        _ work: (@escaping @Sendable (LoadEvent) -> Void) async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        guard let handler else { return try await work { _ in } }
        let relay = EventRelay(options.delivery.callbackQueue, handler)
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

    /// What the first source gives that answers, else what lies here past its end, where that will do; and why.
    func firstSuccess<Value: Sendable>(
        _ source: Source, _ options: ImageOptions, _ load: (Source, ImageOptions) async throws(ImageError) -> Value
    ) async throws(ImageError) -> (value: Value, expiredBecause: ImageError?) {
        do throws(ImageError) { return (try await firstAnswer(source, options, load), nil) } catch {
            let first = firstSource(source, options)
            let request = LoadRequest(source: first, options: options, cache: cache)
            guard request.expiredLimit != nil, error.isOutage else { throw error }
            var options = options
            options.cache.takesExpired = true
            guard let value = try? await load(first, options) else { throw error }
            return (value, error)
        }
    }

    /// What the first source gives that answers: the source or its stand-in for a constrained network, then the
    /// alternatives.
    private func firstAnswer<Value: Sendable>(
        _ source: Source, _ options: ImageOptions, _ load: (Source, ImageOptions) async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let first = firstSource(source, options)
        guard !options.download.alternativeSources.isEmpty, !options.cache.onlyFromCache || options.cache.forceRefresh
        else { return try await load(first, options.sent(to: first, meantFor: source)) }
        var failures: [SourceFailure] = []
        for candidate in [first] + options.download.alternativeSources {
            do throws(ImageError) {
                return try await load(candidate, options.sent(to: candidate, meantFor: source))
            } catch {
                if error.isTaskCancelled { throw error }
                failures.append(SourceFailure(source: candidate.shownAddress, error: error))
            }
        }
        throw .imageSetting(.alternativeSourcesExhausted(failures))
    }
}

extension ImageOptions {
    /// Headers may hold credentials: another origin does not get them.
    fileprivate func sent(to source: Source, meantFor own: Source) -> ImageOptions {
        guard !download.headers.isEmpty, let url = source.url, own.url.map(Origin.init) != Origin(url) else {
            return self
        }
        var options = self
        options.download.headers = []
        return options
    }
}
