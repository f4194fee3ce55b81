import Raster

/// The effects of actions on the state.
extension BrowseUpdate {
    /// Performs an action.
    ///
    /// - Parameter count: the number typed before the key: repetitions, or a row for actions that go to one.
    static func perform(
        _ action: BrowseAction, times count: Int? = nil, _ state: inout BrowseState
    ) -> [BrowseEffect] {
        if state.performOnComparison(action, times: count ?? 1) { return [] }
        if let step = state.rowStep(of: action) {
            state.go(by: step * (count ?? 1))
            return []
        }
        switch action {
        case .top: state.go(to: (count ?? 1) - 1)
        case .bottom: state.go(to: (count ?? state.list.count) - 1)
        case .fullScreen, .grid, .slideshow: state.show(action)
        case .switchPane: state.switchPane()
        case .filter: state.openFilter()
        case .clearFilter: state.escape()
        case .nextMatch: state.goToMatch(isForward: true, times: count ?? 1)
        case .previousMatch: state.goToMatch(isForward: false, times: count ?? 1)
        case .markAllButLargest: state.markGroup(keeping: .largest, times: count ?? 1)
        case .markAllButFirst: state.markGroup(keeping: .first, times: count ?? 1)
        case .markMatches: state.focus = .command(CommandField("mark "))
        case .duplicates: state.toggleDuplicates()
        case .compare: state.compare(.beside)
        case .difference: state.compare(.difference)
        case .sort: state.sort(by: state.list.order.next)
        case .names: state.changeNames()
        case .mark: state.toggleMarks(count ?? 1)
        case .markRange: state.markRange()
        case .markAll: state.markAll()
        case .unmarkAll: state.unmarkAll()
        case .info: state.toggleInfo()
        case .tasks: state.openTasks()
        case .help: state.focus = .help(Palette())
        case .command: state.focus = .command(CommandField())
        case .process: state.openProcessors()
        case .down, .up, .panLeft, .panRight: state.pan(action)
        case .zoomIn, .zoomOut, .zoomFit, .zoomActual: state.zoom(action)
        case .pauseAnimation: state.pauseMotion()
        case .nextFrame: state.stepFrame(1)
        case .previousFrame: state.stepFrame(-1)
        default: return effects(of: action, &state)
        }
        return []
    }

    /// Performs an action that has effects outside the state.
    private static func effects(of action: BrowseAction, _ state: inout BrowseState) -> [BrowseEffect] {
        switch action {
        case .reload: return state.reload()
        case .retryFailed: return state.retryAll()
        case .cancel: return state.selected.map { state.cancel($0) } ?? []
        case .pausePrefetch: return state.togglePause()
        case .transition: return state.nextTransition()
        case .copyURL: return state.copyAddress()
        case .openExternally: return state.selected.map { [.openExternally($0)] } ?? []
        case .export: return state.beginExport()
        case .removeFromCache: return state.removeFromCache()
        case .lowData: return state.toggleLowData()
        case .cache: return [.openCache]
        case .reloadConfiguration: return [.reloadConfiguration]
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit: return [.quit]
        default: return []
        }
    }
}

extension BrowseState {
    /// Returns the rows by which an action moves the cursor; nil if it does something else.
    fileprivate func rowStep(of action: BrowseAction) -> Int? {
        let page = showsGrid ? layout.grid.capacity : max(1, layout.list.rows)
        let line = showsGrid ? layout.grid.columns : 1
        switch action {
        case .down: return zoom.isFit ? line : nil
        case .up: return zoom.isFit ? -line : nil
        case .panLeft where showsGrid: return -1
        case .panRight where showsGrid: return 1
        case .halfPageDown: return max(1, page / 2)
        case .halfPageUp: return -max(1, page / 2)
        case .pageDown: return page
        case .pageUp: return -page
        default: return nil
        }
    }

    /// Shows full screen, the grid or the slideshow, unless the list is empty.
    fileprivate mutating func show(_ action: BrowseAction) {
        guard list.count > 0 || isFullScreen || isGrid else { return showNotice("there is no picture to show") }
        switch action {
        case .grid: toggleGrid()
        case .slideshow: toggleSlideshow()
        default: setFullScreen(!isFullScreen)
        }
    }

    fileprivate mutating func toggleGrid() {
        isGrid = isFullScreen || !isGrid
        setFullScreen(false)
    }

    fileprivate mutating func openProcessors() {
        (isGrid, isFullScreen) = (false, false)
        pane = .preview
        focus = .processors(ProcessorMenu(chain: options.processor, offer: options.processors))
    }

