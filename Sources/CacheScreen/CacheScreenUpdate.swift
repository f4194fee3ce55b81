import AlcedoScreen
import Raster

/// The cache screen's update; total and synchronous.
extension CacheScreenState {
    /// Applies a message to the state and returns the requested effects in order.
    package mutating func update(_ message: CacheScreenMessage) -> [CacheScreenEffect] {
        let effects = handle(message)
        return effects + readWindow() + readDetails()
    }

    private mutating func handle(_ message: CacheScreenMessage) -> [CacheScreenEffect] {
        switch message {
        case .key(let key): return key.splitAlt.flatMap { press($0) }
        case .keysTogether(let value): areKeysTogether = value
        case .mouse(let event): return handle(event)
        case .pasted(let text): paste(text)
        case .resized(let size, let cell): resize(size, cell)
        case .tick(let milliseconds): return advance(to: milliseconds)
        case .rows(let id, let offset, let rows, let count): receive(id, offset, .entries(rows), count)
        case .groups(let id, let offset, let rows, let count): receive(id, offset, .groups(rows), count)
        case .queryFailed(let id, let problem): fail(id, problem)
        case .totals(let totals): return setTotals(totals)
        case .found(let rows, let ids): updateMarks(rows, of: ids)
        case .details(let id, let details): if shown?.request == id { shown?.details = details }
        case .preview(let id, let preview): return setPreview(id, preview)
        case .measured(let target, let entries, let bytes):
            guard case .confirm(var deletion) = focus else { break }
            deletion.setMeasured(target, entries: entries, bytes: bytes)
            focus = .confirm(deletion)
            updateViewport()
        case .changed(let text): change(text)
        case .focused: break
        case .resumed: return [.redraw]
        case .notice(let text): showNotice(text)
        case .warning(let text): showNotice(text, .failure)
        }
        return []
    }
}

extension CacheScreenState {
    private static let largestSize = GridSize(columns: 2000, rows: 1000)

    mutating func showNotice(_ text: String, _ style: Style = .plain) {
        notice = Notice(text, style, at: now)
    }

    mutating func go(to place: Int) {
        detailsTop = 0
        viewport.move(to: place, count: count, height: layout.table.rows)
    }

    mutating func go(by distance: Int) {
        detailsTop = 0
        viewport.move(by: distance, count: count, height: layout.table.rows)
    }

    /// Scrolls the details by some lines.
    mutating func scrollDetails(by distance: Int) {
        let last = CacheDetails(state: self, layout: layout).lastTop
        detailsTop = min(max(0, min(detailsTop, last) + distance), last)
    }

    /// Requests the table from its top after the query has changed.
    mutating func requery() {
        viewport = Viewport()
        returnPlace = nil
        isStale = true
    }

    /// Keeps the cursor visible after the table's height changed.
    mutating func updateViewport() {
        viewport.jump(to: viewport.cursor, count: count, height: layout.table.rows)
    }

    fileprivate mutating func resize(_ newSize: GridSize, _ newCell: CellSize) {
        let largest = CacheScreenState.largestSize
        size = GridSize(columns: min(newSize.columns, largest.columns), rows: min(newSize.rows, largest.rows))
        cell = newCell
        updateViewport()
    }

    fileprivate mutating func advance(to milliseconds: Int) -> [CacheScreenEffect] {
        now = min(max(now, milliseconds), Int.max / 2)
        if notice?.isOver(at: now) == true { notice = nil }
        guard pending == nil, window != nil else { return [] }
        if now - lastRead >= CacheScreenState.staleInterval { isStale = true }
        guard now - lastTotalsRequest >= CacheScreenState.refreshInterval else { return [] }
        lastTotalsRequest = now
        if problem != nil { isStale = true }
        return [.totals]
    }

    /// Updates the totals; a change means that some process changed the cache, so that the rows are read again.
    fileprivate mutating func setTotals(_ new: CacheStatistics) -> [CacheScreenEffect] {
        let hasChanged = totals.map { $0 != new } ?? false
        totals = new
        guard hasChanged else { return [] }
        if pending == nil { isStale = true }
        let facts = shown.flatMap { $0.id.isEmpty ? nil : CacheScreenEffect.facts($0.request, id: $0.id) }
        return [facts, marks.isEmpty ? nil : .find(marks.keys.sorted())].compactMap(\.self)
    }

    /// Updates the marked entries, and unmarks those that no longer exist.
    fileprivate mutating func updateMarks(_ rows: [CacheRow], of ids: [String]) {
        let found = Dictionary(rows.map { ($0.id, $0) }) { $1 }
        for id in ids where marks[id] != nil { marks[id] = found[id] }
    }

    fileprivate mutating func setPreview(_ id: RequestID, _ preview: CachePreview?) -> [CacheScreenEffect] {
        guard shown?.request == id else { return preview.map { [.releasePicture($0.picture)] } ?? [] }
        let old = shown?.preview
        shown?.preview = preview
        return old.map { [.releasePicture($0.picture)] } ?? []
    }

