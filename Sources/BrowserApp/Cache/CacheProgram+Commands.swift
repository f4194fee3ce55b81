import AlcedoBrowserCore
import AlcedoCacheScreen
import AlcedoConfig
import AlcedoFilters
import AlcedoScreen
import AlcedoTools
import FoundationEssentials
import ImageLoading
import Raster

/// The queries and changes that the cache screen requests; results are posted to the screen.
extension CacheProgram {
    private var inbox: Inbox<CacheScreenMessage> { loop.inbox }
    private var disk: DiskStorage? { cache.disk }

    /// Answers a query; the totals come first, because group rows show their shares of them.
    func answer(_ id: RequestID, _ query: CacheQuery) async {
        let filter: CacheFilter
        do throws(FilterProblem) { filter = try CacheFilter(query.filter) } catch {
            return inbox.post(.queryFailed(id, error.description))
        }
        await postTotals()
        await post(failure: { .queryFailed(id, $0) }) { disk throws(DiskCacheError) in
            if let field = query.grouping {
                var page = try await disk.groups(
                    CacheGroupQuery(field: field, filter: filter, offset: query.offset, limit: query.limit))
                for place in page.groups.indices { page.groups[place].value = SafeText.clean(page.groups[place].value) }
                return .groups(id, offset: query.offset, rows: page.groups, count: page.count)
            }
            var window = CacheEntryQuery(
                filter: filter, order: query.order, isAscending: query.ascending, offset: query.offset,
                limit: query.limit)
            let page = try await Self.page(&window, query.anchor, of: disk)
            let now = Date()
            return .rows(
                id, offset: window.offset, rows: page.entries.map { CacheRow($0, now: now) }, count: page.count)
        }
    }

    /// Returns a page of entries, moved if necessary so that it contains the anchor entry.
    private nonisolated static func page(
        _ window: inout CacheEntryQuery, _ anchor: String?, of disk: DiskStorage
    ) async throws(DiskCacheError) -> (entries: [CacheEntry], count: Int) {
        let page = try await disk.entries(window)
        guard let anchor, let number = Int64(anchor), !page.entries.contains(where: { $0.id == number }),
            let place = try await disk.place(of: number, in: window)
        else { return page }
        window.offset = max(0, place - window.limit / 2)
        return try await disk.entries(window)
    }

    func postTotals() async {
        if let totals = await cache.statistics() { inbox.post(.totals(totals)) }
    }

    func measure(_ target: CacheTarget) async {
        guard let disk else { return }
        switch target {
        case .entries(let ids):
            guard let amount = try? await disk.amount(ids: Self.numbers(ids)) else { return }
            inbox.post(.measured(target, entries: ids.count, bytes: amount.bytes))
        case .filter(let text, _):
            guard let filter = try? CacheFilter(text), let counted = try? await disk.countedAmount(filter) else {
                return
            }
            let (amount, last) = (counted.amount, String(counted.last))
            inbox.post(.measured(.filter(text, last: last), entries: amount.entries, bytes: amount.bytes))
        }
    }

    func delete(_ target: CacheTarget) async {
        await post { disk throws(DiskCacheError) in
            .changed("deleted \(try await Self.delete(target, from: disk).summary)")
        }
    }

    private nonisolated static func delete(
        _ target: CacheTarget, from disk: DiskStorage
    ) async throws(DiskCacheError) -> CacheAmount {
        switch target {
        case .entries(let ids): return try await disk.remove(ids: numbers(ids))
        case .filter(let text, let last):
            guard let filter = try? CacheFilter(text) else { return CacheAmount() }
            return try await disk.remove(last.flatMap { Int64($0) }.map(filter.upTo) ?? filter)
        }
    }

    func setPinned(_ ids: [String], _ isPinned: Bool) async {
        // The screen already shows the change, so the rows are read again after a failure.
        await post(failure: CacheScreenMessage.changed) { disk throws(DiskCacheError) in
            let count = try await disk.setPinned(isPinned, ids: Self.numbers(ids))
            return .changed(PinReport(entries: count, isPinned: isPinned).line)
        }
    }

    func verify(_ ids: [String]) async {
        await post { disk throws(DiskCacheError) in
            let result = try await disk.verify(ids: Self.numbers(ids))
            guard let first = result.findings.first else { return .changed("checked \(result.checked.summary): sound") }
            return .changed("\(result.findings.count) of \(ids.count) damaged: \(first.detail)")
        }
    }

    /// Posts the result of the work, or the reason for its failure.
    private func post(
        failure: (String) -> CacheScreenMessage = CacheScreenMessage.notice,
        _ work: (DiskStorage) async throws(DiskCacheError) -> CacheScreenMessage
    ) async {
        guard let disk else { return inbox.post(failure("the disk cache is off")) }
        do throws(DiskCacheError) { inbox.post(try await work(disk)) } catch { inbox.post(failure(error.description)) }
    }

    private func entry(_ id: String) async -> CacheEntry? {
        guard let disk, let number = Int64(id) else { return nil }
        return try? await disk.entry(id: number)
    }

    nonisolated private static func numbers(_ ids: [String]) -> [Int64] { ids.compactMap { Int64($0) } }
}

// MARK: - Single entries

extension CacheProgram {
    /// Posts the details of an entry and returns it; nil if it is gone.
    @discardableResult
    func postDetails(_ id: RequestID, _ row: String) async -> CacheEntry? {
        guard let disk, let entry = await entry(row) else {
            inbox.post(.details(id, []))
            return nil
        }
        let variants = (try? await disk.variants(of: entry)) ?? []
        let place = try? await disk.evictionPlace(of: entry)
        let report = CacheDetailsReport(entry, in: disk, variants: variants, place: place, now: Date())
        let lines = report.facts.map { DetailLine($0.name, SafeText.clean($0.value, limit: 4096)) }
        inbox.post(.details(id, lines))
        return entry
    }

    /// Posts the given entries, if they still exist; nothing if the cache cannot be read.
    func find(_ ids: [String]) async {
        guard let entries = try? await disk?.entries(ids: Self.numbers(ids)) else { return }
        let now = Date()
        inbox.post(.found(entries.map { CacheRow($0, now: now) }, of: ids))
    }

    /// Returns the picture of an entry, scaled down to the box; nil if its bytes cannot be decoded.
    func picture(of entry: CacheEntry, within box: PixelSize) async -> Image? {
        guard let data = await disk?.contents(of: entry) else { return nil }
        return await Self.picture(of: data, within: box, decoder)
    }

    @concurrent
    private nonisolated static func picture(
        of data: Data, within box: PixelSize, _ decoder: any ImageDecoding
    ) async -> Image? {
        var limits = DecodeLimits.standard
        limits.allowsDamage = true
        let image = try? decoder.decode(data, within: box, limits: limits)
        return image.flatMap { try? DownsamplingImageProcessor(size: box).process($0) }
    }

    /// Returns the given entries, if they still exist.
    func entries(_ ids: [String]) async -> [CacheEntry] {
        (try? await disk?.entries(ids: Self.numbers(ids))) ?? []
    }

    /// Writes the bytes of one entry to a file, or of several entries into a folder.
    func export(_ ids: [String], to path: String) async {
        var batch = ExportBatch(of: ids.count, to: path)
        for id in ids { await batch.add(await entry(id), of: disk) }
        inbox.post(batch.hasFailed ? .warning(batch.outcome) : .notice(batch.outcome))
    }
}
