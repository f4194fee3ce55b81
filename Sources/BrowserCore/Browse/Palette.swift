import Filters

/// The help: all actions, searchable by name or key.
struct Palette: Sendable, Equatable {
    /// One line of the palette.
    enum Entry: Sendable, Equatable {
        case task(TaskAction)
        case browser(BrowseAction)
    }

    var search = TextField()
    /// The task panel that opened the palette, to return to.
    var tasks: TaskCursor?
    private(set) var chosen = 0

    private var all: [Entry] {
        (tasks == nil ? [] : TaskAction.allCases.map(Entry.task)) + BrowseAction.allCases.map(Entry.browser)
    }

    /// Returns the entries that the search finds; without a search and over the task panel, only its actions.
    func entries(_ keyMap: KeyMap) -> [Entry] {
        guard !search.text.isEmpty else { return tasks == nil ? all : TaskAction.allCases.map(Entry.task) }
        let isFound = TextPattern(search.text).matches
        return all.filter { entry in
            isFound(entry.title) || isFound(entry.searchTerms)
                || entry.keyNames(keyMap).contains(search.text)
        }
    }

    /// Returns the entry that Enter runs.
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

    /// Handles an editing key of the search and selects the first entry found.
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

    /// The heading of the entry.
    var topic: HelpTopic {
        switch self {
        case .task: .tasks
        case .browser(let action): action.topic
        }
    }

    /// Other words that the search finds.
    var searchTerms: String {
        switch self {
        case .task: "tasks"
        case .browser(let action): action.searchTerms
        }
    }

    /// Returns the entry's keys in their short form.
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
