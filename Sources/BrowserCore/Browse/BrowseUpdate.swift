import AlcedoFilters
import AlcedoScreen
import Raster

/// The browser's update; total and synchronous.
extension BrowseState {
    /// Applies a message to the state and returns the requested effects in order.
    package mutating func update(_ message: BrowseMessage) -> [BrowseEffect] {
        let (oldScreen, oldNotice, oldSelection, oldMenu) = (screen, notice, selected, layout.menu)
        if message.isInput { goneAnchor = nil }
        let oldCount = list.count
        let effects = handle(message)
        // The filter may have hidden rows whose facts changed.
        if list.isFiltered, list.count != oldCount { returnToAnchor() }
        // The selected row stays visible above a sheet.
        if layout.menu != oldMenu { viewport.jump(to: viewport.cursor, count: list.count, height: layout.list.rows) }
        if notice?.isAboutPicture == true, selected != oldSelection { notice = nil }
        if selected != oldSelection { leave(oldSelection) }
        // A notice of one screen does not cover the keys of the next.
        if screen != oldScreen, notice == oldNotice { notice = nil }
        slot.setPaused(isMotionPaused || hasPopup || !hasFocus, at: now)
        return effects + followSelection() + refreshThumbnails() + refreshPrefetch() + refreshNeighbours()
            + refreshInspection() + refreshDetails() + refreshExportTarget() + refreshFolders()
            + refreshDates() + refreshCaptures()
    }

    private mutating func handle(_ message: BrowseMessage) -> [BrowseEffect] {
        switch message {
        case .key(let key): return (isBound(key) ? [key] : key.splitAlt).flatMap { press($0) }
        case .keysTogether(let value): areKeysTogether = value
        case .pasted(let text): paste(text)
        case .mouse(let event): return handle(event)
        case .optionsChanged(let options): return adopt(options)
        case .processorRefused(let text, let inForce):
            options.processor = inForce
            showNotice(text)
        case .resized(let size, let cell): resize(size, cell)
        case .thumbnailRows(let rows, let showsText): (mostThumbnailRows, showsTextInRows) = (rows, showsText)
        case .terminalKnown(let facts): terminalFacts = facts
        case .tick(let milliseconds): return advance(to: milliseconds)
        case .itemsAdded(let items): add(items)
        case .folderRead(let item, let pictures, let summary): receive(pictures, summary, of: item)
        case .sessionFound(let text, let marks, let columns):
            gridColumns = columns
            restore(filter: text, marks: marks)
        case .sessionItems(let marked, let selected): restore(marked, selected)
        case .listUnreadable(let reason):
            listProblem = listProblem ?? SafeText.clean(reason)
            showNotice(reason, .failure)
        case .folderGone(let isGone): isFolderGone = isGone
        case .listFinished(let skipped, let reasons): finishList(skipped: skipped, reasons.first)
        case .statusChanged(let item, let status): change(item.rawValue, status)
        case .fileChanged(let item, let isThere): return fileChanged(item.rawValue, isThere)
        case .renamed(let item): rename(item)
        case .files(let answer): return receive(answer)
        case .placesKnown(let places): receive(places: places)
        case .datesRead(let dates): receive(dates)
        case .capturesRead(let captures): for (item, capture) in captures { list.record(capture, of: item) }
        case .slotProgress(let id, let received, let total): slot.progress(id, received: received, total: total)
        case .slotPartial(let id, let facts): return slot.receivePartial(id, facts.clean, at: now)
        case .slotPicture(let id, let facts): return receive(id, facts.clean)
        case .slotFailed(let id, let facts): return slot.fail(id, facts.clean)
        case .failureKnown(let item, let facts): list.statuses.explain(item.rawValue, facts.clean)
        case .thumbnail(let item, let box, let facts): return receive(thumbnail: facts.clean, of: item, box)
        case .factsKnown(let item, let facts):
            list.record(facts, of: item)
            wantsInspection = wantsInspection || list.filter.readsPixels && facts.hash == nil
        case .inspecting(let done): continueInspection(done: done)
        case .inspected: finishInspection()
        case .comparisonRead(let count): comparison?.read = count
        case .compared(let facts): receive(facts)
        case .described(let item, let lines, let histogram): details.receive(lines, histogram, of: item)
        case .removedFromCaches(let items): markRemovedFromCaches(items)
        case .chosen(let item): choose(item)
        case .pathInspected(let path, let kind): receive(kind, of: path)
        case .paths(let beginning, let paths): complete(beginning, with: paths)
        case .usageChanged(let usage): self.usage = usage
        case .hostsChanged(let hosts): hostBoard = HostBoard(hosts, at: now)
        case .focused(let hasFocus): self.hasFocus = hasFocus
        case .resumed: return resume()
        case .notice(let text): showNotice(text)
        case .pictureNotice(let item, let text): if item == selected { showPictureNotice(text) }
        case .warning(let text): showNotice(text, .failure)
        }
        return []
    }
}

