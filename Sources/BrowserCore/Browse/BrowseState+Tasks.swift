extension BrowseState {
    /// The most waiting items that the task panel lists.
    static let queueLimit = 100

    /// What the task panel lists: all under way, then what failed, the latest first, then what comes next.
    var tasks: [Int] { statuses.activeItems + statuses.failed.reversed() + queue }

    /// What the prefetcher was last told to fetch and did not begin with yet.
    private var queue: [Int] {
        guard options.prefetches else { return [] }
        return Array(prefetch.order.lazy.map(\.rawValue).filter(isWaiting).prefix(BrowseState.queueLimit))
    }

    private func isWaiting(_ index: Int) -> Bool {
        statuses.kind(of: index) == .waiting && !prefetch.preferences.skipped.contains(ItemID(index))
    }

    /// Whether the user cancelled an item or took it out of the caches, so that only looking at it fetches it.
    func isSkipped(_ index: Int) -> Bool {
        statuses.kind(of: index) == .waiting && prefetch.preferences.skipped.contains(ItemID(index))
    }

    /// Complexity: O(items that were ever set aside).
    var skippedCount: Int { prefetch.preferences.skipped.count { isSkipped($0.rawValue) } }

    /// Does what is asked of the open task panel, whose cursor stays with its task.
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
        case .show: return chosen.map { show($0) } ?? []
        case .prioritize: return chosen.map { prioritize($0) } ?? []
        case .postpone: return chosen.map { postpone($0) } ?? []
        case .cancel: return chosen.map { cancel($0) } ?? []
        case .retry: return chosen.map { retry($0) } ?? []
        case .retryFailed: return retryAll()
        case .pausePrefetch: return togglePause()
        case .help: focus = .help(Palette(tasks: cursor))
        case .close: focus = .list
        }
        return []
    }

    /// On a host's line there is one thing to do: ask the host at once.
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
            // Nothing waits for such a host any more: one of what failed is the probe.
            showNotice("asking \(name) now; R retries the rest if it answers")
            let failed = statuses.failed.last { host.isHost(of: list.items.place(at: $0)) }
            return [.probeHost(name)] + (failed.map { retry(ItemID($0)) } ?? [])
        }
    }

    /// The number of items that wait for each shown host in trouble: running ones, and those of the next few hundred.
    ///
    /// Complexity: O(items under way and in the prefetcher's order).
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

    /// Whether an item is under way, loads in the slot, or is one of those that the prefetcher fetches next.
    func canCancel(_ item: ItemID) -> Bool {
        if item == slot.item, slot.isLoading { return true }
        switch statuses.kind(of: item.rawValue) {
        case .connecting, .loading, .retrying, .parked: return true
        case .waiting: return options.prefetches && isWaiting(item.rawValue) && prefetch.order.contains(item)
        case .onDisk, .inMemory, .failed, .duplicate: return false
        }
    }

    /// Gives up an item's transfer, and the slot's request when it is for that item.
    mutating func cancel(_ item: ItemID) -> [BrowseEffect] {
        guard canCancel(item) else {
            showQuietNotice(statuses.hasActive ? "\(shortName(of: item)) is not running" : "nothing is running")
            return []
        }
        showNotice("cancelled \(shortName(of: item))")
        retryRound?.drop(item.rawValue)
        wish { $0.skip(item) }
        return [.cancelItem(item)] + (item == slot.item ? slot.cancel().effects : [])
    }

    /// Tries a failed item again.
    mutating func retry(_ item: ItemID) -> [BrowseEffect] {
        guard statuses.kind(of: item.rawValue) == .failed else {
            showNotice("\(shortName(of: item)) has not failed")
            return []
        }
        statuses.set(item.rawValue, .waiting, at: now)
        wish { $0.forget(item) }
        return [.retryItem(item)] + (item == slot.item && slot.hasFailed ? showAgain() : [])
    }

    mutating func retryAll() -> [BrowseEffect] {
        let failed = statuses.resetFailures()
        prefetch.isStale = true
        retryRound = failed.isEmpty ? nil : RetryRound(failed)
        showNotice(failed.isEmpty ? "nothing failed" : "retrying \(Units.count(failed.count))")
        return failed.map { .retryItem(ItemID($0)) } + (slot.hasFailed ? showAgain() : [])
    }

    /// Says so where there is nothing left to put first or last.
    private mutating func isDone(_ item: ItemID) -> Bool {
        let isDone = statuses.kind(of: item.rawValue).isDone
        if isDone { showNotice("\(shortName(of: item)) is done: r retries what failed") }
        return isDone
    }

    /// Has an item fetched before all others.
    mutating func prioritize(_ item: ItemID) -> [BrowseEffect] {
        guard !isDone(item) else { return [] }
        showNotice("\(shortName(of: item)) is downloaded first")
        wish { $0.prioritize(item) }
        return []
    }

    /// Has an item fetched after all others.
    mutating func postpone(_ item: ItemID) -> [BrowseEffect] {
        guard !isDone(item) else { return [] }
        showNotice("\(shortName(of: item)) is downloaded last")
        wish { $0.postpone(item) }
        return []
    }

    /// Takes the marked items, or else the chosen one, out of the caches; they are fetched again when asked for.
    ///
    /// A local file is never in the disk cache, and stays as it is.
    mutating func removeFromCache() -> [BrowseEffect] {
        let chosen = chosenItems
        let items = chosen.filter { !list.items.isFile(at: $0.rawValue) }
        if items.isEmpty, !chosen.isEmpty {
            showQuietNotice(chosen.count == 1 ? "a local file is not in the cache" : "local files are not in the cache")
        }
        return items.isEmpty ? [] : [.removeFromCache(items)]
    }

    /// Takes note of items that were taken out of the caches elsewhere.
    mutating func markRemovedFromCaches(_ items: [ItemID]) {
        for item in items where list.items.indices.contains(item.rawValue) {
            wish { $0.skip(item) }
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

    /// Nothing is fetched but what is on the screen, in its smaller version where the list names one.
    mutating func toggleLowData() -> [BrowseEffect] {
        isLowData.toggle()
        prefetch.isStale = true
        showNotice(isLowData ? "low data: only pictures on the screen are downloaded" : "low data is off")
        return [.setLowData(isLowData)]
    }

    mutating func showAgain() -> [BrowseEffect] { slot.showAgain(reload: false, at: now).effects }

    private mutating func wish(_ change: (inout PrefetchPreferences) -> Void) {
        change(&prefetch.preferences)
        prefetch.isStale = true
    }
}
