import Foundation
import Retrying

/// Loads pictures.
///
/// In one line: source → cache? → download (+ retry) → decode → process → cache!
///
/// Equal work at the same time is done once: transfers by source, pictures by source and processor. A waiter's cancel
/// is its own; the work stops when nobody waits for it.
public final class ImagePipeline: Sendable {
    public let cache: ImageCache
    /// How the hosts fare; every transfer asks here for its turn.
    public let hosts: HostHealth
    let downloader: any DataDownloading
    let decoder: any ImageDecoding
    private let transfers = JoinedWork<DataKey, FetchedData, LoadEvent>()
    private let pictures = JoinedWork<PictureKey, ImageResult, LoadEvent>()

    public init(
        cache: ImageCache, downloader: any DataDownloading = ImageDownloader(),
        decoder: any ImageDecoding = VipsDecoder(), hosts: HostHealth = HostHealth()
    ) {
        self.cache = cache
        self.hosts = hosts
        self.downloader = downloader
        self.decoder = decoder
    }

    /// The picture of a source, processed.
    ///
    /// Throws `ImageError`; `.isTaskCancelled` when the calling task was cancelled.
    public func image(
        for source: Source, options: ImageOptions = ImageOptions(),
        onEvent: @escaping @Sendable (LoadEvent) -> Void = { _ in }
    ) async throws(ImageError) -> ImageResult {
        let request = LoadRequest(source: source, options: options)
        if let hit = memoryHit(request) { return hit }
        return try await pictures.value(for: request.pictureKey, onEvent: onEvent) { send throws(ImageError) in
            try await self.load(request, send: send)
        }
    }

    /// Makes sure that the source's bytes lie on disk, without decoding them.
    ///
    /// Only the header is read, so that what is no picture is refused. A local file is read but not copied.
    /// Throws `.cache(.cannotStore)` when the bytes came but could not be kept.
    public func warm(
        _ source: Source, options: ImageOptions = ImageOptions(),
        onEvent: @escaping @Sendable (LoadEvent) -> Void = { _ in }
    ) async throws(ImageError) -> DataResult {
        let request = LoadRequest(source: source, options: options)
        if !options.cache.forceRefresh, let entry = await cache.disk?.use(request.originalKey) {
            return DataResult(cacheType: .disk, byteCount: entry.length, metrics: nil)
        }
        let fetched = try await bytes(request, mayStore: true, send: onEvent)
        if let problem = fetched.storeProblem { throw problem }
        return DataResult(cacheType: fetched.cacheType, byteCount: fetched.data.count, metrics: fetched.metrics)
    }

    private func load(
        _ request: LoadRequest, send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> ImageResult {
        if let hit = await processedHit(request) { return hit }
        let fetched = try await bytes(request, mayStore: request.keepsOriginal, send: send)
        let decoded = try await decode(fetched.data, request)
        let image = try await process(decoded, request)
        await store(image, request)
        return ImageResult(image: image, cacheType: fetched.cacheType, metrics: fetched.metrics)
    }
}

// MARK: - Steps of the line

extension ImagePipeline {
    private func memoryHit(_ request: LoadRequest) -> ImageResult? {
        guard !request.options.cache.forceRefresh else { return nil }
        return cache.memory.value(forKey: request.pictureKey.text).map {
            ImageResult(image: $0, cacheType: .memory, metrics: nil)
        }
    }

    /// A processed picture that lies on disk needs a decode only.
    private func processedHit(_ request: LoadRequest) async -> ImageResult? {
        guard request.isProcessed, !request.options.cache.forceRefresh, !request.options.cache.cacheMemoryOnly,
            let hit = await cache.disk?.data(for: request.processedKey),
            let image = try? await decodeWhole(hit.data, request)
        else { return nil }
        cache.memory.store(image, forKey: request.pictureKey.text, cost: image.cost)
        return ImageResult(image: image, cacheType: .disk, metrics: nil)
    }

