/// What is counted of a cache's work.
public struct CacheTally: Sendable, Hashable {
    /// Look-ups that the memory answered.
    public var memoryHits = 0
    /// Look-ups that the disk answered.
    public var diskHits = 0
    /// Look-ups that found nothing alive; the source was asked then.
    public var misses = 0
    /// Of the misses, those whose bytes lay here and still held, as the server said.
    public var revalidated = 0
    /// Bytes that needed no transfer, of hits on disk and of what was revalidated.
    public var bytesSaved = 0
    /// Entries whose content was not what it had been.
    public var damaged = 0
    /// Entries on disk that had to go, by why; what somebody asked to remove is none of them.
    public var evictions: [CacheEviction.Reason: Int] = [:]

    public init() {}

    /// Hits and misses.
    public var lookups: Int { memoryHits + diskHits + misses }
    /// Of both tiers.
    public var hits: Int { memoryHits + diskHits }
}

/// One number of a tally, as the index keeps it.
enum CacheCounter: Hashable, Sendable {
    case memoryHits, diskHits, misses, revalidated, bytesSaved, damaged
    case evicted(CacheEviction.Reason)

    /// The reasons that count as evictions.
    static let evictionReasons: [CacheEviction.Reason] = [.expired, .sizeLimit, .freeSpace, .unused]

    private static let plain: [CacheCounter] = [
        .memoryHits, .diskHits, .misses, .revalidated, .bytesSaved, .damaged,
    ]

    var name: String {
        switch self {
        case .memoryHits: "memoryHits"
        case .diskHits: "diskHits"
        case .misses: "misses"
        case .revalidated: "revalidated"
        case .bytesSaved: "bytesSaved"
        case .damaged: "damaged"
        case .evicted(let reason): "evicted." + reason.rawValue
        }
    }

    private static let names = Dictionary(
        uniqueKeysWithValues: (plain + evictionReasons.map(CacheCounter.evicted)).map { ($0.name, $0) })

    /// Nil for names of another program's version.
    init?(name: String) {
        guard let counter = Self.names[name] else { return nil }
        self = counter
    }
}

extension CacheTally {
    mutating func add(_ counter: CacheCounter, _ amount: Int) {
        switch counter {
        case .memoryHits: memoryHits += amount
        case .diskHits: diskHits += amount
        case .misses: misses += amount
        case .revalidated: revalidated += amount
        case .bytesSaved: bytesSaved += amount
        case .damaged: damaged += amount
        case .evicted(let reason): evictions[reason, default: 0] += amount
        }
    }
}
