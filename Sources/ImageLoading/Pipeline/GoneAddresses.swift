import Synchronization

/// Remembers for a short while which addresses have no picture, so that no second request is spent on them.
final class GoneAddresses: Sendable {
    private struct Entry: Sendable {
        let error: ImageError
        let until: Duration
    }

    /// 0 remembers nothing.
    private let lifetime: Duration
    /// Old entries are looked for when this many are there; what is left is forgotten altogether.
    private let limit: Int
    private let now: @Sendable () -> Duration
    private let entries = Mutex<[String: Entry]>([:])

    init(lifetime: Duration, limit: Int = 4096, now: @escaping @Sendable () -> Duration) {
        self.lifetime = lifetime
        self.limit = limit
        self.now = now
    }

    /// Why there is nothing at the address, as far as that is fresh.
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

    /// Notes an error where it says that the picture is not there: 404 and 410.
    func note(_ error: ImageError, for address: String) {
        guard lifetime > .zero, error.isInvalidResponseStatusCode(404) || error.isInvalidResponseStatusCode(410)
        else { return }
        let moment = now()
        entries.withLock { entries in
            if entries.count >= limit { entries = entries.filter { $0.value.until > moment } }
            if entries.count >= limit { entries = [:] }
            entries[address] = Entry(error: error, until: moment + lifetime)
        }
    }

    func forget(_ address: String) { entries.withLock { $0[address] = nil } }
}