extension BrowseState {
    /// The maximum accepted size; larger reports are clamped.
    private static let largestSize = GridSize(columns: 2000, rows: 1000)

    fileprivate func isBound(_ key: Key) -> Bool {
        focus == .list && options.keyMap.meaning(of: key, after: firstKey) != .nothing
    }

    /// Shows a message in the rule above the status line.
    ///
    /// - Parameter short: The same in fewer words, for a narrow screen.
    mutating func showNotice(_ text: String, short: String? = nil, _ style: Style = .plain) {
        let notice = Notice(text, short: short, style, at: now)
        self.notice = notice
        if messages.first?.text != notice.text { messages = [notice] + messages.prefix(49) }
    }

    /// Shows a line about the selected picture, which leaves with it.
    ///
    /// A line that tells what the user just did stays.
    private mutating func showPictureNotice(_ text: String) {
        guard notice?.isAboutPicture ?? true else { return }
        showNotice(text)
        notice?.isAboutPicture = true
    }

    /// Shows a dim line for two seconds, for a key that has no effect.
    mutating func showQuietNotice(_ text: String) {
        notice = Notice(text, .dim, at: now)
    }

    /// Moves the cursor to a row and makes its item the selection that filters return to.
    mutating func go(to row: Int) {
        viewport.move(to: row, count: list.count, height: layout.list.rows)
        anchor = selection ?? anchor
    }

    mutating func go(by distance: Int) {
        go(to: viewport.cursor + distance)
    }

    /// Goes to an item; clears the filter if it hides the item.
    fileprivate mutating func choose(_ item: ItemID) {
        guard list.items.indices.contains(item.rawValue) else { return }
        anchor = item.rawValue
        let row = list.row(of: anchor)
        if row >= list.count || list.index(at: row) != anchor { filter = TextField() }
        applyFilter()
    }

    /// Applies the filter field's text; the cursor stays with its item if that is still listed.
    mutating func applyFilter() {
        notice = nil
        leaveDuplicates()
        let new: PictureFilter
        // A filter that is being typed may not be valid yet: the list stays as it is.
        do throws(FilterProblem) { new = try PictureFilter(filter.text, in: .list) } catch {
            notice = Notice("\(error)", short: "expected \(error.expected)", .failure, at: now)
            return
        }
        list.apply(new)
        wantsInspection = new.readsPixels || new.readsAllPictures
        captureCandidates = new.readsCapture ? Array(list.items.indices) : []
        rangeStart = nil
        if !new.isEmpty { lastFilter = new }
        if !list.hasScanned(anchor) { viewport.jump(to: 0, count: list.count, height: layout.list.rows) }
        returnToAnchor()
    }

