import Raster

/// What is under way and what failed, one line each.
struct TasksPanel {
    let state: BrowseState
    let cursor: TaskCursor
    let rect: Rect

    private var glyphs: GlyphSet { state.glyphs }
    private var fieldWidth: Int { rect.columns >= 60 ? 14 : 6 }

    /// How many tasks there is room for.
    static func rows(_ state: BrowseState) -> Int { max(0, state.layout.bodyRows - 2 - HostLines.rows(state)) }

    /// The first row of the tasks.
    private var top: Int { rect.row + 2 + HostLines.rows(state) }

    func draw(_ canvas: inout Canvas) {
        guard !rect.isEmpty else { return }
        drawHeader(&canvas)
        HostLines(
            state: state,
            rect: Rect(column: rect.column, row: rect.row + 2, columns: rect.columns, rows: max(0, rect.rows - 2)),
            chosen: host
        ).draw(&canvas)
        let tasks = state.tasks
        let viewport = viewport(of: tasks)
        let visible = viewport.visible(count: tasks.count, height: height)
        for row in visible {
            let line = top + row - visible.lowerBound
            draw(tasks[row], at: line, &canvas)
            if host == nil, row == viewport.cursor { drawCursor(at: line, &canvas) }
        }
        if tasks.isEmpty { canvas.write("nothing under way", rect.column + 3, top, width: 30, .dim) }
    }

    private var host: String? { cursor.host(in: state.taskHosts) }

    /// The host whose line is at a place on the screen.
    func host(at place: Position) -> String? {
        let row = place.row - rect.row - 2
        return rect.contains(place) && state.taskHosts.indices.contains(row) ? state.taskHosts[row] : nil
    }

    private var height: Int { max(0, rect.rows - (top - rect.row)) }

    private func viewport(of tasks: [Int]) -> Viewport {
        var viewport = cursor.viewport
        viewport.jump(to: cursor.row(in: tasks), count: tasks.count, height: height)
        return viewport
    }

    /// The row of the tasks at a place on the screen.
    func task(at place: Position) -> Int? {
        let tasks = state.tasks
        let visible = viewport(of: tasks).visible(count: tasks.count, height: height)
        let row = visible.lowerBound + place.row - top
        return rect.contains(place) && visible.contains(row) ? row : nil
    }

    private func drawHeader(_ canvas: inout Canvas) {
        let running = state.statuses.count(of: .loading) + state.statuses.count(of: .connecting)
        let skipped = state.skippedCount
        let counts = [
            (running, "running"), (state.statuses.count(of: .waiting) - skipped, "waiting"),
            (state.statuses.count(of: .failed), "failed"),
        ]
        var texts = counts.map { "\(Units.count($0)) \($1)" }
        if skipped > 0 { texts.append("\(Units.count(skipped)) skipped") }
        var line = StyledText("Tasks", .heading)
        line.append(StyledText(texts.joined(separator: " \(glyphs.dot) ")), gap: rect.columns >= 50 ? 3 : 1)
        canvas.write(line, rect.column + 1, rect.row, width: rect.columns - 2)
    }

    private func draw(_ index: Int, at line: Int, _ canvas: inout Canvas) {
        let item = state.list.items[index]
        let text = state.statusText(of: index)
        let start = rect.column + 3
        let end = rect.column + rect.columns - 1
        canvas.write(text.field(width: fieldWidth), start, line, width: fieldWidth)
        let nameStart = start + fieldWidth + 1
        let nameWidth = nameWidth(in: end - nameStart, beside: text.status.kind)
        canvas.write(
            Fitting.truncateMiddle(item.name, to: nameWidth, ellipsis: glyphs.ellipsis), nameStart, line,
            width: nameWidth)
        let factStart = nameStart + nameWidth + 2
        let next = canvas.write(text.fact(width: end - factStart), factStart, line, width: end - factStart)
        guard end - next >= 13, text.isWide else { return }
        let place = Fitting.truncateMiddle(item.place, to: end - next - 3, ellipsis: glyphs.ellipsis)
        canvas.write(place, next + 3, line, width: end - next - 3, .dim)
    }

    /// Where there is little room, an amount leaves the name all that it does not need, and a reason half.
    private func nameWidth(in room: Int, beside kind: StatusTable.Kind) -> Int {
        guard room < 36 else { return min(30, room * 2 / 5) }
        let isReason = kind == .failed || kind == .retrying || kind == .parked
        return max(0, isReason ? room / 2 : room - 12)
    }

    private func drawCursor(at line: Int, _ canvas: inout Canvas) {
        canvas.select(rect.column + 2, line, width: rect.columns - 3)
        canvas.write(glyphs.selected, rect.column + 1, line, width: 1, .accent)
    }
}
