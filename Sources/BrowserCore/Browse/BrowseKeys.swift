/// What keys mean, depending on what they act on.
enum BrowseKeys {
    static func press(_ key: Key, _ state: inout BrowseState) -> [BrowseEffect] {
        state.wakeFullScreenLine()
        switch key {
        case .control("z"), .control("l"), .control("c"):
            return BrowseAction.of(key).map { perform($0, &state) } ?? []
        default: break
        }
        switch state.focus {
        case .list: return inList(key, &state)
        case .filter: return inFilter(key, &state)
        case .help(let palette): return inHelp(key, palette, &state)
        case .tasks(let viewport): return inTasks(key, viewport, &state)
        }
    }

    private static func perform(_ action: BrowseAction, _ state: inout BrowseState) -> [BrowseEffect] {
        BrowsePerform.perform(action, &state)
    }

    private static func inList(_ key: Key, _ state: inout BrowseState) -> [BrowseEffect] {
        let isSecondG = state.awaitsSecondG && key == .character("g")
        state.awaitsSecondG = key == .character("g") && !isSecondG
        if isSecondG { return perform(.top, &state) }
        return BrowseAction.of(key).map { perform($0, &state) } ?? []
    }

    private static func inFilter(_ key: Key, _ state: inout BrowseState) -> [BrowseEffect] {
        switch key {
        case .escape: return perform(.clearFilter, &state)
        case .enter: state.focus = .list
        case .up: state.go(by: -1)
        case .down: state.go(by: 1)
        case .backspace where state.filter.text.isEmpty: state.focus = .list
        default: if state.filter.take(key) { state.applyFilter() }
        }
        return []
    }

    private static func inHelp(_ key: Key, _ palette: Palette, _ state: inout BrowseState) -> [BrowseEffect] {
        var palette = palette
        switch key {
        case .escape, .function(1):
            state.focus = .list
            return []
        case .enter:
            state.focus = .list
            return palette.action(state.glyphs).map { perform($0, &state) } ?? []
        case .up, .control("p"), .backTab: palette.move(by: -1, state.glyphs)
        case .down, .control("n"), .tab: palette.move(by: 1, state.glyphs)
        default: palette.type(key)
        }
        state.focus = .help(palette)
        return []
    }

    private static func inTasks(_ key: Key, _ viewport: Viewport, _ state: inout BrowseState) -> [BrowseEffect] {
        let tasks = state.tasks
        var viewport = viewport
        let height = TasksPanel.rows(state)
        let chosen = tasks.isEmpty ? nil : ItemID(tasks[min(viewport.cursor, tasks.count - 1)])
        switch key {
        case .escape, .character("w"), .character("q"):
            state.focus = .list
            return []
        case .character("x"): return chosen.map { state.cancel($0) } ?? []
        case .character("r"): return chosen.map { state.retry($0) } ?? []
        case .character("R"): return perform(.retryFailed, &state)
        case .character("p"): return perform(.pausePrefetch, &state)
        case .character("?"): return perform(.help, &state)
        case .character("j"), .down: viewport.move(by: 1, count: tasks.count, height: height)
        case .character("k"), .up: viewport.move(by: -1, count: tasks.count, height: height)
        case .character("G"), .end: viewport.move(to: .max, count: tasks.count, height: height)
        case .home: viewport.move(to: 0, count: tasks.count, height: height)
        default: return []
        }
        state.focus = .tasks(viewport)
        return []
    }
}
