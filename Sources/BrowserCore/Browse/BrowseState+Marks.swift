extension BrowseState {
    /// The rows from the start of a range to the cursor; nil if no range is being marked.
    var markedRange: ClosedRange<Int>? {
        guard let start = rangeStart, list.count > 0 else { return nil }
        let (first, last) = (min(start, viewport.cursor), max(start, viewport.cursor))
        return min(first, list.count - 1)...min(last, list.count - 1)
    }

    /// Toggles the marks of `count` rows from the cursor on and moves past them; ends a range that is being marked.
    mutating func toggleMarks(_ count: Int) {
        guard rangeStart == nil else { return markRange() }
        guard let selected else { return }
        let rows = viewport.cursor..<min(list.count, viewport.cursor + count)
        for row in rows { list.toggleMark(list.index(at: row)) }
        if isFullScreen {
            let isMarked = list.marks.contains(selected.rawValue)
            showNotice("\(shortName(of: selected)) is \(isMarked ? "" : "not ")marked")
        }
        go(by: rows.count)
    }

    /// Begins a range at the cursor, or marks all rows of the current one.
    mutating func markRange() {
        guard list.count > 0 else { return }
        guard let range = markedRange else {
            rangeStart = viewport.cursor
            let key = options.keyMap.firstKey(of: .markRange).map { KeyName.sign($0, glyphs) }
            let end = key ?? glyphs.space
            return showNotice("Range from \(Units.count(viewport.cursor + 1)): move, then \(end)")
        }
        rangeStart = nil
        list.mark(rows: range)
        showNotice("\(Units.count(list.marks.count)) marked")
    }

    mutating func markAll() {
        rangeStart = nil
        list.mark(rows: 0..<list.count)
        showNotice("\(Units.count(list.marks.count)) marked")
    }

    mutating func unmarkAll() {
        rangeStart = nil
        list.unmarkAll()
        showNotice("none marked")
    }
}
