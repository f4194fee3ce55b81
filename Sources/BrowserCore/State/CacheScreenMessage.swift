import Raster

/// Everything that can happen to the cache inspection screen.
package enum CacheScreenMessage: Sendable, Equatable {
    case key(Key)
    case mouse(MouseEvent)
    /// Text that was pasted; it presses nothing.
    case pasted(String)
    case resized(GridSize, CellSize)
    case tick(milliseconds: Int)
    /// Rows `offset ..< offset + rows.count` of the query with this number, and how many it has in all.
    case rows(RequestID, offset: Int, rows: [CacheRow], count: Int)
    /// The same of a query for groups.
    case groups(RequestID, offset: Int, rows: [CacheGroupRow], count: Int)
    /// The query with this number cannot be answered, and why.
    case queryFailed(RequestID, String)
    case totals(CacheTotals)
    case details(RequestID, CacheRowDetails)
    /// Those of some entries that are still there.
    case found([CacheRow], of: [String])
    /// The preview of the entry that the request is about; nil when its bytes give no picture.
    case preview(RequestID, CachePreview?)
    /// What would go with all that a filter selects, of which `last` is the latest.
    case filterMeasured(filter: String, entries: Int, bytes: Int, last: String)
    /// What would go with these entries.
    case entriesMeasured([String], bytes: Int)
    /// So many entries and bytes went after a `delete`.
    case deleted(entries: Int, bytes: Int)
    /// What was asked for has been done, or not; what is shown is no longer true.
    case changed(String)
    case resumed
    case notice(String)
    /// The same, about something that went wrong.
    case warning(String)
}

/// What the inspection screen wants done.
package enum CacheScreenEffect: Sendable, Equatable {
    /// Read a window of the index, never all of it.
    case query(RequestID, CacheQuery)
    /// Read the totals.
    case totals
    /// Read what else is known of an entry, and a preview that fits into the box; none into an empty one.
    case details(RequestID, id: String, box: PixelSize)
    /// Read again what else is known of an entry, for the request that asked for it.
    case facts(RequestID, id: String)
    /// Look for entries again.
    case find([String])
    case releasePicture(PictureID)
    /// Say what would go with all that a filter selects.
    case measure(filter: String)
    /// Say what would go with these entries.
    case measureEntries([String])
    /// Delete entries by their row identifier.
    case delete([String])
    /// Delete all that a filter selects, but what came after `last`, where that is known.
    case deleteAll(filter: String, last: String?)
    case setPinned([String], Bool)
    case verify([String])
    /// Write the bytes of entries to a file, or into a folder.
    case export([String], path: String)
    /// Show entries in the browser.
    case open([String])
    /// Draw the whole screen anew, whatever it is thought to show.
    case redraw
    case suspend
    case quit
}

/// A window over the index: order, filter text and range.
package struct CacheQuery: Hashable, Sendable {
    package enum Order: String, Hashable, Sendable, CaseIterable {
        case used, size, age, hits, host, expiry
    }

    /// What the entries of a group have in common.
    package enum Grouping: String, Hashable, Sendable, CaseIterable {
        case host, type, kind, age
    }

    /// nil asks for entries, otherwise for groups, the largest first.
    package var grouping: Grouping?
    package var order: Order
    package var ascending: Bool
    package var filter: String
    package var offset: Int
    package var limit: Int
    /// The entry, by its row identifier, that is to be within the window though others have come before it.
    ///
    /// Where it is not, the window is that around it; nil where the offset counts.
    package var anchor: String?

    package init(
        grouping: Grouping? = nil, order: Order, ascending: Bool, filter: String, offset: Int, limit: Int,
        anchor: String? = nil
    ) {
        self.anchor = anchor
        self.grouping = grouping
        self.order = order
        self.ascending = ascending
        self.filter = filter
        self.offset = offset
        self.limit = limit
    }
}

/// One entry of the disk cache as the table shows it; texts are sanitised.
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
    /// Negative when past, nil when it never expires.
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
    /// The same some seconds later.
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

/// Entries that have something in common, counted; the text is sanitised.
package struct CacheGroupRow: Hashable, Sendable {
    /// What they have in common; for ages the least, such as `7d`.
    package var value: String
    /// The filter that selects them.
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
