import AlcedoLists
import AlcedoSupport
import FoundationEssentials
import ImageLoading
import Retrying

/// The image pipeline with its caches and its downloader, wired as the program uses them.
package struct ImageServices: Sendable {
    package let pipeline: ImagePipeline
    /// Why the disk cache could not be used at the start, though it was wanted; it may recover later.
    package let diskProblem: CacheFolderProblem?
    package let downloader: ImageDownloader
    /// The attempts for each picture.
    package let attempts: Int
    private let retrier: Retrier
    private let serverDelayLimit: Duration
    package let limits: DecodeLimits
    private let queue: ProcessingQueue
    private let decoder: any ImageDecoding
    private let headers: [HeaderField]

    package var cache: ImageCache { pipeline.cache }

    /// Returns a stream of messages about the disk cache: when it fails, when it works again, when its index was
    /// rebuilt.
    package func diskNotices() -> AsyncStream<String> {
        guard let disk = cache.disk else { return AsyncStream { $0.finish() } }
        return AsyncStream { continuation in
            if disk.wasReset { continuation.yield(DiskStorage.resetMessage) }
            let subscription = disk.onChange { change in
                switch change {
                case .availability(.available): continuation.yield("the disk cache works again")
                case .availability(.unavailable(let reason)):
                    continuation.yield("continuing without the disk cache: \(reason)")
                case .indexReset: continuation.yield(DiskStorage.resetMessage)
                }
            }
            continuation.onTermination = { _ in subscription.cancel() }
        }
    }

    /// Opens the caches and the downloader; a disk cache that cannot be used is reported in ``diskProblem``.
    package init(settings: LibrarySettings = LibrarySettings()) {
        settings[.sandbox].prepare(settings.decode)
        downloader = ImageDownloader(configuration: Self.downloads(settings))
        (retrier, attempts) = (settings.retrier, settings[.retries] + 1)
        serverDelayLimit = settings[.serverDelayLimit]
        limits = settings.decode
        queue = ProcessingQueue(width: ProcessingQueue.shared.width, memory: settings[.memory] / 2)
        headers = settings.connection.headers
        var disk: DiskStorage?
        var problem: CacheFolderProblem?
        if settings.usesDisk {
            do throws(CacheFolderProblem) { disk = try Self.recoveringDisk(settings) } catch { problem = error }
        }
        diskProblem = problem ?? disk?.problem
        let memory = MemoryStorage<Image>(
            configuration: .init(totalCostLimit: min(SystemMemory.standardCostLimit, settings[.memory] / 2)))
        decoder = settings[.sandbox].makeDecoder()
        pipeline = ImagePipeline(
            cache: ImageCache(memory: memory, disk: disk), downloader: downloader,
            decoder: decoder, hosts: settings.hosts)
    }

    private static func downloads(_ settings: LibrarySettings) -> DownloaderConfiguration {
        var configuration = DownloaderConfiguration()
        configuration.userAgent = "alcedo/0.1"
        configuration.limits.concurrent = settings[.jobs]
        configuration.limits.concurrentPerHost = settings[.perHost]
        configuration.limits.bytes = settings[.maximumBytes]
        configuration.limits.bytesPerSecond = settings[.limitRate] > 0 ? settings[.limitRate] : nil
        configuration.resumableBytes = min(configuration.resumableBytes, settings[.memory] / 16)
        configuration.limits.allowsDowngrade = settings.connection.allowsDowngrade
        if settings[.timeout] > .zero { configuration.limits.allowSilence(of: settings[.timeout]) }
        configuration.limits.total = settings[.maximumTime] > .zero ? settings[.maximumTime] : nil
        configuration.proxies = settings.proxies
        configuration.isHTTP1Only = settings.connection.isHTTP1Only
        configuration.interface = settings.connection.interface
        configuration.addresses = settings.connection.addresses
        if !settings.connection.authorities.isEmpty {
            // The text was checked when the options were read.
            try? configuration.tls.addRoots(pem: settings.connection.authorities)
        }
        configuration.tls.isInsecure = settings.connection.isInsecure
        configuration.credentials.netrc = settings.connection.netrc
        configuration.cookies = settings.connection.cookies
        return configuration
    }

    /// Opens only the disk cache, for commands that transfer nothing; a read-only cache is enough.
    package static func openDisk(_ settings: LibrarySettings = LibrarySettings()) throws(CacheFolderProblem)
        -> DiskStorage
    {
        let disk = try recoveringDisk(settings)
        switch disk.problem {
        // A command that changes the cache waits for a lock and can free space.
        case nil, .noRoom, .locked: return disk
        case let problem?:
            guard disk.isReadable else { throw problem }
            return disk
        }
    }

    /// Opens a disk cache that may become usable later; throws if no folder is configured and none can be derived.
    private static func recoveringDisk(_ settings: LibrarySettings) throws(CacheFolderProblem) -> DiskStorage {
        DiskStorage(
            recovering: try settings.diskFolder(),
            configuration: DiskStorage.Configuration(
                sizeLimit: settings[.cacheBytes], allowsNetworkFileSystem: settings[.allowsNetworkCache]))
    }

    /// Returns the options that all loads of the program share: originals are cached on disk, previews in memory,
    /// failures are retried, and pictures that expired within the last 30 days are shown if their server fails.
    package func options(processor: any ImageProcessor = DefaultImageProcessor()) -> ImageOptions {
        [
            .processor(processor), .cacheOriginalImage, .cacheMemoryOnly, .retryStrategy(retrier),
            .serverDelayLimit(serverDelayLimit), .callbackQueue(.untouch), .requestHeaders(headers),
            .expiredGracePeriod(.seconds(30 * 86_400)), .decodeLimits(limits), .processingQueue(queue),
        ]
    }

    /// Returns the bytes of a file or of an entry of the disk cache; nil if they are not on this machine.
    ///
    /// - Parameter entry: The entry of the source if it is known; it is looked up if nil.
    @concurrent
    package func original(of source: Source, _ entry: CacheEntry? = nil) async -> Data? {
        if case .provider(let provider) = source, !provider.isWorthCachingOnDisk {
            return try? await provider.data(limit: limits.bytes)
        }
        guard let disk = cache.disk else { return nil }
        var entry = entry
        if entry == nil { entry = await disk.entry(for: CacheEntryKey(source: source.cacheKey)) }
        guard let entry else { return nil }
        return await disk.contents(of: entry)
    }

    /// Makes a new file of a picture's file; an animation stays one in all formats but JPEG.
    package func newFile(
        of data: Data, by recipe: PictureRecipe, allowsDamage: Bool = false
    ) async throws(ImageError) -> Data {
        var limits = limits
        limits.allowsDamage = allowsDamage
        let made = try await queue.run(priority: 0.5, isLong: true) { [decoder, limits] () throws(ImageError) in
            do throws(CodecError) {
                if let file = try decoder.file(data, by: recipe, limits: limits) { return (file, Animation?.none) }
                let image = try decoder.decode(data, within: nil, limits: limits, animation: AnimationLoading())
                guard let animation = image.animation else {
                    throw .processor(.processingFailed(identifier: "animation", "it has no frames"))
                }
                return (Data(), animation)
            } catch {
                throw ImageError(error)
            }
        }
        guard let animation = made.1 else { return made.0 }
        do throws(CodecError) {
            return try await ImageEncoder.encode(
                animation, as: recipe.format, processor: try recipe.processor(), quality: recipe.quality,
                limits: limits)
        } catch {
            throw ImageError(error)
        }
    }

    /// Finishes pending stores, flushes the cache and closes the connections.
    package func close() async {
        await pipeline.finishStores()
        await cache.flush()
        downloader.shutdown()
    }
}

