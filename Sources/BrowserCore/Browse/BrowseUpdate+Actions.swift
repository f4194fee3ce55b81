import AlcedoFilters
import AlcedoScreen
import Raster

/// The effects of actions on the state.
extension BrowseState {
    /// Performs an action.
    ///
    /// - Parameter count: the number typed before the key: repetitions, or a row for actions that go to one.
    mutating func perform(_ action: BrowseAction, times count: Int? = nil) -> [BrowseEffect] {
        if performOnComparison(action, times: count ?? 1) { return [] }
        if let effects = performOnFolder(action) { return effects }
        let step = rowStep(of: action)
        if step != nil || action.traits.topic == .move { showsFaults = false }
        if let step {
            go(by: step * (count ?? 1))
            return []
        }
        switch action {
        case .top: go(to: (count ?? 1) - 1)
        case .bottom: go(to: (count ?? list.count) - 1)
        case .fullScreen, .grid, .slideshow: show(action)
        case .switchPane: switchPane()
        case .filter: openFilter()
        case .clearFilter where fileProgress != nil: return [.stopFiles]
        case .clearFilter: escape()
        case .nextMatch: goToMatch(isForward: true, times: count ?? 1)
        case .previousMatch: goToMatch(isForward: false, times: count ?? 1)
        case .markAllButLargest: markGroup(keeping: .largest, times: count ?? 1)
        case .markAllButFirst: markGroup(keeping: .first, times: count ?? 1)
        case .prefetchAll: togglePrefetchAll()
        case .markMatches: focus = .command(CommandField("mark "))
        case .duplicates: toggleDuplicates()
        case .compare: compare(.beside)
        case .difference: compare(.difference)
        case .sort: focus = .sorting
        case .names: changeNames()
        case .mark: toggleMarks(count ?? 1)
        case .markRange: markRange()
        case .markAll: markAll()
        case .unmarkAll: unmarkAll()
        case .invertMarks: invertMarks()
        case .nextMark: goToMark(isForward: true, times: count ?? 1)
        case .previousMark: goToMark(isForward: false, times: count ?? 1)
        case .lastPicture: goToLastPicture()
        case .info: toggleInfo()
        case .tasks: openTasks()
        case .help: focus = .help(Palette())
        case .command: focus = .command(CommandField())
        case .runCommand: focus = .command(CommandField("run "))
        case .copyFiles: return hold(moving: false)
        case .cutFiles: return hold(moving: true)
        case .putFiles: return putFiles()
        case .copyTo: return beginFiles("copy ")
        case .moveTo: return beginFiles("move ")
        case .rename: return beginRenaming()
        case .process: openProcessors()
        case .down, .up, .panLeft, .panRight: pan(action)
        case .zoomIn where showsGrid: changeGridColumns(by: -max(1, count ?? 1))
        case .zoomOut where showsGrid: changeGridColumns(by: max(1, count ?? 1))
        case .zoomIn, .zoomOut, .zoomFit, .zoomActual, .zoomWidth, .zoomHeight, .zoomFill: self.zoom(action)
        case .pauseAnimation: pauseMotion()
        case .nextFrame: return stepPart(1)
        case .previousFrame: return stepPart(-1)
        default: return effects(of: action)
        }
        return []
    }

