import Raster

/// An input or event for the cache screen's update.
package enum CacheScreenMessage: Sendable, Equatable {
    case key(Key)
    case mouse(MouseEvent)
    /// Pasted text; it triggers no key bindings.
    case pasted(String)
    case resized(GridSize, CellSize)
    case tick(milliseconds: Int)
    /// The result of a query: rows `offset ..< offset + rows.count`, and the total number of rows.
    case rows(RequestID, offset: Int, rows: [CacheRow], count: Int)
    /// The result of a query for groups.
    case groups(RequestID, offset: Int, rows: [CacheGroupRow], count: Int)
    /// The query failed, with the reason.
    case queryFailed(RequestID, String)
    case totals(CacheTotals)
    case details(RequestID, CacheRowDetails)
    /// The entries that still exist, out of some.
    case found([CacheRow], of: [String])
    /// The preview of the entry that was requested; nil if its bytes are not a picture.
    case preview(RequestID, CachePreview?)
    /// The amount that deleting everything a filter matches would remove; `last` identifies the newest entry counted.
    case filterMeasured(filter: String, entries: Int, bytes: Int, last: String)
    /// The amount that deleting these entries would remove.
    case entriesMeasured([String], bytes: Int)
    /// The amount that a deletion removed.
    case deleted(entries: Int, bytes: Int)
    /// A command finished or failed; the shown rows are outdated.
    case changed(String)
    case resumed
    case notice(String)
    /// A notice about something that went wrong.
    case warning(String)
}

/// A side effect that the cache screen's update requests.
package enum CacheScreenEffect: Sendable, Equatable {
    /// Read a window of the index.
    case query(RequestID, CacheQuery)
    /// Read the totals.
    case totals
    /// Read an entry's details, and a preview that fits into the box; no preview for an empty box.
    case details(RequestID, id: String, box: PixelSize)
    /// Read an entry's details again, for an earlier request.
    case facts(RequestID, id: String)
    /// Look for entries again.
    case find([String])
    case releasePicture(PictureID)
    /// Measure what deleting everything that a filter matches would remove.
    case measure(filter: String)
    /// Measure what deleting these entries would remove.
    case measureEntries([String])
    /// Delete entries by their row identifiers.
    case delete([String])
    /// Delete everything that a filter matches, except entries newer than `last` if it is known.
    case deleteAll(filter: String, last: String?)
    case setPinned([String], Bool)
    case verify([String])
    /// Write the bytes of entries to a file, or into a folder.
    case export([String], path: String)
    /// Show entries in the browser.
    case open([String])
    /// Redraw the whole screen, whatever it shows.
    case redraw
    case suspend
    case quit
}

/// A window over the index: order, filter and range.
package struct CacheQuery: Hashable, Sendable {
    package enum Order: String, Hashable, Sendable, CaseIterable {
        case used, size, age, hits, host, expiry
    }

    /// The property by which entries are grouped.
    package enum Grouping: String, Hashable, Sendable, CaseIterable {
        case host, type, kind, age
    }

    /// nil queries entries, otherwise groups, the largest first.
    package var grouping: Grouping?
    package var order: Order
    package var ascending: Bool
    package var filter: String
    package var offset: Int
    package var limit: Int
    /// The row identifier of an entry that the window must include, whatever its position; nil to use the offset.
    package var anchor: String?
}

/// An entry of the disk cache as a table row; texts are sanitized.
package struct CacheRow: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
        case live, expired, damaged
    }

    package var id: String
    package var state: State
    package var isPinned: Bool
    /// `original`, `processed`, `encoded`.
    package var kind: String
    package var host: String
    package var name: String
    package var bytes: Int
    package var size: PixelSize?
    package var processor: String
    package var hits: Int
    package var secondsSinceUse: Int
    package var secondsSinceStore: Int
    /// Negative if expired, nil if the entry never expires.
    package var secondsToExpiry: Int?

    package init(
        id: String, state: State, isPinned: Bool, kind: String, host: String, name: String, bytes: Int,
        size: PixelSize?, processor: String, hits: Int, secondsSinceUse: Int, secondsSinceStore: Int,
        secondsToExpiry: Int?
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
        self.secondsSinceStore = secondsSinceStore
        self.secondsToExpiry = secondsToExpiry
    }
}

extension CacheRow {
    /// Returns the row some seconds later.
    func aged(bySeconds seconds: Int) -> CacheRow {
        var row = self
        row.secondsSinceUse = secondsSinceUse.adding(seconds)
        row.secondsSinceStore = secondsSinceStore.adding(seconds)
        row.secondsToExpiry = secondsToExpiry?.adding(-seconds)
        return row
    }
}

extension Int {
    fileprivate func adding(_ other: Int) -> Int {
        let (sum, isTooMuch) = addingReportingOverflow(other)
        return isTooMuch ? (other > 0 ? .max : .min) : sum
    }
}

/// A group of entries with its counts; texts are sanitized.
package struct CacheGroupRow: Hashable, Sendable {
    /// The common property; for ages the lower bound, such as `7d`.
    package var value: String
    /// The filter that selects the group.
    package var filter: String
    package var entries: Int
    package var bytes: Int
    package var hits: Int

    package init(value: String, filter: String, entries: Int, bytes: Int, hits: Int) {
        self.value = value
        self.filter = filter
        self.entries = entries
        self.bytes = bytes
        self.hits = hits
    }
}
