import Foundation

/// What is on the disk, in rows and in numbers.
extension DiskStorage {
    /// The index row under a key, expired or not.
    @concurrent
    public func entry(for key: CacheEntryKey) async -> CacheEntry? {
        try? await withIndex { try await $0.entry(for: key) }
    }

    /// A window over the index and how many entries the query has in all.
    @concurrent
    public func entries(_ query: CacheEntryQuery) async throws(ImageError) -> (entries: [CacheEntry], count: Int) {
        let moment = now()
        do { return try await withIndex { try await $0.entries(query, now: moment) } } catch {
            throw Self.unavailable(error)
        }
    }

    /// The whole tier in numbers; throws `.cache(.diskUnavailable)`.
    @concurrent
    public func statistics() async throws(ImageError) -> CacheStatistics {
        do {
            var statistics = try await withIndex { try await $0.statistics() }
            statistics.limit = configuration.sizeLimit
            return statistics
        } catch {
            throw Self.unavailable(error)
        }
    }

    /// Bytes of content files; equal contents count once.
    ///
    /// Complexity: O(1), the index keeps the sum.
    @concurrent
    public func totalBytes() async throws(ImageError) -> Int {
        do { return try await withIndex { try await $0.totalBytes() } } catch { throw Self.unavailable(error) }
    }

    /// Where the bytes of an entry lie; for reading only.
    public func path(of entry: CacheEntry) -> String { blobs.path(of: entry.contentName) }

    /// Waits until everything asked for is in the index.
    @concurrent
    public func flush() async { try? await withIndex { try await $0.flush() } }

    static func unavailable(_ error: any Error) -> ImageError {
        .cache(.diskUnavailable(IndexDamage.text(of: error)))
    }
}
