import AlcedoScreen

extension BrowseState {
    /// The maximum number of waiting items in the task panel.
    static let queueLimit = 100

    /// The items of the task panel: running ones, failed ones with the latest first, then waiting ones; a running one
    /// keeps its row while it is selected.
    var tasks: [Int] {
        let tasks = statuses.activeItems + statuses.failed.reversed() + queue
        guard case .tasks(let cursor) = focus else { return tasks }
        return cursor.keepingRow(in: tasks) { statuses.isActive($0) }
    }

    /// The items of the last prefetch order that have not begun.
    private var queue: [Int] {
        guard options.prefetches else { return [] }
        return Array(prefetch.order.lazy.map(\.rawValue).filter(isWaiting).prefix(BrowseState.queueLimit))
    }

    private func isWaiting(_ index: Int) -> Bool {
        statuses.kind(of: index) == .waiting && !prefetch.preferences.skipped.contains(ItemID(index))
    }

    /// Whether the user cancelled an item or removed it from the caches, so that it loads only when selected.
    func isSkipped(_ index: Int) -> Bool {
        statuses.kind(of: index) == .waiting && prefetch.preferences.skipped.contains(ItemID(index))
    }

    /// Complexity: O(items that were ever skipped).
    var skippedCount: Int { prefetch.preferences.skipped.count { isSkipped($0.rawValue) } }

    /// Prefetches all of a long list, or only around the cursor.
    mutating func togglePrefetchAll() {
        guard list.existingCount > Self.wholeList else { return showQuietNotice("all of this list is prefetched") }
        options.prefetchesAll.toggle()
        prefetch.isStale = true
        let all = "all \(Units.count(list.existingCount)) pictures are loaded ahead"
        showNotice(options.prefetchesAll ? all : "pictures around the cursor and marked ones are loaded ahead")
    }

    /// Performs an action of the task panel; the cursor stays with its task.
    mutating func perform(_ action: TaskAction, at cursor: TaskCursor) -> [BrowseEffect] {
        let (tasks, hosts, height) = (tasks, taskHosts, TasksPanel.rows(self))
        var cursor = cursor
        switch action {
        case .down: cursor.move(by: 1, in: tasks, hosts, height: height)
        case .up: cursor.move(by: -1, in: tasks, hosts, height: height)
        case .top: cursor.move(by: -.max / 2, in: tasks, hosts, height: height)
        case .bottom: cursor.move(by: .max / 2, in: tasks, hosts, height: height)
        default: cursor.update(in: tasks, hosts, height: height)
        }
        focus = .tasks(cursor)
        return effects(of: action, at: cursor)
    }

    /// The names of the hosts in trouble that the task panel shows.
    var taskHosts: [String] { hostBoard.hosts.prefix(HostLines.limit).map(\.host) }

    private mutating func effects(of action: TaskAction, at cursor: TaskCursor) -> [BrowseEffect] {
        if let host = cursor.host(in: taskHosts), action.isAboutOne { return effects(of: action, onHost: host) }
        let chosen = cursor.chosen(in: tasks)
        switch action {
        case .down, .up, .top, .bottom: return []
        case .show: chosen.map { show($0) }
        case .prioritize: chosen.map { reorder($0, isFirst: true) }
        case .postpone: chosen.map { reorder($0, isFirst: false) }
        case .cancel: return chosen.map { cancel($0) } ?? []
        case .retry: return chosen.map { retry($0) } ?? []
        case .retryFailed: return retryAll()
        case .pausePrefetch: return togglePause()
        case .help: focus = .help(Palette(tasks: cursor))
        case .close: focus = .list
        }
        return []
    }

    /// Performs an action on a host's line: only a probe is possible.
    private mutating func effects(of action: TaskAction, onHost name: String) -> [BrowseEffect] {
        guard action == .retry, let host = hostBoard.hosts.first(where: { $0.host == name }) else {
            showQuietNotice("on a host's line r asks the host now")
            return []
        }
        switch host.trouble {
        case .slowed, .recovering:
            showQuietNotice("\(name) is being asked already")
            return []
        case .parked, .failing:
            showNotice("asking \(name) now")
            return [.probeHost(name)]
        case .givenUp:
            // No items wait for this host any more, so one failed item becomes the probe.
            showNotice("asking \(name) now; R retries the rest if it answers")
            let failed = statuses.failed.last { host.isHost(of: list.items.place(at: $0)) }
            return [.probeHost(name)] + (failed.map { retry(ItemID($0)) } ?? [])
        }
    }

    /// The number of items that wait for each shown host in trouble: running ones and those of the prefetch order.
    ///
    /// Complexity: O(running items and items of the prefetch order).
    var waitingCounts: [String: Int] {
        let hosts = hostBoard.hosts.prefix(HostLines.limit)
        guard !hosts.isEmpty else { return [:] }
        let held = statuses.activeItems.filter { [.parked, .retrying].contains(statuses.kind(of: $0)) }
        let queued = prefetch.order.lazy.map(\.rawValue).filter(isWaiting)
        return (held + queued).reduce(into: [:]) { counts, index in
            let place = list.items.place(at: index)
            if let host = hosts.first(where: { $0.isHost(of: place) }) { counts[host.host, default: 0] += 1 }
        }
    }