extension ImageServices {
    /// Opens the services for `body` and closes them after it; prints a message if the disk cache cannot be used.
    package static func open<Result, Problem: Error>(
        _ settings: LibrarySettings, console: Console, _ body: (ImageServices) async throws(Problem) -> Result
    ) async throws(Problem) -> Result {
        let services = ImageServices(settings: settings)
        if let problem = services.diskProblem { console.message("alcedo: \(problem); continuing without it") }
        do throws(Problem) {
            let result = try await body(services)
            await services.close()
            return result
        } catch {
            await services.close()
            throw error
        }
    }

    /// Loads the picture at a path or an address; prints a message if it is an expired one because its server failed.
    package func image(
        at location: String, processor: any ImageProcessor, console: Console
    ) async throws(ImageError) -> Image {
        let pipe = PipeImageDataProvider(location, limit: limits.bytes).map { Source.provider($0) }
        guard let source = pipe ?? SourceReference.source(for: location) else {
            throw .request(.invalidURL("only http, https, file and data addresses can be read"))
        }
        return try await image(of: source, at: location, options: options(processor: processor), console: console)
    }

    package func image(
        of source: Source, at location: String, options: ImageOptions, console: Console
    ) async throws(ImageError) -> Image {
        let result = try await pipeline.image(for: source, options: options)
        if let error = result.expiredBecause {
            let place = Redaction.display(location)
            console.message("alcedo: \(place): \(error.title); this is the expired picture from the cache")
        }
        if let damage = result.image.damage, damage.affectsPixels {
            console.message("alcedo: \(Redaction.display(location)): \(damage.title)")
        }
        return result.image
    }
}