    private func bytes(
        _ request: LoadRequest, mayStore: Bool, send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> FetchedData {
        try await transfers.value(for: request.dataKey, onEvent: send) { send throws(ImageError) in
            // Looked up within the joined work: who comes just after a transfer finds what it stored.
            if let hit = try await self.originalHit(request) { return hit }
            var fetched = try await self.fetch(request, send: send)
            if mayStore { fetched.storeProblem = try await self.storeOriginal(fetched, request) }
            return fetched
        }
    }

    private func originalHit(_ request: LoadRequest) async throws(ImageError) -> FetchedData? {
        guard !request.options.cache.forceRefresh else { return nil }
        if let hit = await cache.disk?.data(for: request.originalKey) {
            return FetchedData(data: hit.data, cacheType: .disk, isProvenWhole: true)
        }
        guard !request.options.cache.onlyFromCache else {
            throw .cache(.imageNotExisting(key: request.source.cacheKey))
        }
        return nil
    }

    private func fetch(
        _ request: LoadRequest, send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> FetchedData {
        switch request.source {
        case .network(let resource): try await transfer(resource, request, send: send)
        case .provider(let provider): try await read(provider)
        }
    }

    /// Whatever a provider does, it does off the actors that join equal work.
    @concurrent
    private func read(_ provider: any ImageDataProvider) async throws(ImageError) -> FetchedData {
        do {
            let data = try await provider.data()
            return FetchedData(data: data, cacheType: .none, isProvenWhole: true)
        } catch let error as ImageError {
            throw error
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .imageSetting(.dataProvider(String(describing: error)))
        }
    }

    @concurrent
    private func decode(_ data: Data, _ request: LoadRequest) async throws(ImageError) -> Image {
        guard !Task.isCancelled else { throw .cancelled }
        let process = request.options.process
        return try decoder.decode(data, within: process.processor.decodeBox, limits: process.limits)
    }

    @concurrent
    private func decodeWhole(_ data: Data, _ request: LoadRequest) async throws(ImageError) -> Image {
        try decoder.decode(data, within: nil, limits: request.options.process.limits)
    }

    @concurrent
    private func process(_ image: Image, _ request: LoadRequest) async throws(ImageError) -> Image {
        guard !Task.isCancelled else { throw .cancelled }
        return try request.options.process.processor.process(image)
    }

    /// A failed store never costs the picture: the memory has it, and the disk tier says so in its own place.
    @concurrent
    private func store(_ image: Image, _ request: LoadRequest) async {
        cache.memory.store(image, forKey: request.pictureKey.text, cost: image.cost)
        guard request.isProcessed, !request.options.cache.cacheMemoryOnly, let disk = cache.disk,
            let png = try? VipsOperations.png(image.pixels)
        else { return }
        try? await disk.store(
            png, for: request.processedKey, facts: request.facts(size: image.size, format: .png),
            expiration: request.options.cache.diskCacheExpiration)
    }

    /// Keeps the bytes; what is no picture is an error, a store that fails is answered, as the picture can be shown.
    private func storeOriginal(
        _ fetched: FetchedData, _ request: LoadRequest
    ) async throws(ImageError) -> ImageError? {
        let header = try await header(of: fetched.data, request)
        guard let disk = cache.disk, request.source.isWorthCachingOnDisk else { return nil }
        guard fetched.isProvenWhole else { return .cache(.cannotStore("nothing proves that the body is whole")) }
        var facts = request.facts(size: header.size, format: header.format)
        facts.frames = header.frameCount
        facts.etag = fetched.etag
        facts.lastModified = fetched.lastModified
        facts.cost = fetched.metrics.map { $0.total.milliseconds } ?? 0
        do throws(ImageError) {
            try await disk.store(
                fetched.data, for: request.originalKey, facts: facts,
                expiration: request.options.cache.diskCacheExpiration)
            return nil
        } catch {
            return error
        }
    }

    @concurrent
    private func header(of data: Data, _ request: LoadRequest) async throws(ImageError) -> ImageHeader {
        try decoder.header(of: data, limits: request.options.process.limits)
    }
}
