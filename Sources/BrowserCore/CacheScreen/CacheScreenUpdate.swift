import Raster

/// The inspection screen's only way from one state to the next; total and synchronous.
package enum CacheScreenUpdate {
    /// Lets a message happen and returns what is to be done about it, in order.
    package static func update(_ state: inout CacheScreenState, _ message: CacheScreenMessage) -> [CacheScreenEffect] {
        let effects = handle(message, &state)
        return effects + state.readWindow() + state.readDetails()
    }

    private static func handle(
        _ message: CacheScreenMessage, _ state: inout CacheScreenState
    ) -> [CacheScreenEffect] {
        switch message {
        case .key(let key): return key.splitAlt.flatMap { CacheScreenKeys.press($0, &state) }
        case .mouse(let event): return CacheScreenMouse.handle(event, &state)
        case .pasted(let text): CacheScreenKeys.paste(text, &state)
        case .resized(let size, let cell): state.resize(size, cell)
        case .tick(let milliseconds): return state.advance(to: milliseconds)
        case .rows(let id, let offset, let rows, let count): state.receive(id, offset, .entries(rows), count)
        case .groups(let id, let offset, let rows, let count): state.receive(id, offset, .groups(rows), count)
        case .queryFailed(let id, let problem): state.note(problem, of: id)
        case .totals(let totals): return state.take(totals)
        case .found(let rows, let ids): state.follow(rows, of: ids)
        case .details(let id, let details): if state.shown?.request == id { state.shown?.details = details }
        case .preview(let id, let preview): return state.take(id, preview)
        case .filterMeasured(let filter, let entries, let bytes, let last):
            guard case .confirm(let deletion) = state.focus else { break }
            state.focus = .confirm(deletion.weighing(filter, entries: entries, bytes: bytes, last: last))
        case .entriesMeasured(let ids, let bytes):
            guard case .confirm(let deletion) = state.focus else { break }
            state.focus = .confirm(deletion.weighing(ids, bytes: bytes))
        case .deleted(let entries, let bytes):
            state.change("deleted \(CacheText.entries(entries)), \(Units.bytes(bytes))")
        case .changed(let text): state.change(text)
        case .resumed: return [.redraw]
        case .notice(let text): state.showNotice(text)
        case .warning(let text): state.showNotice(text, .failure)
        }
        return []
    }
}

extension CacheScreenState {
    private static let largestSize = GridSize(columns: 2000, rows: 1000)

    mutating func showNotice(_ text: String, _ style: Style = .accent) {
        notice = Notice(text: SafeText.clean(text), end: now + Notice.duration, style: style)
    }

    mutating func go(to place: Int) {
        detailsTop = 0
        viewport.move(to: place, count: count, height: layout.table.rows)
    }

    mutating func go(by distance: Int) {
        detailsTop = 0
        viewport.move(by: distance, count: count, height: layout.table.rows)
    }

    /// Moves within the details, a line at a time.
    mutating func scrollDetails(by distance: Int) {
        let last = CacheDetails(state: self, layout: layout).lastTop
        detailsTop = min(max(0, min(detailsTop, last) + distance), last)
    }

    /// Starts over at the top after what is asked for has changed.
    mutating func requery() {
        viewport = Viewport()
        returnPlace = nil
        isStale = true
    }

