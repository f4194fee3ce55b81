import AlcedoFilters
import AlcedoScreen
import Raster

/// The palette: a search line and its entries.
struct HelpPanel {
    static let keyWidth = 10

    let palette: Palette
    let rect: Rect
    let state: BrowseState

    private var glyphs: GlyphSet { state.glyphs }

    func draw(_ canvas: inout Canvas) {
        guard !rect.isEmpty else { return }
        drawSearch(&canvas)
        let entries = palette.entries(state.options.keyMap)
        guard rect.rows > 2 else { return }
        let (pages, chosen) = (pages(entries), chosen(entries))
        for (line, place) in pages.lines {
            switch line {
            case .heading(let topic):
                canvas.write(topic.title, place.column + 3, place.row, width: place.columns, .heading)
            case .entry(let number): draw(entries[number], in: place, isChosen: number == chosen, &canvas)
            }
        }
        drawPage(pages, &canvas)
        if entries.isEmpty {
            canvas.write("nothing found", rect.column + 3, rect.row + 2, width: rect.columns - 3, .dim)
        }
    }

    /// Returns the entry at a position on the screen.
    func entry(at place: Position) -> Int? {
        rect.rows > 2 ? pages(palette.entries(state.options.keyMap)).entry(at: place) : nil
    }

    /// Returns the first entry of the next or previous page, or the first or last entry if there is no such page.
    func entry(turningBy step: Int) -> Int {
        let entries = palette.entries(state.options.keyMap)
        let pages = pages(entries)
        if pages.page + step < 0 { return 0 }
        return pages.firstEntry(ofPage: pages.page + step) ?? max(0, entries.count - 1)
    }

    private func chosen(_ entries: [Palette.Entry]) -> Int { min(palette.chosen, max(0, entries.count - 1)) }

    /// Returns the pages; search results form one list without headings.
    private func pages(_ entries: [Palette.Entry]) -> HelpPages {
        let isSearch = !palette.search.text.isEmpty
        let topics = entries.map { isSearch ? nil : $0.traits(state.options.keyMap).topic }
        return HelpPages(of: topics, chosen: chosen(entries), in: rect)
    }

    /// Draws the page number if there are several pages.
    private func drawPage(_ pages: HelpPages, _ canvas: inout Canvas) {
        guard pages.pageCount > 1 else { return }
        let text = "page \(pages.page + 1) of \(pages.pageCount)"
        canvas.write(
            StyledText(text, .dim), endingAt: rect.column + rect.columns - 1, rect.row + 1, width: rect.columns - 1)
    }

    /// Returns as many of the keys as fit.
    private func keys(_ traits: ActionTraits) -> String {
        traits.signs(glyphs).reduce(into: "") { text, sign in
            let longer = text.isEmpty ? sign : "\(text) \(sign)"
            if CellWidth.of(longer) < HelpPanel.keyWidth { text = longer }
        }
    }

    private func drawSearch(_ canvas: inout Canvas) {
        let start = canvas.write("?", rect.column + 1, rect.row, width: 1, .heading) + 1
        let room = max(0, rect.columns - 5)
        let search = Fitting.suffix(palette.search.text, to: room)
        let next = canvas.write(search, start, rect.row, width: room, .accent)
        canvas.showCursor(next, rect.row)
        let hint = "type to search by name or key, \(glyphs.enter) runs it"
        guard next + 3 + CellWidth.of(hint) < rect.column + rect.columns else { return }
        canvas.write(
            StyledText(hint, .dim), endingAt: rect.column + rect.columns - 1, rect.row, width: rect.columns - 1)
    }