    fileprivate mutating func openTasks() {
        var cursor = TaskCursor()
        cursor.update(in: tasks, taskHosts, height: TasksPanel.rows(self))
        focus = .tasks(cursor)
    }

    fileprivate mutating func switchPane() {
        if !layout.isWide { pane = pane == .list ? .preview : .list }
    }

    /// Shows or hides the details; leaves full screen or the grid for them, and returns there when they close.
    fileprivate mutating func toggleInfo() {
        let isOpening = isFullScreen || isGrid || !showsInfo
        if isOpening { viewBehindInfo = LargeView(isGrid: isGrid, isFullScreen: isFullScreen) }
        isGrid = !isOpening && viewBehindInfo.isGrid
        setFullScreen(!isOpening && viewBehindInfo.isFullScreen)
        showsInfo = isOpening
        if isOpening { pane = .preview }
    }

    fileprivate mutating func openFilter() {
        isFullScreen = false
        if duplicates != nil { closeDuplicates() }
        pane = .list
        focus = .filter
    }

    /// Closes the range, the zoom, the slideshow, full screen, the details or the filter, whichever is open.
    fileprivate mutating func escape() {
        notice = nil
        if duplicates == nil { awaitsDuplicates = false }
        if focus == .list {
            if rangeStart != nil {
                rangeStart = nil
                return showQuietNotice("no range marked")
            }
            if !zoom.isFit {
                zoom = .fit
                return
            }
            if slideEnd != nil { return toggleSlideshow() }
            if isFullScreen { return setFullScreen(false) }
            if duplicates != nil { return closeDuplicates() }
            if isGrid, !list.isFiltered {
                isGrid = false
                return
            }
            if showsInfo, !list.isFiltered { return toggleInfo() }
        }
        focus = .list
        filter = TextField()
        applyFilter()
    }

    /// Goes to the match `count` matches away, at most a hundred.
    fileprivate mutating func goToMatch(isForward: Bool, times count: Int) {
        if duplicates != nil { return showGroup(isForward ? count : -count) }
        guard !lastFilter.isEmpty else { return showNotice("nothing to search for: / filters") }
        for _ in 0..<min(count, 100) {
            guard let match = list.row(accepting: lastFilter, from: viewport.cursor, isForward: isForward) else {
                return showNotice("no match")
            }
            go(to: match)
        }
    }

    mutating func sort(by order: SortOrder) {
        leaveDuplicates()
        list.sort(by: order)
        rangeStart = nil
        viewport.jump(to: list.row(of: anchor), count: list.count, height: layout.list.rows)
        showNotice(order == .list ? "in list order" : "sorted by \(order.title)")
    }

    fileprivate mutating func changeNames() {
        guard let next = [names.next, names.next.next].first(where: changesRows) else {
            return showQuietNotice("file names, paths and addresses are the same here")
        }
        names = next
        showNotice("rows show \(names.title)")
    }

    /// Whether another name style changes a visible row.
    private func changesRows(_ style: NameStyle) -> Bool {
        let visible = showsGrid ? gridRange : viewport.visible(count: list.count, height: layout.list.rows)
        return visible.contains { row in
            let index = list.index(at: row)
            return NameText(of: index, in: list.items, style) != NameText(of: index, in: list.items, names)
        }
    }

    fileprivate mutating func nextTransition() -> [BrowseEffect] {
        guard options.transitions.count > 1, !options.reducesMotion else {
            showNotice("transitions are off")
            return []
        }
        options.transitions.append(options.transitions.removeFirst())
        return setTransition(options.transitions[0])
    }

    mutating func setTransition(_ name: String) -> [BrowseEffect] {
        showNotice("transition: \(name)")
        return [.setTransition(name)]
    }

    fileprivate mutating func reload() -> [BrowseEffect] {
        guard let selected else { return [] }
        showNotice("reloading \(shortName(of: selected))")
        return slot.showAgain(reload: true, at: now)
    }

    fileprivate mutating func copyAddress() -> [BrowseEffect] {
        let items = chosenItems
        guard !items.isEmpty else { return [] }
        let files = items.count { list.items.isFile(at: $0.rawValue) }
        let what = files == 0 ? "URL" : files == items.count ? "path" : "location"
        showNotice(items.count == 1 ? "\(what) copied" : "\(Units.count(items.count)) \(what)s copied")
        return [.copyAddresses(items)]
    }

    /// Opens the command line with an export command.
    fileprivate mutating func beginExport() -> [BrowseEffect] {
        guard let selection else { return [] }
        let path = list.marks.isEmpty ? FileName.safe(list.items[selection].name) : "pictures/"
        focus = .command(CommandField("export ", path: path))
        return []
    }
}