    /// Requests the facts that the filter or the search of duplicates reads and that only a decode tells.
    fileprivate mutating func refreshInspection() -> [BrowseEffect] {
        guard wantsInspection, inspection == nil else { return [] }
        wantsInspection = false
        let unknown = list.cachedItems(lackingPixels: awaitsDuplicates || list.filter.readsPixels)
        guard !unknown.isEmpty else {
            awaitsDuplicates = false
            return []
        }
        inspection = Inspection(total: unknown.count)
        list.markInspected(unknown)
        // What was found so far may be nothing; the header says that the search goes on.
        if awaitsDuplicates, duplicates == nil { notice = nil }
        return [.inspect(unknown.map { ItemID($0) })]
    }

    /// Requests how files and cached pictures were taken while the filter reads it, once for each.
    fileprivate mutating func refreshCaptures() -> [BrowseEffect] {
        guard list.filter.readsCapture else {
            defer { readsCaptures = false }
            if readsCaptures { list.forgetCapturesWithoutText() }
            return readsCaptures ? [.readCaptures([])] : []
        }
        guard !captureCandidates.isEmpty else { return [] }
        readsCaptures = true
        let lacking = list.takeItemsLackingCapture(of: captureCandidates)
        captureCandidates = []
        return lacking.isEmpty ? [] : [.readCaptures(lacking)]
    }

    /// Uses the facts that were requested, and requests those of pictures that came meanwhile.
    fileprivate mutating func finishInspection() {
        inspection = nil
        if awaitsDuplicates {
            awaitsDuplicates = false
            showDuplicatesAgain()
        }
        if list.filter.readsAllPictures {
            list.apply(list.filter)
            returnToAnchor()
        }
        wantsInspection = list.filter.readsPixels
    }

    /// Completes the filter's last word as far as all its forms agree, and shows them; chooses the next one if they are shown.
    mutating func completeFilter(by step: Int) {
        let areShown = !filterForms.isEmpty
        let forms = areShown ? filterForms : PictureFilter.completions(of: filter.text, in: .list)
        guard let first = forms.first else { return }
        let common = forms.dropFirst().reduce(first) { String(zip($0, $1).prefix { $0 == $1 }.map(\.0)) }
        let chosen = forms.firstIndex(of: filter.text) ?? (step > 0 ? -1 : 0)
        let text = areShown ? forms[(chosen + step + forms.count) % forms.count] : common
        if text != filter.text {
            filter = TextField(text)
            applyFilter()
        }
        filterForms = forms.count > 1 ? forms : []
        // A list that is too narrow for a sheet has them in a line.
        if !filterForms.isEmpty, layout.menu.isEmpty {
            showNotice(forms.map { CommandText.Completion(form: $0).word }.joined(separator: " "))
        }
    }

    /// Filters the next items; the cursor stays with its item.
    fileprivate mutating func continueFiltering() {
        guard list.isFiltering else { return }
        list.continueFiltering()
        returnToAnchor()
        if !list.isFiltering { prefetch.isStale = true }
    }

    /// Moves the cursor to its item, unless the filter has not reached that item yet.
    ///
    /// - Parameter above: The rows to show above it, if there is room; nil, the default, to scroll no more than needed.
    mutating func returnToAnchor(above: Int? = nil) {
        let row = list.hasScanned(anchor) ? list.row(of: anchor) : viewport.cursor
        viewport.jump(to: row, count: list.count, height: layout.list.rows, above: above)
    }

    private mutating func resume() -> [BrowseEffect] {
        // During the stop neither changes of the focus were reported, nor that keys come one by one again.
        (hasFocus, areKeysTogether) = (true, false)
        return [.redraw]
    }

    private mutating func receive(
        thumbnail facts: ShownPicture, of item: ItemID, _ box: PixelSize
    ) -> [BrowseEffect] {
        if !isFolder(item) { list.record(facts, of: item) }
        return thumbnails.receive(item, facts, for: box).map { [.releasePicture($0)] } ?? []
    }

    /// Shows a picture in the slot if it was requested.
    fileprivate mutating func receive(_ id: RequestID, _ facts: ShownPicture) -> [BrowseEffect] {
        let effects = slot.receive(id, facts, at: now)
        if let item = slot.item, slot.picture == facts, comparison == nil, !isFolder(item) {
            list.record(facts, of: item)
        }
        return effects
    }