    /// Performs an action that has effects outside the state.
    private mutating func effects(of action: BrowseAction) -> [BrowseEffect] {
        if areKeysTogether, [.openExternally, .removeFromCache, .trash, .delete, .undo].contains(action) {
            showNotice(Self.pastedText, short: Self.pastedShort)
            return []
        }
        switch action {
        case .reload: return reload()
        case .retryFailed: return retryAll()
        case .cancel: return selected.map { cancel($0) } ?? []
        case .pausePrefetch: return togglePause()
        case .transition: return nextTransition()
        case .copyURL: return copyAddress()
        case .openExternally: return selected.map { [.openExternally($0)] } ?? []
        case .export: return beginExport()
        case .removeFromCache: return removeFromCache()
        case .turnLeft: return turn(.turnedLeft)
        case .turnRight: return turn(.turnedRight)
        case .mirror: return turn(.mirrored)
        case .flip: return turn(.flipped)
        case .trash: return trash()
        case .delete: return delete()
        case .undo: return [.undoFiles]
        case .lowData: return toggleLowData()
        case .cache: return [.openCache]
        case .reloadConfiguration: return [.reloadConfiguration]
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit:
            if let fileProgress, notice?.text.hasSuffix(Self.quitWarning) != true {
                showNotice("\(fileProgress)\(Self.quitWarning)", .warning)
                return []
            }
            return [.quit]
        // `perform(_:times:)` performs these.
        case .down, .up, .top, .bottom, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .nextMatch, .previousMatch,
            .parentFolder, .places, .flat, .hiddenFiles, .fullScreen, .grid, .slideshow, .switchPane, .info, .filter,
            .clearFilter, .sort, .names, .duplicates, .compare, .difference, .zoomIn, .zoomOut, .zoomFit, .zoomActual,
            .zoomWidth, .zoomHeight, .zoomFill,
            .panLeft, .panRight, .pauseAnimation, .invertMarks, .nextMark, .previousMark, .lastPicture,
            .previousFrame, .nextFrame, .process, .mark, .markRange, .markAll, .markMatches, .markAllButLargest,
            .markAllButFirst, .unmarkAll, .tasks, .command, .runCommand, .help, .rename, .copyFiles, .cutFiles,
            .putFiles, .copyTo, .moveTo, .prefetchAll:
            return []
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
        showPreview()
        focus = .processors(ProcessorMenu(chain: options.processor, offer: options.processors))
    }

    fileprivate mutating func openTasks() {
        var cursor = TaskCursor()
        cursor.update(in: tasks, taskHosts, height: TasksPanel.rows(self))
        focus = .tasks(cursor)
    }

    /// Shows or hides the details; leaves full screen or the grid for them, and returns there when they close.
    fileprivate mutating func toggleInfo() {
        let isOpening = isFullScreen || isGrid || !showsInfo
        if isOpening, isFolderSelected { return showQuietNotice("that is a folder: \(glyphs.enter) opens it") }
        if isOpening { viewBehindInfo = LargeView(isGrid: isGrid, isFullScreen: isFullScreen) }
        isGrid = !isOpening && viewBehindInfo.isGrid
        setFullScreen(!isOpening && viewBehindInfo.isFullScreen)
        showsInfo = isOpening
        if isOpening { showPreview() }
    }

    fileprivate mutating func openFilter() {
        isFullScreen = false
        if duplicates != nil { closeDuplicates() }
        showList()
        // Typed text replaces the filter that is in force; an arrow key keeps it.
        filter.selectAll()
        (focus, filterForms) = (.filter, [])
    }

    /// Closes the range, the zoom, the slideshow, full screen, the details or the filter, whichever is open.
    fileprivate mutating func escape() {
        notice = nil
        if duplicates == nil { awaitsDuplicates = false }
        if focus == .list {
            if showsFaults {
                showsFaults = false
                return
            }
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
            // Details that lie over the groups close first.
            if duplicates != nil, showsInfo, !isGrid { return toggleInfo() }
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

    mutating func sort(by order: SortOrder, reversed: Bool = false) {
        leaveDuplicates()
        list.sort(by: order, reversed: reversed, seed: UInt64(truncatingIfNeeded: now + 1))
        needsSort = order == .date
        rangeStart = nil
        viewport.jump(to: list.row(of: anchor), count: list.count, height: layout.list.rows)
        let first = order.firsts.map { ", \(reversed ? $0.other : $0.usual)" } ?? ""
        showNotice(order == .list ? "in list order" : "sorted by \(order.title)\(first)")
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

extension BrowseState {
    /// The notice when a key that changes files came together with others.
    static let pastedText = "it came like pasted text: the key once more does it"
    static let pastedShort = "pasted? the key once more does it"
    /// The end of what is said before the browser quits while files are changed.
    static let quitWarning = ", the rest stays undone: quit once more"

    /// How long full screen shows its line after a key.
    private static let fullScreenLine = 2000

    /// The area of one picture in pixels: half of the screen if two are shown.
    var pictureBox: PixelSize {
        var area = layout.picture
        if comparison?.view == .beside { area = ComparisonRows(size).part(of: area) }
        return cell.pixels(of: area)
    }

    /// The shown picture in the size in which all of it fits its area.
    var fittingPicture: ShownPicture? {
        guard var picture = slot.picture else { return nil }
        if comparison != nil { picture.size = picture.originalSize.scaled(to: pictureBox) }
        return picture
    }

    /// Shows the line of full screen for two seconds.
    mutating func showFullScreenLine() { fullScreenLineEnd = now + BrowseState.fullScreenLine }

    mutating func setFullScreen(_ isOn: Bool) {
        isFullScreen = isOn
        if isOn { showFullScreenLine() } else { slideEnd = nil }
    }

    /// Starts or ends a slideshow, which shows each picture for a time after it has loaded.
    mutating func toggleSlideshow() {
        guard slideEnd == nil else {
            slideEnd = nil
            setFullScreen(wasFullScreen)
            return showNotice("slideshow ended")
        }
        // At the last picture it begins with the first one.
        let isAtEnd = viewport.cursor + 1 >= list.count
        let first = (isAtEnd ? 0..<list.count : viewport.cursor..<list.count).first { row in
            statuses.kind(of: list.index(at: row)) != .folder
        }
        guard let first else { return showNotice("there is no picture to show") }
        if first != viewport.cursor { go(to: first) }
        wasFullScreen = isFullScreen
        setFullScreen(true)
        slideEnd = now + options.slideTime
        let rows = viewport.cursor..<list.count
        let failed = rows.count { statuses.kind(of: list.index(at: $0)) == .failed }
        let shown = rows.count - failed
        let note = failed > 0 ? " (\(Units.count(failed)) failed)" : ""
        let count = "\(Units.count(shown)) \(shown == 1 ? "picture" : "pictures")\(note)"
        showNotice("slideshow of \(count): \(Units.duration(seconds: options.slideTime / 1000)) each")
    }

    /// Shows the next picture if the current one's time is over or it failed; ends after the last one.
    mutating func advanceSlideshow() {
        guard let end = slideEnd else { return }
        guard slot.picture != nil || slot.hasFailed else {
            slideEnd = now + options.slideTime
            return
        }
        // A failure is shown for one second only.
        guard now >= (slot.hasFailed ? end - options.slideTime + min(1000, options.slideTime) : end) else { return }
        guard viewport.cursor + 1 < list.count else { return toggleSlideshow() }
        go(by: 1)
        slideEnd = now + options.slideTime
    }

    mutating func zoom(_ action: BrowseAction) {
        guard !isFolderSelected, let picture = fittingPicture else { return showNotice("no picture to zoom into") }
        switch action {
        case .zoomIn: zoom.change(by: 1, picture, in: pictureBox)
        case .zoomOut: zoom.change(by: -1, picture, in: pictureBox)
        case .zoomActual: zoom.showActual(picture, in: pictureBox)
        case .zoomWidth: zoom.fill(.width, picture, in: pictureBox)
        case .zoomHeight: zoom.fill(.height, picture, in: pictureBox)
        case .zoomFill: zoom.fill(.both, picture, in: pictureBox)
        default: zoom = .fit
        }
    }

    /// The size of an original pixel on the screen, such as `zoom 200 %`; nil if the picture fits.
    var zoomText: String? {
        guard !zoom.isFit, let picture = fittingPicture, picture.originalSize.width > 0 else { return nil }
        return "zoom \(PictureText.percent(zoom.scale(of: picture)))"
    }

    /// Moves the visible part of a zoomed picture.
    mutating func pan(_ action: BrowseAction) {
        let part = 0.25
        switch action {
        case .panLeft: zoom.pan(-part, 0, in: pictureBox)
        case .panRight: zoom.pan(part, 0, in: pictureBox)
        case .up: zoom.pan(0, -part, in: pictureBox)
        default: zoom.pan(0, part, in: pictureBox)
        }
    }

    /// Pauses or resumes the animations of all pictures.
    mutating func pauseMotion() {
        isMotionPaused.toggle()
        guard slot.picture?.frameInterval == nil else { return }
        showNotice(isMotionPaused ? "animations paused" : "animations playing")
    }

    /// Shows the next or previous page, or pauses the animation and shows the next or previous frame.
    mutating func stepPart(_ direction: Int) -> [BrowseEffect] {
        guard let picture = slot.picture, let item = selected else { return [] }
        if picture.pages > 1 {
            let page = picture.page + direction
            guard (1...picture.pages).contains(page) else {
                showNotice(direction > 0 ? "this is the last page" : "this is the first page")
                return []
            }
            zoom = .fit
            return [.setPage(item, page)] + showAgain()
        }
        guard let delay = picture.frameDelay else {
            showNotice("this picture has one page and one frame")
            return []
        }
        isMotionPaused = true
        slot.setPaused(true, at: now)
        slot.play(by: direction * delay, at: now)
        return []
    }

    /// Processes pictures with another chain.
    mutating func setProcessor(_ chain: String) -> [BrowseEffect] {
        guard chain != options.processor else { return [] }
        options.processor = chain
        zoom = .fit
        return [.setProcessor(chain)] + showAgain()
    }
}

extension BrowseState {
    /// The rows from the start of a range to the cursor; nil if no range is being marked.
    var markedRange: ClosedRange<Int>? {
        guard let start = rangeStart, list.count > 0 else { return nil }
        let (first, last) = (min(start, viewport.cursor), max(start, viewport.cursor))
        return min(first, list.count - 1)...min(last, list.count - 1)
    }

    /// Toggles the marks of `count` rows from the cursor on and moves past them; ends a range that is being marked.
    mutating func toggleMarks(_ count: Int) {
        guard rangeStart == nil else { return markRange() }
        guard let selected else { return }
        if count == 1, isFolder(selected) { showQuietNotice("a folder cannot be marked") }
        let rows = viewport.cursor..<min(list.count, viewport.cursor + count)
        let next = rows.upperBound < list.count ? list.index(at: rows.upperBound) : nil
        for index in rows.map({ list.index(at: $0) }) { list.toggleMark(index) }
        if isFullScreen {
            let isMarked = list.marks.contains(selected.rawValue)
            showNotice("\(shortName(of: selected)) is \(isMarked ? "" : "not ")marked")
        }
        // A filter by marks may hide these rows now.
        go(to: next.map { list.row(of: $0) } ?? list.count - 1)
    }

    /// Begins a range at the cursor, or marks all rows of the current one.
    mutating func markRange() {
        guard list.count > 0 else { return }
        guard let range = markedRange else {
            rangeStart = viewport.cursor
            let key = options.keyMap.firstKey(of: .markRange).map { KeyName.sign($0, glyphs) }
            let end = key ?? glyphs.space
            return showNotice("Range from \(Units.count(viewport.cursor + 1)): move, then \(end)")
        }
        rangeStart = nil
        list.mark(rows: range)
        showNotice("\(Units.count(list.marks.count)) marked")
    }

    mutating func invertMarks() {
        rangeStart = nil
        list.invertMarks()
        showNotice("\(Units.count(list.marks.count)) marked")
    }

    /// Goes to a marked row in a direction, around the end if there is none before it.
    mutating func goToMark(isForward: Bool, times count: Int) {
        let rows = (0..<list.count).filter { list.marks.contains(list.index(at: $0)) }
        guard !rows.isEmpty else { return showNotice("none marked") }
        let next = rows.partitioningIndex { isForward ? $0 > viewport.cursor : $0 >= viewport.cursor }
        let place = isForward ? next + count - 1 : next - count
        go(to: rows[((place % rows.count) + rows.count) % rows.count])
    }

    /// Goes to the picture that was selected for a while before this one.
    mutating func goToLastPicture() {
        guard let last = lastSeen, list.items.indices.contains(last) else {
            return showNotice("no picture before this")
        }
        let row = list.row(of: last)
        guard row < list.count, list.index(at: row) == last else {
            return showNotice("\(shortName(of: ItemID(last))) is not listed now")
        }
        let current = selection
        go(to: row)
        lastSeen = current
    }

    mutating func markAll() {
        rangeStart = nil
        list.mark(rows: 0..<list.count)
        showNotice("\(Units.count(list.marks.count)) marked")
    }

    mutating func unmarkAll() {
        rangeStart = nil
        list.unmarkAll()
        showNotice("none marked")
    }
}