    /// Keeps the cursor and the window right after the table's height changed.
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
        if let end = notice?.end, now >= end { notice = nil }
        guard pending == nil, window != nil else { return [] }
        if now - lastRead >= CacheScreenState.staleInterval { isStale = true }
        guard now - lastTotalsRequest >= CacheScreenState.refreshInterval else { return [] }
        lastTotalsRequest = now
        if problem != nil { isStale = true }
        return [.totals]
    }

    /// Whatever other processes do to the cache shows in its totals.
    fileprivate mutating func take(_ new: CacheTotals) -> [CacheScreenEffect] {
        let hasChanged = totals.map { $0 != new } ?? false
        totals = new
        guard hasChanged else { return [] }
        if pending == nil { isStale = true }
        let facts = shown.flatMap { $0.id.isEmpty ? nil : CacheScreenEffect.facts($0.request, id: $0.id) }
        return [facts, marks.isEmpty ? nil : .find(marks.keys.sorted())].compactMap(\.self)
    }

    /// Marks outlive no entry.
    fileprivate mutating func follow(_ rows: [CacheRow], of ids: [String]) {
        let found = Dictionary(rows.map { ($0.id, $0) }) { $1 }
        for id in ids where marks[id] != nil { marks[id] = found[id] }
    }

    fileprivate mutating func take(_ id: RequestID, _ preview: CachePreview?) -> [CacheScreenEffect] {
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
            query.listsTheSame(as: $0.query) ? (entry: selected?.id, group: selectedGroup) : nil
        }
        window = Window(query: query, rows: rows.prefix(query.limit), count: max(0, count))
        pending = nil
        problem = nil
        if followsChoice, let place = old?.entry.flatMap(place(of:)) ?? (old?.group?.filter).flatMap(place(ofGroup:)) {
            viewport.jump(to: place, count: self.count, height: layout.table.rows)
        }
        // What is told of the entry below has changed with it.
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

    /// Nothing is shown as an answer that is none; it is asked for again before long.
    fileprivate mutating func note(_ text: String, of id: RequestID) {
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

    /// What is known of the chosen entry may no longer be true: it is asked for again, and stays until that is there.
    private mutating func invalidateDetails() {
        guard let old = shown else { return }
        shown = Shown(request: RequestID(0), id: "", box: old.box, preview: old.preview)
    }

    private mutating func nextRequest() -> RequestID {
        lastRequest = RequestID(lastRequest.rawValue + 1)
        return lastRequest
    }

    /// Asks for the rows around the visible ones, when those on hand or on their way do not do.
    fileprivate mutating func readWindow() -> [CacheScreenEffect] {
        let height = layout.table.rows
        guard height > 0 else { return [] }
        let query = CacheQuery(
            grouping: listsGroups ? grouping : nil, order: order, ascending: ascending, filter: wholeFilter,
            offset: max(0, viewport.top - height), limit: height * 3)
        let last = pending ?? window?.query
        guard isStale || last == nil || !covers(last, query) else { return [] }
        isStale = false
        let anchored = keepingChoice(query)
        pending = anchored
        return [.query(nextRequest(), anchored)]
    }

    /// Whoever stands at the top sees what comes there; what is chosen below it, or looked at, stays chosen.
    private var followsChoice: Bool { viewport.cursor > 0 || showsDetails || focus != .table }

    /// The same table read again keeps what is chosen on the screen, however much came before it.
    private func keepingChoice(_ query: CacheQuery) -> CacheQuery {
        guard followsChoice, returnPlace == nil, let window, window.query.listsTheSame(as: query), let selected else {
            return query
        }
        var query = query
        query.anchor = selected.id
        return query
    }

    /// Whether a query's answer holds all rows that are on the screen.
    private func covers(_ last: CacheQuery?, _ query: CacheQuery) -> Bool {
        guard let last, last.listsTheSame(as: query) else { return false }
        let visible = viewport.visible(count: count, height: layout.table.rows)
        return last.offset <= visible.lowerBound && visible.upperBound <= last.offset + last.limit
    }
}

extension CacheScreenState {
    /// Asks for what the details show, when they are to be seen and another entry is chosen; the picture before stays
    /// until the next is there.
    fileprivate mutating func readDetails() -> [CacheScreenEffect] {
        guard !layout.details.isEmpty, let row = selected else {
            guard let preview = shown?.preview, layout.details.isEmpty else { return [] }
            shown = nil
            return [.releasePicture(preview.picture)]
        }
        let box = cell.pixels(of: layout.preview)
        guard shown?.id != row.id || shown?.box != box else { return [] }
        // Numbers of their own, so that no query's answer is taken for this one's.
        detailRequests += 1
        let request = RequestID(detailRequests)
        shown = Shown(request: request, id: row.id, box: box, preview: shown?.preview)
        return [.details(request, id: row.id, box: box)]
    }
}

extension CacheQuery {
    /// Whether the answers are parts of one table.
    fileprivate func listsTheSame(as other: CacheQuery) -> Bool {
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
