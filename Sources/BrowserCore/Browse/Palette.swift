/// The help screen: everything that can be done, searched by name or key.
struct Palette: Sendable, Equatable {
    /// One line of it.
    enum Entry: Sendable, Equatable {
        case task(TaskAction)
        case browser(BrowseAction)
    }

    var search = TextField()
    /// The tasks it lies over, and is left for.
    var tasks: TaskCursor?
    private(set) var chosen = 0

    private var all: [Entry] {
        (tasks == nil ? [] : TaskAction.allCases.map(Entry.task)) + BrowseAction.allCases.map(Entry.browser)
    }

    /// What the search leaves; without one, over the tasks, what their keys do.
    func entries(_ keyMap: KeyMap) -> [Entry] {
        guard !search.text.isEmpty else { return tasks == nil ? all : TaskAction.allCases.map(Entry.task) }
        let filter = RowFilter(search.text)
        return all.filter { entry in
            filter.isFound(in: entry.title) || filter.isFound(in: entry.searchTerms)
                || entry.keyNames(keyMap).contains(search.text)
        }
    }

    /// What Enter runs.
    func entry(_ keyMap: KeyMap) -> Entry? {
        let entries = entries(keyMap)
        return entries.isEmpty ? nil : entries[min(chosen, entries.count - 1)]
    }

    mutating func move(by distance: Int, _ keyMap: KeyMap) {
        let last = max(0, entries(keyMap).count - 1)
        chosen = min(last, max(0, min(chosen, last) + distance))
    }

    mutating func moveToStart() { chosen = 0 }

    mutating func choose(_ place: Int) { chosen = max(0, place) }

    mutating func moveToEnd(_ keyMap: KeyMap) { move(by: all.count, keyMap) }

    /// Takes an editing key; the first entry found is chosen anew.
    mutating func handle(_ key: Key) {
        if search.handle(key) { chosen = 0 }
    }

    mutating func paste(_ text: String) {
        search.insert(text)
        chosen = 0
    }
}

extension Palette.Entry {
    var title: String {
        switch self {
        case .task(let action): action.title
        case .browser(let action): action.title
        }
    }

    /// The heading that it stands under.
    var topic: HelpTopic {
        switch self {
        case .task: .tasks
        case .browser(let action): action.topic
        }
    }

    /// What else people look for it by.
    var searchTerms: String {
        switch self {
        case .task: "tasks"
        case .browser(let action): action.searchTerms
        }
    }

    /// Its keys as they are shown.
    func signs(_ keyMap: KeyMap, _ glyphs: GlyphSet) -> [String] {
        switch self {
        case .task(let action): action.keys.map { KeyName.sign($0, glyphs) }
        case .browser(let action): keyMap.signs(of: action, glyphs)
        }
    }

    fileprivate func keyNames(_ keyMap: KeyMap) -> [String] {
        switch self {
        case .task(let action): action.keys.map(KeyName.name)
        case .browser(let action): keyMap.names(of: action)
        }
    }
}
