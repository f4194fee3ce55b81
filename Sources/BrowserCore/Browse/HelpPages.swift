import Raster

/// Where the entries of the help stand: in one column or two, under headings, in pages where there are too many.
struct HelpPages {
    /// One row of a column.
    enum Line: Equatable {
        case heading(HelpTopic)
        /// An entry, by its number.
        case entry(Int)
    }

    private struct Slot {
        let line: Line
        let page: Int
        let column: Int
        let row: Int
    }

    let rect: Rect
    /// The page that is shown.
    let page: Int
    let pageCount: Int
    private let columns: Int
    private let slots: [Slot]

    /// `topics` has the heading of each entry, in order; nil where none is to stand.
    init(of topics: [HelpTopic?], chosen: Int, in rect: Rect) {
        self.rect = rect
        let columns = rect.columns >= 2 * (HelpPanel.keyWidth + 20) ? 2 : 1
        let most = max(1, rect.rows - 2)
        // The columns become equally long where all fit on one page.
        let least = min(most, max(1, topics.count / columns))
        let fitting = (least...most).lazy.map { Self.slots(topics, rows: $0, columns: columns) }
        let slots = fitting.first { ($0.last?.page ?? 0) == 0 } ?? Self.slots(topics, rows: most, columns: columns)
        page = slots.first { $0.line == .entry(chosen) }?.page ?? 0
        pageCount = (slots.last?.page ?? 0) + 1
        (self.columns, self.slots) = (columns, slots)
    }

    /// What stands on the page, and where.
    var lines: [(line: Line, rect: Rect)] {
        slots.filter { $0.page == page }.map { ($0.line, cell($0)) }
    }

    /// Nil where there is no such page.
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

    /// A heading stands over an entry in any case, and an empty row over a heading that does not begin a column.
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
