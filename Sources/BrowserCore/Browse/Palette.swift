/// The help screen: every action, searched by name or key.
struct Palette: Sendable, Equatable {
    var search = TextField()
    /// The tasks it lies over, and is left for.
    var tasks: TaskCursor?
    private(set) var chosen = 0

    /// The actions that the search leaves, in their order.
    func actions(_ state: BrowseState) -> [BrowseAction] {
        let filter = RowFilter(search.text)
        return BrowseAction.allCases.filter { action in
            search.text.isEmpty || filter.isFound(in: action.title) || filter.isFound(in: action.otherWords)
                || state.options.keyMap.names(of: action).contains(search.text)
        }
    }

    /// The action that Enter runs.
    func action(_ state: BrowseState) -> BrowseAction? {
        let actions = actions(state)
        return actions.isEmpty ? nil : actions[min(chosen, actions.count - 1)]
    }

    mutating func move(by distance: Int, _ state: BrowseState) {
        let last = max(0, actions(state).count - 1)
        chosen = min(last, max(0, min(chosen, last) + distance))
    }

    /// Takes an editing key; the first action found is chosen anew.
    mutating func type(_ key: Key) {
        if search.take(key) { chosen = 0 }
    }

    mutating func paste(_ text: String) {
        search.insert(text)
        chosen = 0
    }
}
