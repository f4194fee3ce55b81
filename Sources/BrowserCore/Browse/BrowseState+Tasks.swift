extension BrowseState {
    /// What the task panel lists: all under way, then what failed, the latest first.
    var tasks: [Int] { statuses.activeItems + statuses.failed.reversed() }

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

    mutating func retryAll() -> [BrowseEffect] {
        let failed = statuses.resetFailures()
        prefetch.isStale = true
        say(failed.isEmpty ? "nothing failed" : "retrying \(Units.count(failed.count))")
        return failed.map { .retryItem(ItemID($0)) } + (slot.hasFailed ? showAgain() : [])
    }

    mutating func togglePause() -> [BrowseEffect] {
        guard options.prefetches else {
            say("prefetch is off")
            return []
        }
        isPrefetchPaused.toggle()
        return [.setPrefetchPaused(isPrefetchPaused)]
    }

    mutating func showAgain() -> [BrowseEffect] { slot.showAgain(reload: false, at: now).effects }
}
