extension BrowseState {
    mutating func toggleMark() {
        guard let selection else { return }
        list.toggleMark(selection)
        let isMarked = list.marks.contains(selection)
        if isFullScreen { say("\(list.items[selection].name) is \(isMarked ? "" : "not ")marked") }
        go(by: 1)
    }

    /// Begins a range at the cursor, or marks all rows from where it began to the cursor.
    mutating func markRange() {
        guard list.count > 0 else { return }
        guard let start = rangeStart else {
            rangeStart = viewport.cursor
            return say("range from \(Units.count(viewport.cursor + 1)); once more marks to there")
        }
        rangeStart = nil
        let end = viewport.cursor
        list.mark(rows: min(start, end)...min(max(start, end), list.count - 1))
        say("\(Units.count(list.marks.count)) marked")
    }

    mutating func markAll() {
        list.mark(rows: 0..<list.count)
        say("\(Units.count(list.marks.count)) marked")
    }

    mutating func unmarkAll() {
        rangeStart = nil
        list.unmarkAll()
        say("none marked")
    }
}
