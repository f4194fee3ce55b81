import Foundation
import ImageLoading
import Retrying

/// What the program sets on the library.
public struct LibrarySettings: Sendable {
    /// Transfers at a time, 32 by default, and to one host, 6 by default.
    public var jobs = 32
    public var perHost = 6
    public var retry = RetrySettings()
    /// Bytes of one body; 100 MiB by default.
    public var maximumBytes = 100 << 20
    /// The limits of decoding; see `DecodeLimits` for the defaults.
    public var decode = DecodeLimits.standard
    /// Bytes for pictures in memory, half for those kept there, half for those being decoded; 512 MiB by default.
    public var memory = 512 << 20
    /// The longest silence of a server, whatever is waited for; 0, the default, for the downloader's own limits.
    public var timeout = Duration.zero
    /// Requests a second to one host; 0, the default, for any number.
    public var requestsPerSecond = 0.0
    /// Bytes of bodies a second, of all transfers; 0, the default, for any number.
    public var bytesPerSecond = 0
    public var connection = ConnectionSettings()
    /// False runs from memory only.
    public var usesDisk = true
    /// Of the disk cache, where the environment names none; empty, the default, for the standard one.
    public var cacheFolder = ""
    /// The disk cache's limit in bytes; 5 GiB by default.
    public var cacheBytes = DiskStorage.Configuration().sizeLimit
    public var environment = Self.processEnvironment

    // Settings are made by the dozen, for their defaults, and each look at the variables takes 0.1 ms.
    private static let processEnvironment = ProcessInfo.processInfo.environment

    public init() {}

    /// Whether the config file says the same in both.
    func isConfigured(as other: LibrarySettings) -> Bool {
        let transfers = (jobs, perHost, maximumBytes, timeout, requestsPerSecond, bytesPerSecond)
        let others = (
            other.jobs, other.perHost, other.maximumBytes, other.timeout, other.requestsPerSecond, other.bytesPerSecond
        )
        return transfers == others && decode == other.decode && memory == other.memory
            && (retry, cacheFolder, cacheBytes) == (other.retry, other.cacheFolder, other.cacheBytes)
    }

    /// `$ALCEDO_CACHE_DIR`, else the set one, else the standard place.
    public func diskFolder() throws(CacheFolderProblem) -> CacheFolder {
        let isNamed = environment["ALCEDO_CACHE_DIR"]?.isEmpty == false
        guard !isNamed, !cacheFolder.isEmpty else { return try CacheFolder.standard(environment: environment) }
        return CacheFolder(path: cacheFolder)
    }
}

/// The real parts of the image library, wired as the program uses them.
public struct Library: Sendable {
    public let pipeline: ImagePipeline
    /// Why the disk tier could not be used at the start, when it was wanted; it may come to itself later.
    public let diskProblem: CacheFolderProblem?
    let downloader: ImageDownloader
    private let retry: RetrySettings
    private let limits: DecodeLimits
    private let queue: ProcessingQueue
    private let headers: [HeaderField]

    public var cache: ImageCache { pipeline.cache }

    /// Returns messages about the disk cache: that it stopped working, works again, or was begun anew.
    public func diskNotices() -> AsyncStream<String> {
        guard let disk = cache.disk else { return AsyncStream { $0.finish() } }
        return AsyncStream { continuation in
            if disk.wasReset { continuation.yield(CacheInspector.resetMessage) }
            let subscription = disk.onChange { change in
                switch change {
                case .availability(.available): continuation.yield("the disk cache works again")
                case .availability(.unavailable(let reason)):
                    continuation.yield("continuing without the disk cache: \(reason)")
                case .indexReset: continuation.yield(CacheInspector.resetMessage)
                }
            }
            continuation.onTermination = { _ in subscription.cancel() }
        }
    }

    /// Opens the caches and the downloader; a disk tier that cannot be used is a fact, not a failure.
    public init(settings: LibrarySettings = LibrarySettings()) {
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
            cache: ImageCache(memory: memory, disk: disk), downloader: downloader, hosts: settings.hosts)
    }

    private static func downloads(_ settings: LibrarySettings) -> DownloaderConfiguration {
        var configuration = DownloaderConfiguration()
        configuration.limits.concurrent = settings.jobs
        configuration.limits.concurrentPerHost = settings.perHost
        configuration.limits.bytes = settings.maximumBytes
        configuration.limits.bytesPerSecond = settings.bytesPerSecond > 0 ? settings.bytesPerSecond : nil
        configuration.limits.allowsDowngrade = settings.connection.allowsDowngrade
        if settings.timeout > .zero { configuration.limits.allowSilence(of: settings.timeout) }
        configuration.proxies = settings.connection.proxy ?? ProxySettings(environment: settings.environment)
        configuration.tls.isInsecure = settings.connection.isInsecure
        configuration.credentials.netrc = settings.connection.netrc
        configuration.cookies = settings.connection.cookies
        return configuration
    }

    /// Opens the disk tier alone, for commands that need no transfers; one that can be read only will do.
    public static func openDisk(_ settings: LibrarySettings = LibrarySettings()) throws(CacheFolderProblem)
        -> DiskStorage
    {
        let disk = try recoveringDisk(settings)
        switch disk.problem {
        // Who changes something waits for one who holds the index, and makes room.
        case nil, .noRoom, .locked: return disk
        case let problem?:
            guard disk.isReadable else { throw problem }
            return disk
        }
    }

    /// A folder that cannot be used now may be usable later; throws where none is named.
    private static func recoveringDisk(_ settings: LibrarySettings) throws(CacheFolderProblem) -> DiskStorage {
        DiskStorage(
            recovering: try settings.diskFolder(),
            configuration: DiskStorage.Configuration(sizeLimit: settings.cacheBytes))
    }

    /// What every load of the program shares: originals stay on disk, previews in memory, failures are retried; what
    /// expired within the last 30 days is shown where its server cannot be asked.
    public func options(processor: any ImageProcessor = DefaultImageProcessor()) -> ImageOptions {
        [
            .processor(processor), .cacheOriginalImage, .cacheMemoryOnly, .retryStrategy(retry.retrier),
            .serverDelayLimit(retry.serverDelayLimit), .callbackQueue(.untouch), .requestHeaders(headers),
            .servesExpired(.seconds(30 * 86_400)), .decodeLimits(limits), .processingQueue(queue),
        ]
    }

    public var attempts: Int { retry.retries + 1 }

    /// Writes what is pending and closes connections.
    public func close() async {
        await pipeline.finishStores()
        await cache.flush()
        downloader.shutdown()
    }
}

extension LibrarySettings {
    fileprivate var hosts: HostHealth {
        retry.hosts(pace: requestsPerSecond > 0 ? TokenBucket(rate: requestsPerSecond) : nil)
    }
}

extension DownloadLimits {
    /// Waits as long for a connection, for an answer and for the next byte; a slow transfer is judged over as long.
    fileprivate mutating func allowSilence(of time: Duration) {
        (connect, head, idle) = (time, time, time)
        rateWindow = max(rateWindow, time)
    }
}
