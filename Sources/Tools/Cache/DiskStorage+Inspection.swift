import AlcedoBrowserCore
import AlcedoConfig
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import ImageLoading

/// The queries and changes of the `cache` commands, without their output.
extension DiskStorage {
    /// Calls `body` with each entry that a filter selects, a few hundred in memory at a time.
    ///
    /// The selection is made at the start; entries that disappear meanwhile are left out. `top` limits their number.
    package func forEachEntry(
        filter: CacheFilter, order: CacheOrder, isAscending: Bool = false, top: Int?,
        _ body: (CacheEntryReport) -> Void
    ) async throws(DiskCacheError) {
        let query = CacheEntryQuery(filter: filter, order: order, isAscending: isAscending, limit: top ?? .max)
        let window = 500
        // One call returns both: between two calls, a damaged index could be rebuilt with other IDs.
        let (ids, first) = try await self.ids(query, withFirst: window)
        for entry in first { body(CacheEntryReport(entry, in: self, now: Date())) }
        var rest = ids.dropFirst(window)
        while !rest.isEmpty {
            for entry in try await entries(ids: Array(rest.prefix(window))) {
                body(CacheEntryReport(entry, in: self, now: Date()))
            }
            rest = rest.dropFirst(window)
        }
    }

    /// Returns a message if pinned entries keep the cache above the requested size; nil otherwise.
    package func shortfall(of pruning: CachePruning) async throws(DiskCacheError) -> String? {
        guard let limit = pruning.sizeLimit else { return nil }
        let space = try await statistics().space
        guard space > limit, let pinned = try? CacheFilter("state:pinned") else { return nil }
        let kept = try await amount(pinned)
        guard kept.entries > 0 else { return nil }
        return "\(Units.bytes(space)) remain, more than \(Units.limit(limit)): \(Units.count(kept.entries)) pinned; "
            + "unpin them with 'alcedo cache unpin'"
    }
}

// MARK: - Selected entries

extension DiskStorage {
    /// Pins or unpins all entries that a filter selects; the report counts them.
    package func setPinned(_ isPinned: Bool, where filter: CacheFilter) async throws(DiskCacheError) -> PinReport {
        let ids = try await self.ids(CacheEntryQuery(filter: filter, limit: .max))
        return PinReport(entries: try await setPinned(isPinned, ids: ids), isPinned: isPinned)
    }

    /// Writes the bytes of all entries that a filter selects into a folder, which is made if it is missing.
    ///
    /// - Returns: A line with the result, and whether every entry was written.
    @MainActor
    package func export(
        where filter: CacheFilter, to folder: String
    ) async throws(DiskCacheError) -> (line: String, isComplete: Bool) {
        var ids = try await self.ids(CacheEntryQuery(filter: filter, limit: .max))[...]
        guard !ids.isEmpty else { return ("nothing matches", true) }
        var batch = ExportBatch(of: ids.count, to: folder.hasSuffix("/") ? folder : folder + "/")
        while !ids.isEmpty {
            for entry in try await entries(ids: Array(ids.prefix(500))) { await batch.add(entry, of: self) }
            ids = ids.dropFirst(500)
        }
        return (batch.outcome, !batch.hasFailed)
    }
}

// MARK: - Single entries

extension DiskStorage {
    /// Returns all facts about the entry with a key or an address.
    ///
    /// - Throws: `ProgramProblem` if none or several match, `DiskCacheError` if the cache cannot be read.
    package func details(of text: String) async throws -> CacheDetailsReport {
        let entries = try await entries(named: text)
        guard let entry = entries.first else { throw Self.noEntry(text) }
        let now = Date()
        return CacheDetailsReport(
            entry, in: self, variants: try await variants(of: entry), place: try await evictionPlace(of: entry),
            now: now)
    }

    /// Returns the path of the file that holds those bytes, for reading only.
    package func path(ofEntry text: String) async throws -> String {
        guard let entry = try await entries(named: text).first else { throw Self.noEntry(text) }
        return path(of: entry)
    }

    /// Returns the bytes of the entry with a key or an address, preferably of the original.
    package func contents(ofEntry text: String) async throws -> Data {
        guard let entry = try await entries(named: text).first else { throw Self.noEntry(text) }
        guard let data = await contents(of: entry) else {
            throw ProgramProblem(
                "the bytes of \(Redaction.display(text)) are damaged or missing; alcedo cache verify --full --repair removes such entries"
            )
        }
        return data
    }

    /// Writes those bytes to a file atomically.
    package func export(_ text: String, to path: String, mayReplace: Bool) async throws {
        let file = ExportFile.onCommandLine(path, mayReplace: mayReplace)
        try file.check()
        try file.write(try await contents(ofEntry: text))
    }

    /// Pins or unpins the entries with the given keys and addresses; changes nothing if one of them matches no entry.
    ///
    /// The report counts the entries that changed.
    package func setPinned(_ isPinned: Bool, entries texts: [String]) async throws -> PinReport {
        var ids: [Int64] = []
        for text in texts { ids += try await entries(named: text).filter { $0.isPinned != isPinned }.map(\.id) }
        return PinReport(entries: try await setPinned(isPinned, ids: ids), isPinned: isPinned)
    }

    /// Returns the matching entries, which must belong to one source, the original first.
    private func entries(named text: String) async throws -> [CacheEntry] {
        var entries = try await find(text)
        // Also tries the address as lists are read: with invalid characters escaped and normalized.
        if entries.isEmpty, let source = SourceReference.source(for: text), source.cacheKey != text {
            entries = try await find(source.cacheKey)
        }
        guard let first = entries.first else { throw Self.noEntry(text) }
        let sources = Set(entries.map(\.sourceName))
        guard sources.count == 1 else { throw Self.severalMatch(text, "sources", sources) }
        // Keys of processed pictures have a dash and a suffix.
        let names = Set(entries.map(\.name))
        guard names.count == 1 || !text.hasPrefix(first.sourceName.prefix(4)) || !text.contains("-") else {
            throw Self.severalMatch(text, "entries", names)
        }
        return [first] + entries.dropFirst()
    }

    private static func severalMatch(_ text: String, _ what: String, _ names: Set<String>) -> ProgramProblem {
        let some = names.sorted().prefix(5).joined(separator: ", ")
        return ProgramProblem("\(Redaction.display(text)) matches several \(what); choose one: \(some)")
    }

    private static func noEntry(_ text: String) -> ProgramProblem {
        ProgramProblem("\(Redaction.display(text)) is not in the cache; alcedo cache ls lists the entries")
    }
}
