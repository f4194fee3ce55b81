import AlcedoScreen

/// The sheet of sort orders, and the picture that was seen before.
extension BrowseState {
    /// How long a picture is selected until `ctrl-o` comes back to it.
    private static let seenTime = 1000

    /// The orders that this list can have: only lists that begin with local files are sorted by date.
    private var orders: [SortOrder] {
        SortOrder.allCases.filter { $0 != .date || list.items.beginWithFiles }
    }

    /// The sheet of orders with their keys: the current one with its direction, others as they begin.
    var sortSheet: Sheet {
        let rows = orders.map { order -> StyledText in
            let isCurrent = order == list.order
            var text = StyledText(isCurrent ? glyphs.selected : " ", .accent)
            text.append(StyledText(String(order.key), .accent), gap: 2)
            text.append(StyledText(Fitting.pad(order.title, to: 14), isCurrent ? .strong : .plain), gap: 2)
            guard let firsts = order.firsts else { return text }
            let isReversed = isCurrent && list.isReversed
            let descends = order.descends != isReversed
            let sign = descends ? glyphs.descending : glyphs.ascending
            text.append(StyledText("\(sign) \(isReversed ? firsts.other : firsts.usual)", .dim), gap: 2)
            if isCurrent {
                let other = isReversed ? firsts.usual : firsts.other
                text.append(StyledText("\(order.key) again: \(other)", .dim), gap: 3)
            }
            return text
        }
        return Sheet(title: "sort: now \(list.order == .list ? orderText : "by \(orderText)")", rows: rows)
    }

    /// The order with the sign of its direction.
    var orderText: String {
        guard list.order.firsts != nil else { return list.order.title }
        return "\(list.order.title) \(list.order.descends != list.isReversed ? glyphs.descending : glyphs.ascending)"
    }

    /// Sorts by the order of a key, the same again in the other direction; other keys close the sheet.
    mutating func inSorting(_ key: Key) -> [BrowseEffect] {
        focus = .list
        guard case .character(let character) = key, let order = orders.first(where: { $0.key == character })
        else {
            return []
        }
        let isAgain = order == list.order && order.firsts != nil
        sort(by: order, reversed: isAgain && !list.isReversed)
        return []
    }

    /// Remembers an item that is not selected any more, if it was selected for a while.
    mutating func leave(_ item: ItemID?) {
        if let item, now - selectionTime >= Self.seenTime { lastSeen = item.rawValue }
        selectionTime = now
    }
}

extension BrowseState {
    /// Shows names in the next style that changes a row.
    mutating func changeNames() {
        guard let next = [names.next, names.next.next].first(where: changesRows) else {
            return showQuietNotice("file names, paths and addresses are the same here")
        }
        names = next
        showNotice("rows show \(names.title)")
    }

    /// Whether another name style changes a visible row.
    private func changesRows(_ style: NameStyle) -> Bool {
        visibleRows.contains { row in
            let index = list.index(at: row)
            return NameText(of: index, in: list.items, style) != NameText(of: index, in: list.items, names)
        }
    }
}
