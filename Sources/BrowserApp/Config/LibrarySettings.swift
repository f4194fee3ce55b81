import AlcedoLists
import Foundation
import ImageLoading
import Retrying

/// The settings of the image loading library.
public struct LibrarySettings: Sendable, Equatable {
    /// Maximum number of transfers at a time; 32 by default.
    public var jobs = 32
    /// Maximum number of transfers at a time for each host; 6 by default.
    public var perHost = DownloadLimits().concurrentPerHost
    public var retry = RetrySettings()
    /// Maximum size of one response body in bytes; 100 MiB by default.
    public var maximumBytes = 100 << 20
    /// The decoding limits; see `DecodeLimits` for the defaults.
    public var decode = DecodeLimits.standard
    /// The processes that decode pictures: helper processes without rights by default.
    package var sandbox = SandboxMode.auto
    /// Bytes for pictures in memory: half for the memory cache, half for decoding; 512 MiB by default.
    public var memory = 512 << 20
    /// The longest time a server may be silent in any phase; 0, the default, keeps the downloader's own limits.
    public var timeout = Duration.zero
    /// The time for a whole transfer, redirects included; 0, the default, means no limit.
    public var maximumTime = Duration.zero
    /// Maximum requests a second to one host; 0, the default, means no limit.
    public var requestsPerSecond = 0.0
    /// Maximum bytes a second over all transfers; 0, the default, means no limit.
    public var bytesPerSecond = 0
    public var connection = ConnectionSettings()
    /// False disables the disk cache.
    public var usesDisk = true
    /// The disk cache's folder if the environment names none; empty, the default, means the standard folder.
    public var cacheFolder = ""
    /// Whether the disk cache may lie on a network file system; false by default.
    package var allowsNetworkCache = false
    /// The disk cache's size limit in bytes; 5 GiB by default.
    public var cacheBytes = DiskStorage.Configuration().sizeLimit
    package var environment = Self.processEnvironment

    // Settings are created often, just for their defaults, and reading the environment takes 0.1 ms each time.
    private static let processEnvironment = ProcessInfo.processInfo.environment

    public init() {}

    /// Returns `$ALCEDO_CACHE_DIR`, else the configured folder, else the standard one.
    package func diskFolder() throws(CacheFolderProblem) -> CacheFolder {
        let isNamed = environment["ALCEDO_CACHE_DIR"]?.isEmpty == false
        guard !isNamed, !cacheFolder.isEmpty else { return try CacheFolder.ofAlcedo(environment: environment) }
        return CacheFolder(path: cacheFolder)
    }
}

extension LibrarySettings {
    /// Creates the settings from a configuration and the environment.
    package init(
        _ configuration: Configuration, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.init()
        jobs = configuration[.jobs]
        perHost = configuration[.perHost]
        maximumBytes = configuration[.maximumBytes]
        // A file that may be downloaded may also be decoded.
        decode.bytes = max(DecodeLimits.standard.bytes, maximumBytes)
        decode.pixels = configuration[.megapixels] * 1_000_000
        decode.frames = configuration[.frames]
        decode.processorTime = configuration[.decodeTime]
        sandbox = configuration[.sandbox]
        memory = configuration[.memory]
        timeout = configuration[.timeout]
        maximumTime = configuration[.maximumTime]
        requestsPerSecond = configuration[.requestRate]
        bytesPerSecond = configuration[.limitRate]
        retry = RetrySettings(configuration)
        cacheFolder = configuration[.cacheFolder]
        cacheBytes = configuration[.cacheBytes]
        allowsNetworkCache = configuration[.allowsNetworkCache]
        self.environment = environment
    }
}
