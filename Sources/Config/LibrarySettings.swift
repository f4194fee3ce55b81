import AlcedoLists
import FoundationEssentials
import ImageLoading
import Retrying

/// The settings of the image loading library: those of the config file, and what has no place there.
public struct LibrarySettings: Sendable, Equatable {
    package var configuration = Configuration()
    /// The settings of connections.
    public var connection = ConnectionSettings()
    /// False disables the disk cache.
    public var usesDisk = true
    /// Whether damaged pictures are decoded as far as they go; false by default.
    package var allowsDamage = false
    package var environment = Self.processEnvironment

    // Settings are created often, just for their defaults, and reading the environment takes 0.1 ms each time.
    private static let processEnvironment = ProcessInfo.processInfo.environment

    /// Creates the default settings, with the environment of the process.
    public init() {}

    /// Creates the settings from a configuration and the environment.
    package init(
        _ configuration: Configuration, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        (self.configuration, self.environment) = (configuration, environment)
    }

    /// The value of a setting of the config file.
    package subscript<Value>(_ setting: Setting<Value>) -> Value {
        get { configuration[setting] }
        set { configuration[setting] = newValue }
    }

    /// Sets a setting of the config file by its path, as `set("transfers.jobs", to: "8")`.
    ///
    /// `alcedo config` prints all settings with their values; numbers, true and false are recognized in the text.
    ///
    /// - Throws: `SettingProblem` if there is no such setting, or it takes another value.
    public mutating func set(_ path: String, to text: String) throws(SettingProblem) {
        try configuration.set(path, to: text)
    }

    /// Uses a cache in this folder, of at most so many bytes, whatever is configured.
    package mutating func usesCache(at folder: String, bytes: Int) {
        environment["ALCEDO_CACHE_DIR"] = nil
        self[.cacheBytes] = min(self[.cacheBytes], bytes)
        self[.cacheFolder] = folder.hasPrefix("/") ? folder : FileManager.default.currentDirectoryPath + "/" + folder
    }

    /// Returns `$ALCEDO_CACHE_DIR`, else the configured folder, else the standard one.
    package func diskFolder() throws(CacheFolderProblem) -> CacheFolder {
        let isNamed = environment["ALCEDO_CACHE_DIR"]?.isEmpty == false
        guard !isNamed, !self[.cacheFolder].isEmpty else { return try CacheFolder.ofAlcedo(environment: environment) }
        return CacheFolder(path: self[.cacheFolder])
    }

    /// The decoding limits: a file that may be downloaded may also be decoded.
    package var decode: DecodeLimits {
        var limits = DecodeLimits.standard
        limits.bytes = max(limits.bytes, self[.maximumBytes])
        limits.pixels = self[.megapixels] * 1_000_000
        limits.frames = self[.frames]
        limits.processorTime = self[.decodeTime]
        limits.allowsDamage = allowsDamage
        return limits
    }

    /// The proxies of the options, otherwise of the environment.
    package var proxies: ProxySettings { connection.proxy ?? ProxySettings(environment: environment) }

    /// Retries with growing delays.
    var retrier: Retrier {
        withExponentialBackoff(
            timeSlot: self[.retryDelay], maxDelay: self[.retryMaximumDelay], jitter: self[.retryJitter].jitter
        )
        .giveUpAfter(maxAttempts: self[.retries] + 1)
    }

    /// The host records, empty.
    var hosts: HostHealth {
        let (patience, rate) = (self[.hostPatience], self[.requestRate])
        return HostHealth(
            budget: RetryBudget(ratio: self[.retryBudget], reserve: self[.retryReserve]),
            breaker: CircuitBreaker(threshold: self[.hostFailures]),
            waitLimit: patience > .zero ? .exactly(patience) : HostWaitLimit(),
            pace: rate > 0 ? TokenBucket(rate: rate) : nil)
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

    /// Creates the default settings.
    public init() {}
}
