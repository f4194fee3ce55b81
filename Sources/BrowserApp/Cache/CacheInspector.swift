import Foundation
import ImageLoading

/// What the `cache` commands ask and do, apart from how it is printed.
public struct CacheInspector: Sendable {
    private let disk: DiskStorage

    public init(disk: DiskStorage) { self.disk = disk }

    public var folder: String { disk.folder.path }

    public func statistics() async throws(ImageError) -> CacheStatisticsReport {
        CacheStatisticsReport(try await disk.statistics(), folder: folder)
    }

    /// Entries in pages, so that a cache of any size is listed in little memory; `top` limits them.
    public func forEachEntry(
        filter: CacheFilter, order: CacheEntryQuery.Order, isAscending: Bool = false, top: Int?,
        _ body: (CacheEntryReport) -> Void
    ) async throws(ImageError) {
        var left = top ?? .max
        var query = CacheEntryQuery(filter: filter, order: order, isAscending: isAscending, limit: 500)
        while left > 0 {
            query.limit = min(500, left)
            let page = try await disk.entries(query).entries
            for entry in page { body(CacheEntryReport(entry, now: Date())) }
            guard page.count == query.limit else { return }
            left -= page.count
            query.offset += page.count
        }
    }

    /// How many entries a filter selects, and their bytes.
    public func selection(_ filter: CacheFilter) async throws(ImageError) -> CacheSelection {
        var selection = CacheSelection()
        var query = CacheEntryQuery(filter: filter, limit: 1000)
        while true {
            let page = try await disk.entries(query).entries
            selection.add(page)
            guard page.count == query.limit else { return selection }
            query.offset += page.count
        }
    }

    public func remove(_ selection: CacheSelection) async throws(ImageError) {
        try await disk.remove(ids: selection.ids)
    }

    public func clear() async throws(ImageError) { try await disk.removeAll() }

    public func close() async { await disk.flush() }
}

/// Entries that a filter chose.
public struct CacheSelection: Sendable {
    public private(set) var ids: [Int64] = []
    public private(set) var bytes = 0

    public var count: Int { ids.count }

    mutating func add(_ entries: [CacheEntry]) {
        ids += entries.map(\.id)
        bytes += entries.reduce(0) { $0 + $1.length }
    }
}