    fileprivate mutating func paste(_ text: String) {
        switch focus {
        case .filter:
            filterForms = []
            filter.insert(text)
            applyFilter()
        case .help(var palette):
            palette.cursor.paste(text)
            focus = .help(palette)
        case .command(var field):
            field.paste(text)
            focus = .command(field)
        case .list, .sorting, .tasks, .files, .places, .messages, .processors: break
        }
    }

    fileprivate mutating func resize(_ newSize: GridSize, _ newCell: CellSize) {
        let largest = BrowseState.largestSize
        size = GridSize(columns: min(newSize.columns, largest.columns), rows: min(newSize.rows, largest.rows))
        cell = CellSize(width: min(newCell.width, 500), height: min(newCell.height, 500))
        viewport.jump(to: viewport.cursor, count: list.count, height: layout.list.rows)
    }

    /// Replaces the options; choices that the user made at run time stay unless the new options set them.
    fileprivate mutating func adopt(_ new: BrowseOptions) -> [BrowseEffect] {
        let old = options
        options = new
        slot.options = new.slot
        showsFaults = !new.faults.isEmpty
        var effects: [BrowseEffect] = []
        if old.prefetches != new.prefetches {
            prefetch = PrefetchState(preferences: prefetch.preferences)
            effects = new.prefetches ? [] : [.prefetch([])]
        }
        guard old.processor != new.processor else { return effects }
        return effects + [.setProcessor(new.processor)] + showAgain()
    }

    fileprivate mutating func advance(to milliseconds: Int) -> [BrowseEffect] {
        now = min(max(now, milliseconds), Int.max / 2)
        if notice?.isOver(at: now) == true { notice = nil }
        let effects = slot.tick(now) + sortAgain()
        advanceSlideshow()
        continueFiltering()
        updateProgress()
        return effects
    }

    fileprivate mutating func add(_ items: [BrowseItem]) {
        let first = statuses.count
        list.append(items)
        if list.filter.readsCapture { captureCandidates += first..<statuses.count }
        if skippedLines != nil {
            if place != nil { list.place(first..<statuses.count) }
            needsSort = needsSort || place != nil || list.order != .list
        }
        // Duplicates are marked before prefetching starts, so that each picture is fetched once.
        for item in items where (first..<statuses.count).contains(item.id.rawValue) && item.isFolder {
            statuses.set(item.id.rawValue, .folder(pictures: nil), at: now)
        }
        for item in items {
            guard let other = item.duplicated, (first..<statuses.count).contains(item.id.rawValue) else { continue }
            change(item.id.rawValue, .duplicate(of: other))
        }
        prefetch.isStale = prefetch.order.count < PrefetchState.limit
        returnToAnchor()
    }

    /// Filters as when the list was left, and tells what is restored.
    fileprivate mutating func restore(filter text: String, marks: Int) {
        if !text.isEmpty, filter.text.isEmpty {
            filter.insert(text)
            applyFilter()
        }
        let parts = [marks == 0 ? "" : "\(Units.count(marks)) marked", text.isEmpty ? "" : "filter \(text)"]
        let restored = parts.filter { !$0.isEmpty }.joined(separator: ", ")
        if !restored.isEmpty { showNotice("as you left it: \(restored)") }
    }

    /// Marks items, and selects one unless the user has moved meanwhile.
    fileprivate mutating func restore(_ marked: [ItemID], _ selected: ItemID?) {
        list.mark(marked.map(\.rawValue).filter(list.items.indices.contains))
        guard let selected, anchor == 0, list.items.indices.contains(selected.rawValue) else { return }
        anchor = selected.rawValue
        returnToAnchor()
    }

