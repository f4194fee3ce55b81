import Raster

/// What each action does to the state.
enum BrowsePerform {
    static func perform(_ action: BrowseAction, _ state: inout BrowseState) -> [BrowseEffect] {
        let page = max(1, state.layout.list.rows)
        switch action {
        case .down: state.go(by: 1)
        case .up: state.go(by: -1)
        case .top: state.go(to: 0)
        case .bottom: state.go(to: state.list.count - 1)
        case .halfPageDown: state.go(by: max(1, page / 2))
        case .halfPageUp: state.go(by: -max(1, page / 2))
        case .pageDown: state.go(by: page)
        case .pageUp: state.go(by: -page)
        case .fullScreen: state.setFullScreen(!state.isFullScreen)
        case .switchPane: state.switchPane()
        case .filter: state.openFilter()
        case .clearFilter: state.escape()
        case .mark: state.toggleMark()
        case .info: state.showsInfo.toggle()
        case .tasks: state.focus = .tasks(Viewport())
        case .help: state.focus = .help(Palette())
        case .reload: return state.slot.showAgain(reload: true, at: state.now).effects
        case .retryFailed: return state.retryAll()
        case .cancel: return state.selected.map { state.cancel($0) } ?? []
        case .pausePrefetch: return state.togglePause()
        case .pauseAnimation: state.isMotionPaused.toggle()
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit: return [.quit]
        }
        return []
    }
}

extension BrowseState {
    /// How long full screen keeps its line after a key.
    private static let fullScreenLine = 2000

    /// What the task panel lists: all under way, then what failed, the latest first.
    var tasks: [Int] { statuses.activeItems + statuses.failed.reversed() }

    /// Shows the line of full screen for two seconds more.
    mutating func wakeFullScreenLine() {
        fullScreenLineEnd = now + BrowseState.fullScreenLine
    }

    /// Gives up an item's transfer, and the slot's request when it is for that item.
    mutating func cancel(_ item: ItemID) -> [BrowseEffect] {
        [.cancelItem(item)] + (item == slot.item ? slot.cancel().effects : [])
    }

    /// Tries a failed item again.
    mutating func retry(_ item: ItemID) -> [BrowseEffect] {
        guard statuses.kind(of: item.rawValue) == .failed else { return [] }
        statuses.set(item.rawValue, .waiting, at: now)
        prefetch.isStale = true
        return [.retryItem(item)] + (item == slot.item && slot.hasFailed ? showAgain() : [])
    }

    fileprivate mutating func retryAll() -> [BrowseEffect] {
        let failed = statuses.resetFailures()
        prefetch.isStale = true
        say(failed.isEmpty ? "nothing failed" : "retrying \(Units.count(failed.count))")
        return failed.map { .retryItem(ItemID($0)) } + (slot.hasFailed ? showAgain() : [])
    }

    private mutating func showAgain() -> [BrowseEffect] {
        slot.showAgain(reload: false, at: now).effects
    }

    fileprivate mutating func setFullScreen(_ isOn: Bool) {
        isFullScreen = isOn
        if isOn { wakeFullScreenLine() }
    }

    fileprivate mutating func switchPane() {
        if !layout.isWide { pane = pane == .list ? .preview : .list }
    }

    fileprivate mutating func openFilter() {
        isFullScreen = false
        pane = .list
        focus = .filter
    }

    /// One step back: out of full screen, or out of the filter.
    fileprivate mutating func escape() {
        if isFullScreen, focus == .list { return setFullScreen(false) }
        focus = .list
        filter = TextField()
        applyFilter()
    }

    fileprivate mutating func toggleMark() {
        guard let selection else { return }
        list.toggleMark(selection)
        go(by: 1)
    }

    fileprivate mutating func togglePause() -> [BrowseEffect] {
        guard options.prefetches else {
            say("prefetch is off")
            return []
        }
        isPrefetchPaused.toggle()
        return [.setPrefetchPaused(isPrefetchPaused)]
    }
}
