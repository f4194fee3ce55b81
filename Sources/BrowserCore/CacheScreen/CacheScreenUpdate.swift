import Raster

/// The inspection screen's only way from one state to the next; total and synchronous.
public enum CacheScreenUpdate {
    /// Lets a message happen and returns what is to be done about it, in order.
    public static func update(_ state: inout CacheScreenState, _ message: CacheScreenMessage) -> [CacheScreenEffect] {
        let effects = handle(message, &state)
        return effects + state.readWindow()
    }

    private static func handle(
        _ message: CacheScreenMessage, _ state: inout CacheScreenState
    ) -> [CacheScreenEffect] {
        switch message {
        case .key(let key): return CacheScreenKeys.press(key, &state)
        case .resized(let size, _): state.resize(size)
        case .tick(let milliseconds): state.advance(to: milliseconds)
        case .rows(let id, let offset, let rows, let count): state.receive(id, offset, rows, count)
        case .totals(let totals): state.totals = totals
        case .deleted(let entries, let bytes): state.confirmDeletion(entries, bytes)
        case .resumed: return [.redraw]
        case .notice(let text): state.say(text)
        }
        return []
    }
}

extension CacheScreenState {
    private static let largestSize = GridSize(columns: 2000, rows: 1000)

    mutating func say(_ text: String) {
        notice = Notice(text: SafeText.clean(text), end: now + Notice.duration)
    }

    mutating func go(to place: Int) {
        viewport.move(to: place, count: count, height: layout.table.rows)
    }

    mutating func go(by distance: Int) {
        viewport.move(by: distance, count: count, height: layout.table.rows)
    }

    /// Starts over at the top after the order or the filter changed.
    mutating func startOver() {
        viewport = Viewport()
        isStale = true
    }

    /// Keeps the cursor and the window right after the table's height changed.
    mutating func settleViewport() {
        viewport.jump(to: viewport.cursor, count: count, height: layout.table.rows)
    }

    fileprivate mutating func resize(_ newSize: GridSize) {
        let largest = CacheScreenState.largestSize
        size = GridSize(columns: min(newSize.columns, largest.columns), rows: min(newSize.rows, largest.rows))
        settleViewport()
    }

    fileprivate mutating func advance(to milliseconds: Int) {
        now = min(max(now, milliseconds), Int.max / 2)
        if let end = notice?.end, now >= end { notice = nil }
        if pending == nil, window != nil, now - lastAnswer >= CacheScreenState.refreshInterval { isStale = true }
    }

    fileprivate mutating func receive(_ id: RequestID, _ offset: Int, _ rows: [CacheRow], _ count: Int) {
        guard id == lastRequest, let query = pending, query.offset == offset else { return }
        window = Window(query: query, rows: Array(rows.prefix(query.limit)), count: max(0, count))
        pending = nil
        lastAnswer = now
        settleViewport()
    }

    fileprivate mutating func confirmDeletion(_ entries: Int, _ bytes: Int) {
        say("deleted \(CacheText.entries(entries)), \(Units.bytes(bytes))")
        isStale = true
    }

    /// Asks for the rows around the visible ones, when those on hand or on their way do not do.
    fileprivate mutating func readWindow() -> [CacheScreenEffect] {
        let height = layout.table.rows
        guard height > 0 else { return [] }
        let query = CacheQuery(
            order: order, ascending: ascending, filter: filter.text, offset: max(0, viewport.top - height),
            limit: height * 3)
        let last = pending ?? window?.query
        guard isStale || last == nil || !covers(last, query) else { return [] }
        isStale = false
        pending = query
        lastRequest = RequestID(lastRequest.rawValue + 1)
        return [.query(lastRequest, query)]
    }

    /// Whether a query's answer holds all rows that are on the screen.
    private func covers(_ last: CacheQuery?, _ query: CacheQuery) -> Bool {
        guard let last, last.order == query.order, last.ascending == query.ascending, last.filter == query.filter
        else { return false }
        let visible = viewport.visible(count: count, height: layout.table.rows)
        return last.offset <= visible.lowerBound && visible.upperBound <= last.offset + last.limit
    }
}
