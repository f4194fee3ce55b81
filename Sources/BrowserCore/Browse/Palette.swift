/// The help screen: every action, searched by name or key.
struct Palette: Sendable, Equatable {
    var search = TextField()
    private(set) var chosen = 0

    /// The actions that the search leaves, in their order.
    func actions(_ glyphs: GlyphSet) -> [BrowseAction] {
        let filter = RowFilter(search.text)
        return BrowseAction.allCases.filter { action in
            search.text.isEmpty || filter.isFound(in: action.title) || action.keys(glyphs) == search.text
        }
    }

    /// The action that Enter runs.
    func action(_ glyphs: GlyphSet) -> BrowseAction? {
        let actions = actions(glyphs)
        return actions.isEmpty ? nil : actions[min(chosen, actions.count - 1)]
    }

    mutating func move(by distance: Int, _ glyphs: GlyphSet) {
        let last = max(0, actions(glyphs).count - 1)
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
