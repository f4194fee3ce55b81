import AlcedoScreen
import Raster

/// An input or event for the cache screen's update.
package enum CacheScreenMessage: Sendable, Equatable {
    case key(Key)
    /// Whether the keys that follow arrive together, as pasted text does; actions that change files or run programs wait
    /// for a key that comes alone.
    case keysTogether(Bool)
    case mouse(MouseEvent)
    /// Pasted text; it triggers no key bindings.
    case pasted(String)
    case resized(GridSize, CellSize)
    case tick(milliseconds: Int)
    /// The result of a query: rows `offset ..< offset + rows.count`, and the total number of rows.
    case rows(RequestID, offset: Int, rows: [CacheRow], count: Int)
    /// The result of a query for groups.
    case groups(RequestID, offset: Int, rows: [CacheGroup], count: Int)
    /// The query failed, with the reason.
    case queryFailed(RequestID, String)
    case totals(CacheStatistics)
    /// The details of the entry that was requested, the most important first; texts are sanitized.
    case details(RequestID, [DetailLine])
    /// The entries that still exist, out of some.
    case found([CacheRow], of: [String])
    /// The preview of the entry that was requested; nil if its bytes are not a picture.
    case preview(RequestID, CachePreview?)
    /// The amount that a deletion would remove: content that other entries share stays.
    case measured(CacheTarget, entries: Int, bytes: Int)
    /// A command finished or failed; the shown rows are outdated.
    case changed(String)
    /// The terminal's window gained or lost the focus; without effect here.
    case focused(Bool)
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
    /// Read an entry's details again, without a preview; the answer has the number of the `details` request.
    case facts(RequestID, id: String)
    /// Look for entries again.
    case find([String])
    case releasePicture(PictureID)
    /// Measure what a deletion would remove.
    case measure(CacheTarget)
    case delete(CacheTarget)
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

/// The entries that a command applies to.
package enum CacheTarget: Sendable, Equatable {
    /// Entries by their row identifiers.
    case entries([String])
    /// All entries that a filter matches, except those newer than `last` if it is known.
    case filter(String, last: String? = nil)

    /// Whether both are the same entries or filter, whatever the newest entry is.
    func isSame(as other: CacheTarget) -> Bool {
        switch (self, other) {
        case (.entries, .entries): self == other
        case (.filter(let filter, _), .filter(let other, _)): filter == other
        default: false
        }
    }
}

/// A window over the index: order, filter and range.
package struct CacheQuery: Hashable, Sendable {
    /// nil queries entries, otherwise groups, the largest first.
    package var grouping: CacheGrouping?
    package var order: CacheOrder
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
    /// The host, with its port unless it is the one of the scheme; the folder of a file.
    package var host: String
    package var name: String
    /// The address without secrets, which tells entries of equal names apart.
    package var address: String
    package var bytes: Int
    package var size: PixelSize?
    package var processor: String
    package var hits: Int
    package var secondsSinceUse: Int
    /// Negative if expired, nil if the entry never expires.
    package var secondsToExpiry: Int?

    package init(
        id: String, state: State, isPinned: Bool, kind: String, host: String, name: String,
        address: String, bytes: Int, size: PixelSize?, processor: String, hits: Int, secondsSinceUse: Int,
        secondsToExpiry: Int?
    ) {
        (self.id, self.state, self.isPinned, self.kind, self.host) = (id, state, isPinned, kind, host)
        (self.name, self.address, self.bytes, self.size) = (name, address, bytes, size)
        (self.processor, self.hits) = (processor, hits)
        (self.secondsSinceUse, self.secondsToExpiry) = (secondsSinceUse, secondsToExpiry)
    }
}

extension CacheRow {
    /// Returns the row some seconds later.
    func aged(bySeconds seconds: Int) -> CacheRow {
        var row = self
        row.secondsSinceUse = secondsSinceUse.addingClamped(seconds)
        row.secondsToExpiry = secondsToExpiry?.addingClamped(-seconds)
        return row
    }
}

/// A decoded picture of an entry.
package struct CachePreview: Hashable, Sendable {
    package var picture: PictureID
    package var size: PixelSize

    package init(picture: PictureID, size: PixelSize) { (self.picture, self.size) = (picture, size) }
}
