/// The place of an item in the list, from 0; stable for the life of the list.
package struct ItemID: Hashable, Sendable, Comparable {
    package let rawValue: Int

    package init(_ rawValue: Int) { self.rawValue = rawValue }

    package static func < (left: ItemID, right: ItemID) -> Bool { left.rawValue < right.rawValue }
}

/// One line of the list as the screen needs it; every text is sanitised and holds no secret.
package struct BrowseItem: Hashable, Sendable {
    package let id: ItemID
    /// The last path component, or what else names the picture best.
    package let name: String
    /// The host for a URL, the folder for a file.
    package let place: String
    /// The whole URL or path, credentials and secret query values redacted.
    package let location: String
    /// The item that names the same picture before it; not kept by the list, which keeps how items stand.
    package let duplicated: ItemID?

    package init(id: ItemID, name: String, place: String, location: String, duplicated: ItemID? = nil) {
        self.id = id
        self.name = name
        self.place = place
        self.location = location
        self.duplicated = duplicated
    }
}

/// Where an item stands.
package enum ItemStatus: Hashable, Sendable {
    case waiting
    case connecting
    /// Bytes received, bytes expected when known, bytes a second when measured.
    case loading(received: Int, total: Int?, rate: Int?)
    case onDisk(bytes: Int)
    case inMemory(bytes: Int)
    /// Next attempt number (from 2), attempts in all, seconds until it, and why the last one failed.
    case retrying(attempt: Int, of: Int, seconds: Int, reason: String)
    /// Nothing goes to the host for so many seconds, for a reason such as `host failing`; `answer` is how the item's own
    /// last attempt ended, empty before the first.
    case parked(seconds: Int, reason: String, answer: String = "")
    case failed(reason: String)
    case duplicate(of: ItemID)
}
