import BrowserCore
import Foundation
import ImageLoading
import Lists

/// What the `cache` commands ask and do, apart from how it is printed.
public struct CacheInspector: Sendable {
    private let disk: DiskStorage

    public init(disk: DiskStorage) { self.disk = disk }

    /// The message for an index that was begun anew.
    public static let resetMessage = "the index of the cache was damaged; the cache begins anew and is empty"

    public var folder: String { disk.folder.path }

    public func statistics() async throws(DiskCacheError) -> CacheStatisticsReport {
        CacheStatisticsReport(try await disk.statistics(), folder: folder)
    }

    /// Entries as they stood when it was asked, those that have gone since left out, a few hundred in memory at a time;
    /// `top` limits them.
    public func forEachEntry(
        filter: CacheFilter, order: CacheEntryQuery.Order, isAscending: Bool = false, top: Int?,
        _ body: (CacheEntryReport) -> Void
    ) async throws(DiskCacheError) {
        let query = CacheEntryQuery(filter: filter, order: order, isAscending: isAscending, limit: top ?? .max)
        let window = 500
        // In an index that turns out to be damaged with these, others begin anew with it.
        let (ids, first) = try await disk.ids(query, withFirst: window)
        for entry in first { body(CacheEntryReport(entry, now: Date())) }
        var rest = ids.dropFirst(window)
        while !rest.isEmpty {
            for entry in try await disk.entries(ids: Array(rest.prefix(window))) {
                body(CacheEntryReport(entry, now: Date()))
            }
            rest = rest.dropFirst(window)
        }
    }

    /// How many entries a filter selects, and their bytes.
    public func amount(_ filter: CacheFilter) async throws(DiskCacheError) -> CacheAmount {
        try await disk.amount(filter)
    }

    /// The same, and a filter that selects no more than was counted, whatever comes.
    public func counted(_ filter: CacheFilter) async throws(DiskCacheError) -> (
        amount: CacheAmount, filter: CacheFilter
    ) {
        let (amount, last) = try await disk.countedAmount(filter)
        return (amount, filter.upTo(last))
    }

    public func remove(_ filter: CacheFilter) async throws(DiskCacheError) -> CacheAmount {
        try await disk.remove(filter)
    }

    public func amount(of pruning: CachePruning) async throws(DiskCacheError) -> CacheAmount {
        try await disk.amount(of: pruning)
    }

    /// Sweeps as well: what a killed process left goes.
    public func prune(_ pruning: CachePruning) async throws(DiskCacheError) -> CacheAmount {
        let amount = try await disk.prune(pruning)
        await disk.sweep()
        return amount
    }

    /// What is said where pinned pictures keep a prune from the size it was for; nil where it came down to that.
    public func shortfall(of pruning: CachePruning) async throws(DiskCacheError) -> String? {
        guard let limit = pruning.sizeLimit else { return nil }
        let space = try await disk.statistics().space
        guard space > limit, let pinned = try? CacheFilter("state:pinned") else { return nil }
        let kept = try await disk.amount(pinned)
        guard kept.entries > 0 else { return nil }
        return "\(Units.bytes(space)) stay, more than \(Units.limit(limit)): \(Units.count(kept.entries)) pinned; "
            + "unpin them with 'alcedo cache unpin'"
    }

    /// Answers what went, as far as the index knew it.
    public func clear() async throws(DiskCacheError) -> CacheAmount {
        let all = try await disk.amount(CacheFilter())
        try await disk.removeAll()
        return all
    }

    /// Checks the whole cache; `onProgress` hears how many entries of how many have been looked at.
    public func verify(
        isFull: Bool, repairs: Bool, onProgress: @escaping @Sendable (Int, Int) -> Void
    ) async throws(DiskCacheError) -> CacheVerificationReport {
        CacheVerificationReport(try await disk.verify(isFull: isFull, repairs: repairs, onProgress: onProgress))
    }
}

// MARK: - Single entries

extension CacheInspector {
    /// All that is known of the entry that a key or an address means.
    ///
    /// Throws `ProgramProblem` where it means none or several, `DiskCacheError` where the cache cannot be asked.
    public func details(of text: String) async throws -> CacheDetailsReport {
        let entries = try await entries(text)
        guard let entry = entries.first else { throw Self.none(text) }
        let now = Date()
        return CacheDetailsReport(
            entry, variants: try await disk.variants(of: entry), place: try await disk.evictionPlace(of: entry),
            now: now)
    }

    /// The bytes of the entry that a key or an address means; an original comes before what was made of it.
    public func contents(of text: String) async throws -> Data {
        guard let entry = try await entries(text).first else { throw Self.none(text) }
        guard let data = await disk.contents(of: entry) else {
            throw ProgramProblem(
                "the bytes of \(Redaction.display(text)) are damaged or missing; alcedo cache verify --full --repair removes such entries"
            )
        }
        return data
    }

    /// Writes those bytes to a file, whole or not at all.
    public func export(_ text: String, to path: String, mayReplace: Bool) async throws {
        let file = ExportFile.onCommandLine(path, mayReplace: mayReplace)
        try file.check()
        try file.write(try await contents(of: text))
    }

    /// Pins the entries that keys and addresses mean, or lets go of them; nothing is done where one means none.
    ///
    /// The report counts those that were not so before.
    public func setPinned(_ isPinned: Bool, _ texts: [String]) async throws -> PinReport {
        var ids: [Int64] = []
        for text in texts { ids += try await entries(text).filter { $0.isPinned != isPinned }.map(\.id) }
        return PinReport(entries: try await disk.setPinned(isPinned, ids: ids), isPinned: isPinned)
    }

    /// The entries of one source that a text means, the original first.
    private func entries(_ text: String) async throws -> [CacheEntry] {
        var entries = try await disk.find(text)
        // As lists are read: what an address must not have in it is escaped, and the rest is written normally.
        if entries.isEmpty, let source = SourceReference.source(for: text), source.cacheKey != text {
            entries = try await disk.find(source.cacheKey)
        }
        guard let first = entries.first else { throw Self.none(text) }
        let sources = Set(entries.map(\.sourceName))
        guard sources.count == 1 else { throw Self.several(text, "sources", sources) }
        // Behind a dash stands what was made of the source.
        let names = Set(entries.map(\.name))
        guard names.count == 1 || !text.hasPrefix(first.sourceName.prefix(4)) || !text.contains("-") else {
            throw Self.several(text, "entries", names)
        }
        return [first] + entries.dropFirst()
    }

    private static func several(_ text: String, _ what: String, _ names: Set<String>) -> ProgramProblem {
        let some = names.sorted().prefix(5).joined(separator: ", ")
        return ProgramProblem("\(Redaction.display(text)) matches several \(what); choose one: \(some)")
    }

    private static func none(_ text: String) -> ProgramProblem {
        ProgramProblem("\(Redaction.display(text)) is not in the cache; alcedo cache ls lists the entries")
    }
}
