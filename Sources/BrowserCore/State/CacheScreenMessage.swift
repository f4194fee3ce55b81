import Raster

/// Everything that can happen to the cache inspection screen.
public enum CacheScreenMessage: Sendable, Equatable {
    case key(Key)
    case resized(GridSize, CellSize)
    case tick(milliseconds: Int)
    /// Rows `offset ..< offset + rows.count` of the query with this number, and how many it has in all.
    case rows(RequestID, offset: Int, rows: [CacheRow], count: Int)
    case totals(CacheTotals)
    /// So many entries and bytes went after a `delete`.
    case deleted(entries: Int, bytes: Int)
    case resumed
    case notice(String)
}

/// What the inspection screen wants done.
public enum CacheScreenEffect: Sendable, Equatable {
    /// Read a window of the index, never all of it.
    case query(RequestID, CacheQuery)
    /// Delete entries by their row identifier.
    case delete([String])
    /// Draw the whole screen anew, whatever it is thought to show.
    case redraw
    case suspend
    case quit
}

/// A window over the index: order, filter text and range.
public struct CacheQuery: Hashable, Sendable {
    public enum Order: String, Hashable, Sendable, CaseIterable {
        case used, size, age, hits, host, expiry
    }

    public var order: Order
    public var ascending: Bool
    public var filter: String
    public var offset: Int
    public var limit: Int

    public init(order: Order, ascending: Bool, filter: String, offset: Int, limit: Int) {
        self.order = order
        self.ascending = ascending
        self.filter = filter
        self.offset = offset
        self.limit = limit
    }
}

/// One entry of the disk cache as the table shows it; texts are sanitised.
public struct CacheRow: Hashable, Sendable {
    public enum State: String, Hashable, Sendable {
        case fresh, expired, damaged
    }

    public var id: String
    public var state: State
    public var isPinned: Bool
    /// `original`, `processed`, `encoded`.
    public var kind: String
    public var host: String
    public var name: String
    public var bytes: Int
    public var size: PixelSize?
    public var processor: String
    public var hits: Int
    public var secondsSinceUse: Int
    /// Negative when past, nil when it never expires.
    public var secondsToExpiry: Int?

    public init(
        id: String, state: State, isPinned: Bool, kind: String, host: String, name: String, bytes: Int,
        size: PixelSize?, processor: String, hits: Int, secondsSinceUse: Int, secondsToExpiry: Int?
    ) {
        self.id = id
        self.state = state
        self.isPinned = isPinned
        self.kind = kind
        self.host = host
        self.name = name
        self.bytes = bytes
        self.size = size
        self.processor = processor
        self.hits = hits
        self.secondsSinceUse = secondsSinceUse
        self.secondsToExpiry = secondsToExpiry
    }
}

/// The whole cache in a line.
public struct CacheTotals: Hashable, Sendable {
    public var entries: Int
    public var bytes: Int
    public var limit: Int
    /// Hits and look-ups over the cache's life.
    public var hits: Int
    public var lookups: Int
    /// Bytes that needed no transfer.
    public var bytesSaved: Int

    public init(entries: Int, bytes: Int, limit: Int, hits: Int, lookups: Int, bytesSaved: Int) {
        self.entries = entries
        self.bytes = bytes
        self.limit = limit
        self.hits = hits
        self.lookups = lookups
        self.bytesSaved = bytesSaved
    }
}