    fileprivate mutating func receive(_ id: RequestID, _ offset: Int, _ rows: Window.Rows, _ count: Int) {
        guard id == lastRequest, var query = pending, query.offset == offset || query.anchor != nil else { return }
        query.offset = offset
        let before = selected
        let old = window.flatMap {
            query.isSameTable(as: $0.query) ? (entry: selected?.id, group: selectedGroup) : nil
        }
        window = Window(query: query, rows: rows.prefix(query.limit), count: max(0, count))
        pending = nil
        problem = nil
        if keepsSelection, let old, let place = place(ofEntry: old.entry, group: old.group?.filter) {
            viewport.jump(to: place, count: self.count, height: layout.table.rows)
        }
        // Details show the pin and state of the entry, so they must be read again.
        if let before, let row = selected, row.id == before.id,
            row.isPinned != before.isPinned || row.state != before.state
        {
            invalidateDetails()
        }
        lastRead = now
        if let place = returnPlace {
            returnPlace = nil
            go(to: place)
        }
        updateViewport()
    }

    /// Shows a failed query as an empty table; it is repeated after a while.
    fileprivate mutating func fail(_ id: RequestID, _ text: String) {
        guard id == lastRequest, let query = pending else { return }
        window = Window(query: query, rows: .entries([]), count: 0)
        pending = nil
        problem = SafeText.clean(text)
        lastRead = now
        updateViewport()
    }

    fileprivate mutating func change(_ text: String) {
        showNotice(text)
        isStale = true
        invalidateDetails()
    }

    /// Requests the details of the selected entry again; the old preview stays until then.
    private mutating func invalidateDetails() {
        guard let old = shown else { return }
        shown = Shown(request: RequestID(0), id: "", box: old.box, details: old.details, preview: old.preview)
    }

    /// Requests the rows around the visible ones, unless the loaded or requested rows cover them.
    fileprivate mutating func readWindow() -> [CacheScreenEffect] {
        let height = layout.table.rows
        guard height > 0 else { return [] }
        let query = CacheQuery(
            grouping: listsGroups ? grouping : nil, order: order, ascending: ascending, filter: wholeFilter,
            offset: max(0, viewport.top - height), limit: height * 3)
        let last = pending ?? window?.query
        guard isStale || last == nil || !covers(last, query) else { return [] }
        isStale = false
        let request = anchored(query)
        pending = request
        lastRequest = RequestID(lastRequest.rawValue + 1)
        return [.query(lastRequest, request)]
    }

    /// Whether the selection stays when rows are inserted before it; a cursor in the first row stays there instead.
    private var keepsSelection: Bool { viewport.cursor > 0 || showsDetails || focus != .table }

    /// Returns a query whose window includes the selected entry if it repeats the last query.
    private func anchored(_ query: CacheQuery) -> CacheQuery {
        guard keepsSelection, returnPlace == nil, let window, window.query.isSameTable(as: query), let selected else {
            return query
        }
        var query = query
        query.anchor = selected.id
        return query
    }

    /// Whether a query's result includes all visible rows.
    private func covers(_ last: CacheQuery?, _ query: CacheQuery) -> Bool {
        guard let last, last.isSameTable(as: query) else { return false }
        let visible = viewport.visible(count: count, height: layout.table.rows)
        return last.offset <= visible.lowerBound && visible.upperBound <= last.offset + last.limit
    }
}

extension CacheScreenState {
    /// Requests the details if they are visible and the selection changed; the old preview stays until then.
    fileprivate mutating func readDetails() -> [CacheScreenEffect] {
        guard !layout.details.isEmpty, let row = selected else {
            guard let preview = shown?.preview, layout.details.isEmpty else { return [] }
            shown = nil
            return [.releasePicture(preview.picture)]
        }
        let box = cell.pixels(of: layout.preview)
        guard shown?.id != row.id || shown?.box != box else { return [] }
        // Separate numbers, so that the result of a query is not taken for details.
        detailRequests += 1
        let request = RequestID(detailRequests)
        shown = Shown(
            request: request, id: row.id, box: box, details: shown?.details ?? [], preview: shown?.preview)
        return [.details(request, id: row.id, box: box)]
    }
}

extension CacheQuery {
    /// Whether the results of both queries are windows of the same table.
    fileprivate func isSameTable(as other: CacheQuery) -> Bool {
        (order, ascending, filter, grouping) == (other.order, other.ascending, other.filter, other.grouping)
    }
}

extension CacheScreenState.Window.Rows {
    fileprivate func prefix(_ count: Int) -> Self {
        switch self {
        case .entries(let rows): .entries(Array(rows.prefix(count)))
        case .groups(let rows): .groups(Array(rows.prefix(count)))
        }
    }
}