    private func draw(_ entry: Palette.Entry, in place: Rect, isChosen: Bool, _ canvas: inout Canvas) {
        let (start, width) = (place.column + 3, place.columns)
        let traits = entry.traits(state.options.keyMap)
        canvas.write(keys(traits), start, place.row, width: HelpPanel.keyWidth, .accent)
        let titleStart = start + HelpPanel.keyWidth
        let room = width - 4 - HelpPanel.keyWidth
        canvas.write(traits.title, titleStart, place.row, width: room, cut: .end)
        if isChosen { canvas.drawCursor(place.column + 1, place.row, width: width - 2) }
    }
}

/// The layout of the help: one or two columns with headings, in pages if there are too many entries.
struct HelpPages {
    /// One row of a column.
    enum Line: Equatable {
        case heading(HelpTopic)
        /// An entry by its number.
        case entry(Int)
    }

    private struct Slot {
        let line: Line
        let page: Int
        let column: Int
        let row: Int
    }

    let rect: Rect
    /// The current page.
    let page: Int
    /// The number of pages.
    let pageCount: Int
    private let columns: Int
    private let slots: [Slot]

    /// Creates the pages.
    ///
    /// - Parameter topics: the heading of each entry, in order; nil for no heading.
    init(of topics: [HelpTopic?], chosen: Int, in rect: Rect) {
        self.rect = rect
        let columns = rect.columns >= 2 * (HelpPanel.keyWidth + 20) ? 2 : 1
        let most = max(1, rect.rows - 2)
        // The columns get equal lengths if everything fits on one page.
        let least = min(most, max(1, topics.count / columns))
        let fitting = (least...most).lazy.map { Self.slots(topics, rows: $0, columns: columns) }
        let slots = fitting.first { ($0.last?.page ?? 0) == 0 } ?? Self.slots(topics, rows: most, columns: columns)
        page = slots.first { $0.line == .entry(chosen) }?.page ?? 0
        pageCount = (slots.last?.page ?? 0) + 1
        (self.columns, self.slots) = (columns, slots)
    }

    /// The rows of the current page with their areas.
    var lines: [(line: Line, rect: Rect)] {
        slots.filter { $0.page == page }.map { ($0.line, cell($0)) }
    }

    /// Returns the first entry of a page; nil if there is no such page.
    func firstEntry(ofPage page: Int) -> Int? {
        for slot in slots where slot.page == page {
            if case .entry(let entry) = slot.line { return entry }
        }
        return nil
    }

    /// The entry at a place on the screen.
    func entry(at place: Position) -> Int? {
        for case (.entry(let entry), let rect) in lines where rect.contains(place) { return entry }
        return nil
    }

    private func cell(_ slot: Slot) -> Rect {
        let width = rect.columns / columns
        return Rect(
            column: rect.column + slot.column * width, row: rect.row + 2 + slot.row, columns: width, rows: 1)
    }

    /// Places entries and headings.
    ///
    /// A heading is followed by an entry in the same column; an empty row precedes it unless it begins a column.
    private static func slots(_ topics: [HelpTopic?], rows: Int, columns: Int) -> [Slot] {
        var slots: [Slot] = []
        var (column, row) = (0, 0)
        func add(_ line: Line) {
            slots.append(Slot(line: line, page: column / columns, column: column % columns, row: row))
            row += 1
        }
        var topic: HelpTopic?
        for (entry, next) in topics.enumerated() {
            if let next, next != topic {
                if row > 0 { row += 1 }
                if row + 2 > rows { (column, row) = (column + 1, 0) }
                if rows > 1 { add(.heading(next)) }
            }
            topic = next
            if row >= rows { (column, row) = (column + 1, 0) }
            add(.entry(entry))
        }
        return slots
    }
}

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
            let traits = entry.traits(keyMap)
            return isFound(traits.title) || isFound(traits.terms) || traits.keys.contains(search.text)
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
    /// Returns what the help tells of the entry, with the keys that are in force.
    func traits(_ keyMap: KeyMap) -> ActionTraits {
        switch self {
        case .task(let action): return action.traits
        case .browser(let action):
            var traits = action.traits
            traits.keys = keyMap.names(of: action)
            return traits
        }
    }
}
