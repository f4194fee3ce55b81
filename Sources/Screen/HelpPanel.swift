import Raster

/// A row of the help: keys and what they do, or a sign or a fact and what it means.
package struct HelpRow<Action: Sendable & Equatable>: Sendable, Equatable {
    /// The keys in their short form, or a sign.
    package let keys: [String]
    package let title: String
    /// Other words that the search finds.
    let terms: String
    /// The action of Enter; nil if there is none.
    package let action: Action?

    package init(_ keys: [String], _ title: String, terms: String = "", action: Action? = nil) {
        (self.keys, self.title, self.terms, self.action) = (keys, title, terms, action)
    }

    fileprivate func matches(_ search: String) -> Bool {
        keys.contains(search) || [title, terms].contains { $0.lowercased().contains(search.lowercased()) }
    }
}

/// Rows of the help with a heading.
package struct HelpBlock<Action: Sendable & Equatable>: Sendable, Equatable {
    let title: String
    let rows: [HelpRow<Action>]

    package init(_ title: String, _ rows: [HelpRow<Action>]) { (self.title, self.rows) = (title, rows) }
}

/// The search of the help and its cursor.
package struct HelpCursor: Sendable, Equatable {
    fileprivate var search = TextField()
    /// The selected row among those that the search finds.
    package var chosen = 0

    package init() {}

    package mutating func paste(_ text: String) {
        search.insert(text)
        chosen = 0
    }

    /// Handles a key that moves the cursor or edits the search.
    ///
    /// - Returns: false if the key leaves the help: Esc without a search, or the second F1.
    package mutating func handle<Action>(_ key: Key, in panel: HelpPanel<Action>) -> Bool {
        let last = max(0, panel.rows.count - 1)
        chosen = min(chosen, last)
        switch key {
        case .escape where search.text.isEmpty, .function(1): return false
        case .escape: self = HelpCursor()
        case .up, .control("p"), .backTab: chosen = max(0, chosen - 1)
        case .down, .control("n"), .tab: chosen = min(last, chosen + 1)
        case .pageUp, .pageDown: chosen = panel.row(turningBy: key == .pageDown ? 1 : -1)
        case .home: chosen = 0
        case .end: chosen = last
        default: if search.handle(key) { chosen = 0 }
        }
        return true
    }
}

/// The help of a screen: its own keys first, then other blocks; typing searches all of them.
package struct HelpPanel<Action: Sendable & Equatable> {
    private static var keyWidth: Int { 11 }

    private let screen: String
    private let blocks: [HelpBlock<Action>]
    private let cursor: HelpCursor
    private let rect: Rect
    private let glyphs: GlyphSet
    /// The rows that the search finds.
    package let rows: [HelpRow<Action>]

    /// - Parameter screen: The name of the screen that the help is about.
    package init(_ screen: String, _ blocks: [HelpBlock<Action>], _ cursor: HelpCursor, in rect: Rect, glyphs: GlyphSet)
    {
        (self.screen, self.cursor, self.rect, self.glyphs) = (screen, cursor, rect, glyphs)
        let search = cursor.search.text
        self.blocks =
            search.isEmpty ? blocks : [HelpBlock("", blocks.flatMap(\.rows).filter { $0.matches(search) })]
        rows = self.blocks.flatMap(\.rows)
    }

    /// The action of Enter.
    package var action: Action? { rows.isEmpty ? nil : rows[chosen].action }

    private var chosen: Int { min(cursor.chosen, max(0, rows.count - 1)) }
    private var pages: HelpPages {
        HelpPages(of: blocks.map { ($0.title, $0.rows.map(lines)) }, chosen: chosen, in: rect)
    }

    /// Returns the row at a position on the screen.
    package func row(at place: Position) -> Int? {
        rect.rows > 2 ? pages.lines.first { $0.rect.contains(place) }?.line.row : nil
    }

    /// Returns the first row of the next or previous page, or the first or last row if there is no such page.
    fileprivate func row(turningBy step: Int) -> Int {
        let pages = pages
        return pages.page + step < 0 ? 0 : pages.firstRow(ofPage: pages.page + step) ?? max(0, rows.count - 1)
    }

    package func draw(_ canvas: inout Canvas) {
        guard !rect.isEmpty else { return }
        drawHeader(&canvas)
        guard rect.rows > 2 else { return }
        guard !rows.isEmpty else {
            let text = "no key or action like \(cursor.search.text) \(glyphs.dot) Esc clears"
            canvas.write(text, rect.column + 3, rect.row + 2, width: rect.columns - 3, .dim, cut: .end)
            return
        }
        let pages = pages
        for (line, place) in pages.lines { draw(line, in: place, &canvas) }
        guard pages.pageCount > 1 else { return }
        let text = StyledText("page \(pages.page + 1) of \(pages.pageCount) \(glyphs.dot) PgDn", .dim)
        canvas.write(text, endingAt: rect.column + rect.columns - 1, rect.row + 1, width: rect.columns - 1)
    }

    private func drawHeader(_ canvas: inout Canvas) {
        var title = StyledText("help", .heading)
        title.append(StyledText(screen), gap: 2)
        let start = canvas.write(title, rect.column + 1, rect.row, width: rect.columns - 2) + 3
        let room = max(0, rect.column + rect.columns - 1 - start)
        let search = Fitting.suffix(cursor.search.text, to: room)
        canvas.showCursor(canvas.write(search, start, rect.row, width: room, .accent), rect.row)
        let hint = StyledText("type to search a name or a key, \(glyphs.enter) runs it", .dim)
        guard cursor.search.text.isEmpty, hint.width + 2 < room else { return }
        canvas.write(hint, endingAt: rect.column + rect.columns - 1, rect.row, width: room)
    }

    private func draw(_ line: HelpPages.Line, in place: Rect, _ canvas: inout Canvas) {
        guard let row = line.row else {
            _ = canvas.write(line.text, place.column + 3, place.row, width: place.columns - 3, .heading)
            return
        }
        if line.part == 0 { canvas.write(keys(rows[row]), place.column + 3, place.row, width: Self.keyWidth, .accent) }
        let start = place.column + 3 + Self.keyWidth
        canvas.write(line.text, start, place.row, width: place.columns - 4 - Self.keyWidth, cut: .end)
        if row == chosen { canvas.drawCursor(place.column + 1, place.row, width: place.columns - 2) }
    }

    /// Returns as many of the keys as fit.
    private func keys(_ row: HelpRow<Action>) -> String {
        row.keys.reduce(into: "") { text, sign in
            let longer = text.isEmpty ? sign : "\(text) \(sign)"
            if CellWidth.of(longer) <= Self.keyWidth - 2 { text = longer }
        }
    }

    /// Returns the title in lines: that of a fact takes several.
    private func lines(of row: HelpRow<Action>) -> [String] {
        let width = HelpPages.width(in: rect) - 4 - Self.keyWidth
        return row.action != nil || width < 10 ? [row.title] : Fitting.wrap(row.title, to: width, limit: 4)
    }
}

