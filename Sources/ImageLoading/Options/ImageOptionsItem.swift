import Retrying

/// One option of the literal syntax, `[.processor(p), .cacheOriginalImage]`; a later item wins.
public enum ImageOptionsItem: Sendable {
    case forceRefresh
    case onlyFromCache
    case cacheMemoryOnly
    case cacheOriginalImage
    case diskCacheExpiration(StorageExpiration)
    case downloadPriority(Double)
    case requestHeaders([HeaderField])
    case retryStrategy(any RetryStrategy)
    case serverDelayLimit(Duration)
    case processor(any ImageProcessor)
    case decodeLimits(DecodeLimits)
}

extension ImageOptions: ExpressibleByArrayLiteral {
    public init(arrayLiteral items: ImageOptionsItem...) {
        self.init()
        for item in items { apply(item) }
    }

    /// Sets what the item says.
    public mutating func apply(_ item: ImageOptionsItem) {
        switch item {
        case .forceRefresh: cache.forceRefresh = true
        case .onlyFromCache: cache.onlyFromCache = true
        case .cacheMemoryOnly: cache.cacheMemoryOnly = true
        case .cacheOriginalImage: cache.cacheOriginalImage = true
        case .diskCacheExpiration(let expiration): cache.diskCacheExpiration = expiration
        case .downloadPriority(let priority): download.priority = priority
        case .requestHeaders(let headers): download.headers = headers
        case .retryStrategy(let strategy): download.retryStrategy = strategy
        case .serverDelayLimit(let limit): download.serverDelayLimit = limit
        case .processor(let processor): process.processor = processor
        case .decodeLimits(let limits): process.limits = limits
        }
    }
}
