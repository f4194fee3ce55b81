import AlcedoLists
import Foundation
import ImageLoading
import Retrying

/// The image pipeline with its caches and its downloader, wired as the program uses them.
package struct ImageServices: Sendable {
    package let pipeline: ImagePipeline
    /// Why the disk cache could not be used at the start, though it was wanted; it may recover later.
    package let diskProblem: CacheFolderProblem?
    let downloader: ImageDownloader
    private let retry: RetrySettings
    private let limits: DecodeLimits
    private let queue: ProcessingQueue
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
        settings.sandbox.prepare(settings.decode)
        downloader = ImageDownloader(configuration: Self.downloads(settings))
        retry = settings.retry
        limits = settings.decode
        queue = ProcessingQueue(width: ProcessingQueue.shared.width, memory: settings.memory / 2)
        headers = settings.connection.headers
        var disk: DiskStorage?
        var problem: CacheFolderProblem?
        if settings.usesDisk {
            do throws(CacheFolderProblem) { disk = try Self.recoveringDisk(settings) } catch { problem = error }
        }
        diskProblem = problem ?? disk?.problem
        let memory = MemoryStorage<Image>(
            configuration: .init(totalCostLimit: min(SystemMemory.standardCostLimit, settings.memory / 2)))
        pipeline = ImagePipeline(
            cache: ImageCache(memory: memory, disk: disk), downloader: downloader,
            decoder: settings.sandbox.makeDecoder(), hosts: settings.hosts)
    }

    private static func downloads(_ settings: LibrarySettings) -> DownloaderConfiguration {
        var configuration = DownloaderConfiguration()
        configuration.userAgent = "alcedo/0.1"
        configuration.limits.concurrent = settings.jobs
        configuration.limits.concurrentPerHost = settings.perHost
        configuration.limits.bytes = settings.maximumBytes
        configuration.limits.bytesPerSecond = settings.bytesPerSecond > 0 ? settings.bytesPerSecond : nil
        configuration.limits.allowsDowngrade = settings.connection.allowsDowngrade
        if settings.timeout > .zero { configuration.limits.allowSilence(of: settings.timeout) }
        configuration.limits.total = settings.maximumTime > .zero ? settings.maximumTime : nil
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
                sizeLimit: settings.cacheBytes, allowsNetworkFileSystem: settings.allowsNetworkCache))
    }

    /// Returns the options that all loads of the program share: originals are cached on disk, previews in memory,
    /// failures are retried, and pictures that expired within the last 30 days are shown if their server fails.
    package func options(processor: any ImageProcessor = DefaultImageProcessor()) -> ImageOptions {
        [
            .processor(processor), .cacheOriginalImage, .cacheMemoryOnly, .retryStrategy(retry.retrier),
            .serverDelayLimit(retry.serverDelayLimit), .callbackQueue(.untouch), .requestHeaders(headers),
            .expiredGracePeriod(.seconds(30 * 86_400)), .decodeLimits(limits), .processingQueue(queue),
        ]
    }

    package var attempts: Int { retry.retries + 1 }

    /// Returns the bytes of a file or of an entry of the disk cache; nil if they are not on this machine.
    ///
    /// - Parameter entry: The entry of the source if it is known; it is looked up if nil.
    @concurrent
    func original(of source: Source, _ entry: CacheEntry? = nil) async -> Data? {
        if case .provider(let provider) = source, !provider.isWorthCachingOnDisk {
            return try? await provider.data(limit: limits.bytes)
        }
        guard let disk = cache.disk else { return nil }
        var entry = entry
        if entry == nil { entry = await disk.entry(for: CacheEntryKey(source: source.cacheKey)) }
        guard let entry else { return nil }
        return await disk.contents(of: entry)
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
    static func open<Result, Problem: Error>(
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
    func image(
        at location: String, processor: any ImageProcessor, console: Console
    ) async throws(ImageError) -> Image {
        let pipe = PipeImageDataProvider(location, limit: limits.bytes).map { Source.provider($0) }
        guard let source = pipe ?? SourceReference.source(for: location) else {
            throw .request(.invalidURL("only http, https, file and data addresses can be read"))
        }
        return try await image(of: source, at: location, options: options(processor: processor), console: console)
    }

    func image(
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

extension LibrarySettings {
    /// The proxies of the options, otherwise of the environment.
    var proxies: ProxySettings { connection.proxy ?? ProxySettings(environment: environment) }

    fileprivate var hosts: HostHealth {
        retry.hosts(pace: requestsPerSecond > 0 ? TokenBucket(rate: requestsPerSecond) : nil)
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

/// The settings for retries and for hosts that fail.
public struct RetrySettings: Sendable, Equatable {
    /// Attempts after the first one; 3 by default.
    public var retries = 3
    /// The first delay and the longest one; the delay doubles with each attempt.
    ///
    /// 0.5 s and 30 s by default.
    public var delay = Duration.milliseconds(500)
    public var maximumDelay = Duration.seconds(30)
    /// Full by default: each delay is drawn evenly from 0 to the doubled delay.
    public var jitter = Jitter.full
    /// The longest Retry-After delay that is honoured; 60 s by default.
    public var serverDelayLimit = Duration.seconds(60)
    /// The retry budget of a host: a share of its requests in the last 2 minutes, plus a constant.
    ///
    /// 10 % and 10 by default.
    public var budgetRatio = 0.1
    public var budgetReserve = 10
    /// The number of failures in a row that opens a host's circuit breaker; 5 by default.
    public var hostFailures = 5
    /// How long items wait for a failing host before they fail at once.
    ///
    /// Nil, the default, waits as long as the host has been known, between 20 s and 3 minutes.
    public var hostPatience: Duration?

    public init() {}

    /// Sets the jitter by its name; returns false for an unknown name.
    package mutating func setJitter(_ name: String) -> Bool {
        guard let chosen = Self.jitters.first(where: { $0.name == name }) else { return false }
        jitter = chosen.jitter
        return true
    }

    private static let jitters: [(name: String, jitter: Jitter)] = [
        ("full", .full), ("none", .none), ("decorrelated", .decorrelated()),
    ]

    var retrier: Retrier {
        withExponentialBackoff(timeSlot: delay, maxDelay: maximumDelay, jitter: jitter)
            .giveUpAfter(maxAttempts: retries + 1)
    }

    /// Creates the host records.
    ///
    /// `pace` limits the requests a second to each host.
    func hosts(pace: TokenBucket? = nil) -> HostHealth {
        HostHealth(
            budget: RetryBudget(ratio: budgetRatio, reserve: budgetReserve),
            breaker: CircuitBreaker(threshold: hostFailures),
            waitLimit: hostPatience.map(HostWaitLimit.exactly) ?? HostWaitLimit(),
            pace: pace)
    }
}

extension RetrySettings {
    /// Creates the settings from a configuration.
    package init(_ configuration: Configuration) {
        self.init()
        retries = configuration[.retries]
        delay = configuration[.retryDelay]
        maximumDelay = configuration[.retryMaximumDelay]
        _ = setJitter(configuration[.retryJitter])
        serverDelayLimit = configuration[.serverDelayLimit]
        budgetRatio = configuration[.retryBudget]
        budgetReserve = configuration[.retryReserve]
        hostFailures = configuration[.hostFailures]
        hostPatience = configuration[.hostPatience] > .zero ? configuration[.hostPatience] : nil
    }
}

/// The connection options of one command; they hold secrets, so the config file has none of them.
public struct ConnectionSettings: Sendable, Equatable {
    /// Extra headers for the host of each address, never sent across a redirect to another host; none by default.
    public var headers: [HeaderField] = []
    /// User names and passwords by host; none by default.
    public var netrc: NetrcFile?
    /// Cookies to send to their own hosts; none by default.
    public var cookies: CookieFile?
    /// The proxies to use; nil, the default, takes them from the environment.
    public var proxy: ProxySettings?
    /// PEM text of certificate authorities that are trusted in addition to the system's; empty by default.
    public var authorities = ""
    /// Accepts any TLS certificate; false by default.
    public var isInsecure = false
    /// Follows redirects from https to http; false by default.
    public var allowsDowngrade = false
    /// Never uses HTTP/2; false by default.
    public var isHTTP1Only = false
    /// The interface, address or host name that connections leave from; the system's choice by default.
    public var interface: String?
    /// Addresses in place of name lookup, each `HOST:PORT:ADDRESS`; none by default.
    public var addresses: [String] = []

    public init() {}
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
    func makeDecoder() -> any ImageDecoding {
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
    func onMissingProtection(_ say: @escaping @Sendable (String) -> Void) {
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
        return source(URL(filePath: location), key)
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