/// The layout of the help: columns of blocks, in pages if there are too many rows.
struct HelpPages {
    /// A heading, or a line of a row.
    struct Line: Equatable {
        var row: Int?
        var part = 0
        let text: String
    }

    private typealias Block = (title: String, rows: [[String]])
    private typealias Slot = (line: Line, page: Int, column: Int, row: Int)

    let rect: Rect
    /// The current page, that of the chosen row.
    let page: Int
    let pageCount: Int
    private let slots: [Slot]

    private static func columns(in rect: Rect) -> Int { rect.columns >= 140 ? 3 : rect.columns >= 90 ? 2 : 1 }

    /// Returns the width of a column.
    static func width(in rect: Rect) -> Int { rect.columns / columns(in: rect) }

    /// - Parameter blocks: the title of each block, empty for none, and the lines of its rows.
    init(of blocks: [(title: String, rows: [[String]])], chosen: Int, in rect: Rect) {
        self.rect = rect
        let (columns, most) = (Self.columns(in: rect), max(1, rect.rows - 2))
        // The columns get equal lengths if everything fits on one page; else blocks are divided to fill it.
        let least = min(most, max(1, blocks.reduce(0) { $0 + $1.rows.count } / columns))
        let fitting = (least...most).lazy.map { Self.slots(blocks, $0, columns) }
        slots = fitting.first { ($0.last?.page ?? 0) == 0 } ?? Self.slots(blocks, most, columns, divides: true)
        page = slots.first { $0.line.row == chosen }?.page ?? 0
        pageCount = (slots.last?.page ?? 0) + 1
    }

    /// The lines of the current page with their areas.
    var lines: [(line: Line, rect: Rect)] {
        let width = Self.width(in: rect)
        return slots.filter { $0.page == page }.map { slot in
            let column = rect.column + slot.column * width
            return (slot.line, Rect(column: column, row: rect.row + 2 + slot.row, columns: width, rows: 1))
        }
    }

    /// Returns the first row of a page; nil if there is no such page.
    func firstRow(ofPage page: Int) -> Int? { slots.first { $0.page == page && $0.line.row != nil }?.line.row }

    /// Places headings and rows.
    ///
    /// A block that fits a column is not divided, unless a quarter of the column would stay empty or `divides` is set. A
    /// heading is followed by a row in the same column; an empty line precedes it unless it begins a column.
    private static func slots(_ blocks: [Block], _ height: Int, _ columns: Int, divides: Bool = false) -> [Slot] {
        var slots: [Slot] = []
        var (column, line, number) = (0, 0, 0)
        func add(_ new: Line) {
            slots.append((new, column / columns, column % columns, line))
            line += 1
        }
        for block in blocks {
            if !block.title.isEmpty, let first = block.rows.first {
                if line > 0 { line += 1 }
                let whole = 1 + block.rows.reduce(0) { $0 + $1.count }
                let isWhole = !divides && whole <= height && height - line < max(4, height / 4)
                if line > 0, line + (isWhole ? whole : 1 + first.count) > height { (column, line) = (column + 1, 0) }
                if height > 1 { add(Line(text: block.title)) }
            }
            for texts in block.rows {
                if line > 0, line + texts.count > height { (column, line) = (column + 1, 0) }
                for (part, text) in texts.prefix(height).enumerated() { add(Line(row: number, part: part, text: text)) }
                number += 1
            }
        }
        return slots
    }
}
