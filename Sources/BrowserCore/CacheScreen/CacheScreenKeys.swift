import Raster

/// What keys mean on the inspection screen.
enum CacheScreenKeys {
    static func press(_ key: Key, _ state: inout CacheScreenState) -> [CacheScreenEffect] {
        switch key {
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        case .control("c"): return [.quit]
        default: break
        }
        switch state.focus {
        case .table: return inTable(key, &state)
        case .filter: inFilter(key, &state)
        case .confirm: return inConfirm(key, &state)
        case .help: state.focus = .table
        }
        return []
    }

    private static func inTable(_ key: Key, _ state: inout CacheScreenState) -> [CacheScreenEffect] {
        if move(key, &state) { return [] }
        switch key {
        case .character("q"): return [.quit]
        case .character("s"): sort(&state)
        case .character("S"): reverse(&state)
        case .character("/"): state.focus = .filter
        case .escape: clearFilter(&state)
        case .character(" "): mark(&state)
        case .character("u"): state.marks = [:]
        case .character("d"), .delete: if !state.targets.isEmpty { state.focus = .confirm }
        case .character("i"), .enter: toggleDetails(&state)
        case .character("r"): state.isStale = true
        case .character("?"), .function(1): state.focus = .help
        default: break
        }
        return []
    }

    private static func move(_ key: Key, _ state: inout CacheScreenState) -> Bool {
        let page = max(1, state.layout.table.rows)
        switch key {
        case .character("j"), .down: state.go(by: 1)
        case .character("k"), .up: state.go(by: -1)
        case .character("g"), .home: state.go(to: 0)
        case .character("G"), .end: state.go(to: .max)
        case .control("d"): state.go(by: max(1, page / 2))
        case .control("u"): state.go(by: -max(1, page / 2))
        case .control("f"), .pageDown: state.go(by: page)
        case .control("b"), .pageUp: state.go(by: -page)
        default: return false
        }
        return true
    }

    private static func inFilter(_ key: Key, _ state: inout CacheScreenState) {
        switch key {
        case .escape:
            state.focus = .table
            clearFilter(&state)
        case .enter: state.focus = .table
        case .backspace where state.filter.text.isEmpty: state.focus = .table
        default: if state.filter.take(key) { state.startOver() }
        }
    }

    private static func inConfirm(_ key: Key, _ state: inout CacheScreenState) -> [CacheScreenEffect] {
        let targets = state.targets
        state.focus = .table
        guard key == .character("y") || key == .character("Y"), !targets.isEmpty else { return [] }
        state.marks = [:]
        return [.delete(targets.keys.sorted())]
    }

    private static func sort(_ state: inout CacheScreenState) {
        let orders = CacheQuery.Order.allCases
        let place = orders.firstIndex(of: state.order) ?? 0
        state.order = orders[(place + 1) % orders.count]
        state.ascending = state.order == .host || state.order == .expiry
        state.startOver()
    }

    private static func reverse(_ state: inout CacheScreenState) {
        state.ascending.toggle()
        state.startOver()
    }

    private static func clearFilter(_ state: inout CacheScreenState) {
        guard !state.filter.text.isEmpty else { return }
        state.filter = TextField()
        state.startOver()
    }

    private static func mark(_ state: inout CacheScreenState) {
        guard let row = state.selected else { return }
        if state.marks.removeValue(forKey: row.id) == nil { state.marks[row.id] = row.bytes }
        state.go(by: 1)
    }

    private static func toggleDetails(_ state: inout CacheScreenState) {
        state.showsDetails.toggle()
        state.settleViewport()
    }
}