    /// Whether an item is running, loading in the slot, or part of the prefetch order.
    func canCancel(_ item: ItemID) -> Bool {
        if item == slot.item, slot.isLoading { return true }
        switch statuses.kind(of: item.rawValue) {
        case .connecting, .loading, .retrying, .parked: return true
        case .waiting: return options.prefetches && isWaiting(item.rawValue) && prefetch.order.contains(item)
        case .onDisk, .inMemory, .failed, .duplicate, .gone, .folder: return false
        }
    }

    /// Cancels an item's transfer, and the slot's request if it is for this item.
    mutating func cancel(_ item: ItemID) -> [BrowseEffect] {
        guard canCancel(item) else {
            showQuietNotice(statuses.hasActive ? "\(shortName(of: item)) is not running" : "nothing is running")
            return []
        }
        showNotice("cancelled \(shortName(of: item))")
        retryRound?.drop(item.rawValue)
        changePreferences { $0.skip(item) }
        return [.cancelItem(item)] + (item == slot.item ? slot.cancel() : [])
    }

    /// Retries a failed item.
    mutating func retry(_ item: ItemID) -> [BrowseEffect] {
        guard statuses.kind(of: item.rawValue) == .failed else {
            showNotice("\(shortName(of: item)) has not failed")
            return []
        }
        statuses.set(item.rawValue, .waiting, at: now)
        list.testAgain(item.rawValue)
        changePreferences { $0.forget(item) }
        return [.retryItem(item)] + (item == slot.item && slot.hasFailed ? showAgain() : [])
    }

    mutating func retryAll() -> [BrowseEffect] {
        let failed = statuses.resetFailures()
        if list.filter.readsFacts, duplicates == nil {
            list.apply(list.filter)
            returnToAnchor()
        }
        prefetch.isStale = true
        retryRound = failed.isEmpty ? nil : RetryRound(failed)
        showNotice(failed.isEmpty ? "nothing failed" : "retrying \(Units.count(failed.count))")
        return failed.map { .retryItem(ItemID($0)) } + (slot.hasFailed ? showAgain() : [])
    }

    /// Moves an unfinished item to the front or the end of the prefetch order.
    private mutating func reorder(_ item: ItemID, isFirst: Bool) {
        guard !statuses.kind(of: item.rawValue).isDone else {
            return showNotice("\(shortName(of: item)) is done: r retries what failed")
        }
        showNotice("\(shortName(of: item)) is downloaded \(isFirst ? "first" : "last")")
        changePreferences { if isFirst { $0.prioritize(item) } else { $0.postpone(item) } }
    }

    /// Removes the marked items or the selected one from the caches; they load again when selected.
    ///
    /// Local files are never in the disk cache and are left alone.
    mutating func removeFromCache() -> [BrowseEffect] {
        let chosen = chosenItems
        let items = chosen.filter { !list.items.isFile(at: $0.rawValue) }
        if items.isEmpty, !chosen.isEmpty {
            showQuietNotice(chosen.count == 1 ? "a local file is not in the cache" : "local files are not in the cache")
        }
        return items.isEmpty ? [] : [.removeFromCache(items)]
    }

    /// Updates the status of items that were removed from the caches.
    mutating func markRemovedFromCaches(_ items: [ItemID]) {
        for item in items where list.items.indices.contains(item.rawValue) {
            changePreferences { $0.skip(item) }
            retryRound?.drop(item.rawValue)
            change(item.rawValue, .waiting)
            if item == slot.item { slot.clearFailure() }
        }
    }

    mutating func togglePause() -> [BrowseEffect] {
        guard options.prefetches else {
            showNotice("prefetching is off")
            return []
        }
        isPrefetchPaused.toggle()
        return [.setPrefetchPaused(isPrefetchPaused)]
    }

    /// Turns the low data mode on or off: it loads only visible pictures, in smaller versions if the list has them.
    mutating func toggleLowData() -> [BrowseEffect] {
        isLowData.toggle()
        prefetch.isStale = true
        let short = isLowData ? "low data: only what is shown loads" : nil
        showNotice(isLowData ? "low data: only pictures on the screen are downloaded" : "low data is off", short: short)
        return [.setLowData(isLowData)]
    }

    mutating func showAgain() -> [BrowseEffect] { slot.showAgain(reload: false, at: now) }

    private mutating func changePreferences(_ change: (inout PrefetchPreferences) -> Void) {
        change(&prefetch.preferences)
        prefetch.isStale = true
    }
}

/// A set of items that are retried together, until each of them has succeeded or failed again.
struct RetryRound: Sendable, Equatable {
    private var count: Int
    private var pending: Set<Int>
    private var failures = 0

    init(_ items: [Int]) {
        count = items.count
        pending = Set(items)
    }

    /// Removes an item that was cancelled.
    mutating func drop(_ index: Int) { if pending.remove(index) != nil { count -= 1 } }

    /// Records the new status of an item.
    ///
    /// - Returns: the result of the round if this was its last item.
    mutating func record(_ index: Int, _ kind: StatusTable.Kind) -> String? {
        guard kind.isDone, pending.remove(index) != nil else { return nil }
        if kind == .failed { failures += 1 }
        guard pending.isEmpty else { return nil }
        if count == 1 { return failures == 0 ? "it succeeded" : "it failed again" }
        let succeeded = Units.count(count - failures)
        guard failures > 0 else { return "all \(succeeded) succeeded" }
        return "\(succeeded) succeeded, \(Units.count(failures)) failed again"
    }
}
