import Foundation
import ImageLoading
import Retrying

/// What the program sets on the library.
public struct LibrarySettings: Sendable {
    /// Transfers at a time, 32 by default, and to one host, 6 by default.
    public var jobs = 32
    public var perHost = 6
    public var retry = RetrySettings()
    /// Bytes of one body; 64 MiB by default.
    public var maximumBytes = 64 << 20
    /// False runs from memory only.
    public var usesDisk = true
    /// Of the disk cache, where the environment names none; empty, the default, for the standard one.
    public var cacheFolder = ""
    /// The disk cache's limit in bytes; 5 GiB by default.
    public var cacheBytes = DiskStorage.Configuration().sizeLimit
    public var environment = ProcessInfo.processInfo.environment

    public init() {}

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
    private let downloader: ImageDownloader
    private let retry: RetrySettings

    public var cache: ImageCache { pipeline.cache }

    /// Says once that the disk cache takes nothing any more, and once that it does again.
    public func diskNotices() -> AsyncStream<String> {
        guard let disk = cache.disk else { return AsyncStream { $0.finish() } }
        let changes = disk.standingChanges()
        return AsyncStream { continuation in
            let listening = Task {
                for await change in changes {
                    switch change {
                    case .usable: continuation.yield("the disk cache can be used again")
                    case .unusable(let why): continuation.yield("going on without the disk cache: \(why)")
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in listening.cancel() }
        }
    }

    /// Opens the caches and the downloader; a disk tier that cannot be used is a fact, not a failure.
    public init(settings: LibrarySettings = LibrarySettings()) {
        PictureMemory.returnEarly()
        downloader = ImageDownloader(configuration: Self.downloads(settings))
        retry = settings.retry
        var disk: DiskStorage?
        var problem: CacheFolderProblem?
        if settings.usesDisk {
            do throws(CacheFolderProblem) { disk = try Self.recoveringDisk(settings) } catch { problem = error }
        }
        diskProblem = problem ?? disk?.problem
        pipeline = ImagePipeline(cache: ImageCache(disk: disk), downloader: downloader, hosts: settings.retry.hosts)
    }

    private static func downloads(_ settings: LibrarySettings) -> DownloaderConfiguration {
        var configuration = DownloaderConfiguration()
        configuration.limits.concurrent = settings.jobs
        configuration.limits.concurrentPerHost = settings.perHost
        configuration.limits.bytes = settings.maximumBytes
        configuration.proxies = ProxySettings(environment: settings.environment)
        return configuration
    }

    /// Opens the disk tier alone, for commands that need no transfers.
    public static func openDisk(_ settings: LibrarySettings = LibrarySettings()) throws(CacheFolderProblem)
        -> DiskStorage
    {
        let disk = try recoveringDisk(settings)
        if let problem = disk.problem { throw problem }
        return disk
    }

    /// A folder that cannot be used now may be usable later; throws where none is named.
    private static func recoveringDisk(_ settings: LibrarySettings) throws(CacheFolderProblem) -> DiskStorage {
        DiskStorage(
            recovering: try settings.diskFolder(),
            configuration: DiskStorage.Configuration(sizeLimit: settings.cacheBytes))
    }

    /// What every load of the program shares: originals stay on disk, previews in memory, failures are retried.
    public func options(processor: any ImageProcessor = DefaultImageProcessor()) -> ImageOptions {
        [
            .processor(processor), .cacheOriginalImage, .cacheMemoryOnly, .retryStrategy(retry.retrier),
            .serverDelayLimit(retry.serverDelayLimit), .callbackQueue(.untouch),
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