extension DownloadLimits {
    /// Sets the limits for connecting, the response head and idle time to `time`, and measures slow transfers over at
    /// least as long.
    fileprivate mutating func allowSilence(of time: Duration) {
        (connect, head, idle) = (time, time, time)
        rateWindow = max(rateWindow, time)
    }
}

extension DiskStorage {
    /// The message about an index that was reset.
    package static let resetMessage = "the index of the cache was damaged; the cache begins anew and is empty"
}

/// The choice of processes that decode pictures.
package enum SandboxMode: String, Sendable, CaseIterable {
    /// Helper processes, with the protections that the kernel has.
    case auto
    /// Helper processes; decoding fails if the kernel lacks a protection.
    case required
    /// The program's own process, without protection; for debugging and for systems that cannot start helpers.
    case off

    /// Creates the decoder; for `off` it also allows decoding in this process.
    package func makeDecoder() -> any ImageDecoding {
        switch self {
        case .auto:
            onMissingProtection { Console().message("alcedo: \($0)") }
            return SandboxedDecoder()
        case .required:
            ArchiveReader.requireAllProtections()
            return SandboxedDecoder(isRequired: true)
        case .off:
            InProcessDecoding.allow()
            return CodecDecoder()
        }
    }

    /// Calls `say` once, with the first picture, if the mode is `auto` and the kernel lacks a protection.
    package func onMissingProtection(_ say: @escaping @Sendable (String) -> Void) {
        guard self == .auto else { return }
        SandboxedDecoder.onMissingProtection { missing in
            say(
                "decoding without \(missing.names.joined(separator: " and ")), which the kernel lacks "
                    + "(--sandbox required refuses)")
        }
    }

    /// Starts a decoder process ahead of the first picture.
    func prepare(_ limits: DecodeLimits) {
        if self != .off { SandboxedDecoder(isRequired: self == .required).prepare(limits: limits) }
    }
}

/// Turns a location of a list into a source.
package enum SourceReference {
    /// Returns the source for a URL or for a path relative to the working folder; nil for an unsupported scheme.
    ///
    /// - Parameter key: The cache key; by default the normalized address, so that addresses that count as duplicates in
    ///   lists share one cached picture.
    package static func source(for location: String, key: String? = nil) -> Source? {
        if let url = WebAddress.url(location), let scheme = url.scheme?.lowercased(),
            ["http", "https", "file", "data"].contains(scheme)
        {
            return source(url, key ?? normalKey(of: url))
        }
        guard !location.contains("://") else { return nil }
        return source(URL(file: location), key)
    }

    /// Returns the normalized address, or nil if it equals the address.
    private static func normalKey(of url: URL) -> String? {
        let address = url.absoluteString
        let normal = URLNormalizer.normalize(address)
        return address == normal || !normal.hasPrefix("http") ? nil : normal
    }

    private static func source(_ url: URL, _ key: String?) -> Source {
        key.map { Source(ImageResource(downloadURL: url, cacheKey: $0)) } ?? Source(url: url)
    }
}
