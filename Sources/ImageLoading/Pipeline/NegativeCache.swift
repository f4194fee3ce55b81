import Synchronization

/// A short-lived record of addresses without an image, which saves repeated requests.
final class NegativeCache: Sendable {
    private struct Entry: Sendable {
        let error: ImageError
        let until: Duration
    }

    /// The lifetime of an entry; nothing is recorded if it is 0.
    private let lifetime: Duration
    /// The number of entries at which expired ones are removed; if too many are left, all are removed.
    private let limit: Int
    private let now: @Sendable () -> Duration
    private let entries = Mutex<[String: Entry]>([:])

    init(lifetime: Duration, limit: Int = 4096, now: @escaping @Sendable () -> Duration) {
        self.lifetime = lifetime
        self.limit = limit
        self.now = now
    }

    /// Returns the recorded error of an address, or nil if there is none or it has expired.
    func error(for address: String) -> ImageError? {
        guard lifetime > .zero else { return nil }
        let moment = now()
        return entries.withLock { entries in
            guard let entry = entries[address] else { return nil }
            if entry.until > moment { return entry.error }
            entries[address] = nil
            return nil
        }
    }

    /// Records an error that says that the image does not exist: 404 and 410.
    func record(_ error: ImageError, for address: String) {
        guard lifetime > .zero, error.isInvalidResponseStatusCode(404) || error.isInvalidResponseStatusCode(410)
        else { return }
        let moment = now()
        entries.withLock { entries in
            if entries.count >= limit { entries = entries.filter { $0.value.until > moment } }
            if entries.count >= limit { entries = [:] }
            entries[address] = Entry(error: error, until: moment + lifetime)
        }
    }

    /// Removes the record of an address.
    func remove(_ address: String) { entries.withLock { $0[address] = nil } }
}
