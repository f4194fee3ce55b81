import AlcedoScreen

/// The index of an item in the list; stable for the life of the list.
package struct ItemID: Hashable, Sendable, Comparable {
    package let rawValue: Int

    package init(_ rawValue: Int) { self.rawValue = rawValue }

    package static func < (left: ItemID, right: ItemID) -> Bool { left.rawValue < right.rawValue }
}

/// An entry of the list; all texts are sanitized and hold no secrets.
package struct BrowseItem: Hashable, Sendable {
    package let id: ItemID
    /// The last path component, or another short name.
    package let name: String
    /// The host of a URL or the folder of a file.
    package let place: String
    /// The whole URL or path, with credentials and secret query values redacted.
    package let location: String
    /// An earlier item with the same picture.
    ///
    /// The list does not store it; the item's status does.
    package let duplicated: ItemID?
    /// Whether it is a folder; the list does not store it either.
    package let isFolder: Bool

    package init(
        id: ItemID, name: String, place: String, location: String, duplicated: ItemID? = nil, isFolder: Bool = false
    ) {
        (self.id, self.name, self.place, self.location) = (id, name, place, location)
        (self.duplicated, self.isFolder) = (duplicated, isFolder)
    }
}

/// The state of an item's transfer and of its cache entry.
package enum ItemStatus: Hashable, Sendable {
    case waiting
    case connecting
    /// Bytes received, bytes expected if known, bytes per second if measured, and the times until the first byte.
    case loading(received: Int, total: Int?, rate: Int?, times: TransferTimes? = nil)
    case onDisk(bytes: Int)
    case inMemory(bytes: Int)
    /// The number of the next attempt (from 2), attempts in all, seconds until it, and why the last one failed.
    case retrying(attempt: Int, of: Int, seconds: Int, reason: String)
    /// Requests to the host are paused for some seconds, for a reason such as `host failing`.
    ///
    /// `answer` is the result of the item's own last attempt, empty before the first.
    case parked(seconds: Int, reason: String, answer: String = "")
    case failed(reason: String)
    case duplicate(of: ItemID)
    /// The file was deleted or moved; the list does not show the item.
    case gone
    /// A folder, with the number of its own pictures if it is known.
    case folder(pictures: Int?)
}

/// The times of a transfer until its first byte, in milliseconds, each without the one before it.
package struct TransferTimes: Hashable, Sendable {
    /// The times until a connection is ready; TLS has 0 if there is none.
    package struct Connection: Hashable, Sendable {
        let lookup, connect, handshake: Int

        package init(lookup: Int, connect: Int, handshake: Int) {
            (self.lookup, self.connect, self.handshake) = (lookup, connect, handshake)
        }
    }

    /// The times of the connection; nil if it was open before.
    private let connection: Connection?
    /// The time from the first request to the head of the response.
    private let firstByte: Int

    package init(_ connection: Connection?, firstByte: Int) {
        (self.connection, self.firstByte) = (connection, firstByte)
    }

    /// The times in words.
    package var text: String {
        let connected = connection.map { times in
            let tls = times.handshake > 0 ? ", TLS \(Units.duration(milliseconds: times.handshake))" : ""
            let lookup = Units.duration(milliseconds: times.lookup)
            return "name \(lookup), connected in \(Units.duration(milliseconds: times.connect))\(tls)"
        }
        let first = Units.duration(milliseconds: firstByte)
        return "\(connected ?? "on an open connection"), first byte \(first)"
    }
}