    fileprivate mutating func finishList(skipped: Int, _ first: String?) {
        skippedLines = max(0, skipped)
        if list.order != .list {
            list.sort(by: list.order, reversed: list.isReversed)
            if anchor == 0 { anchor = selection ?? 0 }
            returnToAnchor()
        }
        needsSort = list.order == .date
        if options.compares {
            list.unmarkAll()
            list.mark(Array(0..<min(2, list.items.count)))
            compare(.beside)
        }
        guard skipped > 0 else { return }
        let reason = first.map { ", first \($0)" } ?? ""
        showNotice("\(Units.count(skipped)) unusable \(skipped == 1 ? "entry" : "entries") skipped\(reason)")
    }

    mutating func change(_ index: Int, _ status: ItemStatus) {
        guard (0..<statuses.count).contains(index), ![.gone, .folder].contains(statuses.kind(of: index)) else { return }
        let counts = !statuses.kind(of: index).isDone && status.kind.isDone && index != selection
        if !list.items.isFile(at: index) { throughput.add(statuses.arrivedBytes(of: index, status), at: now) }
        if status == .waiting, statuses.kind(of: index) == .parked { leftInPause.insert(index) }
        statuses.set(index, status, at: now)
        // A file that was written again may be another picture.
        if status == .waiting { list.record(CaptureTexts?.none, of: ItemID(index)) }
        if list.filter.readsCapture { captureCandidates.append(index) }
        list.testAgain(index)
        if counts { prefetch.doneCount += 1 }
        if let result = retryRound?.record(index, status.kind) {
            retryRound = nil
            showNotice(result)
        }
    }

    /// Requests the selected item's picture for the current box.
    fileprivate mutating func followSelection() -> [BrowseEffect] {
        if comparison != nil, !isFullScreen { (comparison, zoom) = (nil, .fit) }
        if let comparison, comparison.cursor != selected { endComparison() }
        if let comparison = comparedPictures {
            let box = cell.pixels(of: layout.picture)
            return slot.show(
                comparison.first, comparing: comparison, box: box, region: zoom.region(in: comparison.part), at: now
            )
        }
        let forgotten: [BrowseEffect] = slot.isComparing ? [.forgetComparison] : []
        return forgotten + showSelection()
    }

    private mutating func showSelection() -> [BrowseEffect] {
        if selected != slot.item { zoom = .fit }
        // The grid does not show the slot, and an empty folder has no picture.
        if showsGrid || isEmptyFolder(selected) { return slot.show(nil, box: .zero, at: now) }
        let box = cell.pixels(of: layout.picture)
        // A failure stays until it is asked for again: passing over a row fetches nothing.
        if let selected, selected != slot.item, let facts = statuses.failure(of: selected.rawValue) {
            return slot.showFailure(facts, of: selected)
        }
        return slot.show(selected, box: box, region: zoom.region(in: box), at: now)
    }

    /// Requests a new prefetch order if the selection moved, items were added, or much of the last order is done.
    fileprivate mutating func refreshPrefetch() -> [BrowseEffect] {
        guard options.prefetches, duplicates == nil else { return [] }
        let basis = PrefetchState.Basis(
            selection: selection, visible: visibleRows, isForward: viewport.isForward, filter: list.filter)
        guard basis != prefetch.basis || prefetch.isStale || prefetch.isMostlyDone else { return [] }
        let order = prefetchOrder
        defer { prefetch = PrefetchState(basis: basis, order: order, preferences: prefetch.preferences) }
        return order == prefetch.order ? [] : [.prefetch(order)]
    }
}

extension PrefetchState {
    /// Whether half of a full order, or all of a shorter one, is done.
    fileprivate var isMostlyDone: Bool {
        let enough = order.count == PrefetchState.limit ? PrefetchState.limit / 2 : order.count
        return doneCount > 0 && doneCount >= enough
    }
}

extension ShownPicture {
    fileprivate var clean: ShownPicture {
        var facts = self
        facts.format = SafeText.clean(format, limit: 32)
        facts.color = SafeText.clean(color, limit: 80)
        facts.processor = SafeText.clean(processor)
        return facts
    }
}

extension FailureFacts {
    fileprivate var clean: FailureFacts {
        FailureFacts(title: SafeText.clean(title), detail: SafeText.clean(detail), attempts: attempts)
    }
}
