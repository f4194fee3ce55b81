import AlcedoScreen
import Raster

/// The graph of what is received, the hosts in trouble, and the running, failed and waiting items, one line each.
struct TasksPanel {
    let state: BrowseState
    let cursor: TaskCursor
    let rect: Rect

    private var glyphs: GlyphSet { state.glyphs }
    private var columns: TaskColumns { TaskColumns(rect) }

    /// Returns the number of rows for tasks.
    static func rows(_ state: BrowseState) -> Int {
        max(0, state.layout.bodyRows - hostRow(state) - HostLines.rows(state))
    }

    /// Returns the row of the first host, below the header and the graph.
    private static func hostRow(_ state: BrowseState) -> Int {
        let graph = graphRows(state)
        return 2 + (graph > 0 ? graph + 1 : 0)
    }

    private static func graphRows(_ state: BrowseState) -> Int {
        // A flat line tells nothing.
        guard state.statuses.hasActive || state.throughput.isMoving(at: state.now) else { return 0 }
        return ThroughputGraph.rows(screen: state.size.rows, columns: state.layout.popup.columns)
    }

    private var hostRow: Int { rect.row + Self.hostRow(state) }

    /// The first row of the tasks.
    private var top: Int { hostRow + HostLines.rows(state) }

    func draw(_ canvas: inout Canvas) {
        guard !rect.isEmpty else { return }
        drawHeader(&canvas)
        let graph = Rect(
            column: rect.column, row: rect.row + 2, columns: rect.columns,
            rows: min(Self.graphRows(state), max(0, rect.rows - 2)))
        ThroughputGraph(throughput: state.throughput, now: state.now, items: state.progress.itemsPerSecond)
            .draw(in: graph, &canvas)
        HostLines(
            state: state, columns: columns,
            rect: Rect(column: rect.column, row: hostRow, columns: rect.columns, rows: rect.row + rect.rows - hostRow),
            chosen: host
        ).draw(&canvas)
        let tasks = state.tasks
        let viewport = viewport(of: tasks)
        let visible = viewport.visible(count: tasks.count, height: height)
        for row in visible {
            let line = top + row - visible.lowerBound
            draw(tasks[row], at: line, &canvas)
            guard host == nil, row == viewport.cursor else { continue }
            canvas.drawCursor(rect.column, line, width: rect.columns - 1)
        }
        if let progress = state.fileProgress {
            canvas.write(
                StyledText("files: \(progress)", .accent), rect.column + 1, rect.row + 1, width: rect.columns - 2)
        } else if host == nil, let chosen = cursor.chosen(in: tasks),
            let times = state.statusText(of: chosen.rawValue).times
        {
            let text = "\(state.shortName(of: chosen))  \(times.text)"
            let room = CellWidth.of(text) <= rect.columns - 2 ? rect.columns - 2 : 0
            canvas.write(text, rect.column + 1, rect.row + 1, width: room, .dim)
        }
        if tasks.isEmpty { canvas.write("nothing under way", rect.column + 5, top, width: rect.columns - 6, .dim) }
    }

    private var host: String? { cursor.host(in: state.taskHosts) }

    /// Returns the host whose line is at a position on the screen.
    func host(at place: Position) -> String? {
        let row = place.row - hostRow
        return rect.contains(place) && state.taskHosts.indices.contains(row) ? state.taskHosts[row] : nil
    }

    private var height: Int { max(0, rect.rows - (top - rect.row)) }

    private func viewport(of tasks: [Int]) -> Viewport {
        var viewport = cursor.viewport
        viewport.jump(to: cursor.row(in: tasks), count: tasks.count, height: height)
        return viewport
    }

    /// Returns the row of the task at a position on the screen.
    func task(at place: Position) -> Int? {
        let tasks = state.tasks
        let visible = viewport(of: tasks).visible(count: tasks.count, height: height)
        let row = visible.lowerBound + place.row - top
        return rect.contains(place) && visible.contains(row) ? row : nil
    }

    /// Draws as many counts as fit, and at the right what is prefetched of a long list or the time left.
    private func drawHeader(_ canvas: inout Canvas) {
        let count = { (kinds: [StatusTable.Kind]) in kinds.reduce(0) { $0 + state.statuses.count(of: $1) } }
        let (skipped, hosts) = (state.skippedCount, state.hostBoard.hosts.count)
        let counts = [
            (count([.loading, .connecting]), "running"), (count([.waiting, .parked, .retrying]) - skipped, "waiting"),
            (count([.failed]), "failed"), (hosts, hosts == 1 ? "host in trouble" : "hosts in trouble"),
            (skipped, "skipped"),
        ]
        let shown = counts.enumerated().filter { $0 < 2 || $1.0 > 0 }.map(\.element)
        let texts = [shown, shown.filter { $0.0 > 0 }].map { counts in
            counts.map { "\(Units.count($0.0)) \($0.1)" }
        }
        // Without the zeros there is more room.
        let room = rect.columns - 2
        let parts = texts.first { CellWidth.of("tasks  " + $0.joined(separator: " - ")) <= room } ?? texts[1]
        var line = StyledText("tasks", .heading)
        for (number, part) in parts.enumerated() {
            let text = (number > 0 ? " \(glyphs.dot) " : "  ") + part
            if line.width + CellWidth.of(text) <= room { line.append(text) }
        }
        canvas.write(line, rect.column + 1, rect.row, width: rect.columns - 2)
        let left = state.timeLeft.isEmpty ? "" : "\(state.timeLeft) left"
        let note = StyledText(state.followsCursor ? "around the cursor" : left, .dim)
        guard line.width + note.width + 4 <= rect.columns else { return }
        canvas.write(note, endingAt: rect.column + rect.columns - 1, rect.row, width: note.width)
    }

    private func draw(_ index: Int, at line: Int, _ canvas: inout Canvas) {
        let (item, text) = (state.list.items[index], state.statusText(of: index))
        canvas.write(text.sign, rect.column + 3, line, width: 1)
        let name = NameText(of: index, in: state.list.items, .file)
            .text(width: columns.name.width, ellipsis: glyphs.ellipsis, matching: { _ in [] })
        canvas.write(name, columns.name.start, line, width: columns.name.width)
        columns.cells.draw(text, at: line, &canvas)
        guard let host = columns.host else { return }
        // With its port; a redacted user stays out.
        let address = AddressParts(item.location).host
        let place = address.isEmpty ? item.place : String(address.split(separator: "@").last ?? address)
        canvas.write(place, host.start, line, width: host.width, .dim, cut: .middle)
    }
}

/// The columns of the rows of tasks and hosts in a pane, dropped from the right.
///
/// The name gets the room that is free.
struct TaskColumns {
    private static let barWidth = 8
    private static let leastName = 15
    private static let nameWidth = 25
    /// The least width of the host, that before the name grows, and the largest.
    private static let hostWidths = (10, 18, 32)
    /// The name's width before that of the host grows.
    private static let longName = 38

    let name: ListColumns.Span
    let cells: FactCells
    /// The host or the folder.
    let host: ListColumns.Span?

    init(_ rect: Rect) {
        let (start, gap) = (rect.column + 5, ListColumns.gap)
        let width = max(0, rect.columns - 6)
        let barRoom = Self.barWidth + 1 + Units.percentWidth + gap
        var room = width - Self.nameWidth - barRoom
        func reserve(_ width: Int) -> Bool {
            guard room >= width + gap else { return false }
            room -= width + gap
            return true
        }
        let hasRate = reserve(Units.rateWidth)
        let hasTime = hasRate && reserve(Units.durationWidth)
        let (least, usual, most) = Self.hostWidths
        let hasHost = hasTime && room >= least + gap
        let hostRoom = max(min(usual, room - gap), room - gap - (Self.longName - Self.nameWidth))
        let hostWidth = hasHost ? min(most, hostRoom) : 0
        // Bytes are told in place of the rate, else in place of the percentage.
        let shareWidth = hasRate ? Units.percentWidth : Units.bytesWidth
        let hasBar = width >= Self.leastName + Self.barWidth + 1 + shareWidth + gap
        // From the right to the left.
        var end = start + width
        func span(_ width: Int, gap: Int, if isThere: Bool = true) -> ListColumns.Span? {
            guard isThere else { return nil }
            defer { end -= width + gap }
            return ListColumns.Span(start: end - width, width: width)
        }
        host = span(hostWidth, gap: gap, if: hasHost)
        let factsEnd = end
        let time = span(Units.durationWidth, gap: gap, if: hasTime)
        let rate = span(Units.rateWidth, gap: gap, if: hasRate)
        let share = span(min(hasBar ? shareWidth : Units.bytesWidth, width), gap: hasBar ? 1 : gap)
        let bar = span(Self.barWidth, gap: gap, if: hasBar)
        let factsStart = end + gap
        name = ListColumns.Span(start: start, width: max(0, end - start))
        let facts = ListColumns.Span(start: factsStart, width: factsEnd - factsStart)
        cells = FactCells(facts: facts, bar: bar, share: share, rate: rate, time: time, gap: hasRate ? gap : 1)
    }
}

/// The hosts in trouble, one line each, above the tasks.
struct HostLines {
    /// The maximum number of lines, so that the tasks keep their room.
    static let limit = 4

    let state: BrowseState
    let columns: TaskColumns
    let rect: Rect
    /// The host under the cursor.
    var chosen: String?

    /// Returns the number of lines, including the empty one below them.
    static func rows(_ state: BrowseState) -> Int {
        let count = min(limit, state.hostBoard.hosts.count)
        return count == 0 ? 0 : count + 1
    }

    func draw(_ canvas: inout Canvas) {
        let (waiting, hosts) = (state.waitingCounts, state.hostBoard.hosts.prefix(Self.limit))
        // Without a column for the number of waiting items it follows the words.
        let longest = hosts.map { CellWidth.of($0.host) }.max() ?? 0
        let words = hosts.map { CellWidth.of($0.words(seconds: 99)) }.max() ?? 0
        let room = max(17, rect.columns - 39, min(24, rect.columns - 1 - words))
        let least = min(columns.name.start + longest + ListColumns.gap, rect.column + room)
        let text = columns.host == nil ? least : columns.cells.facts.start
        for (row, host) in hosts.enumerated() where row < rect.rows {
            let line = rect.row + row
            draw(host, waiting: waiting[host.host] ?? 0, at: line, from: text, &canvas)
            if host.host == chosen { canvas.drawCursor(rect.column, line, width: rect.columns - 1) }
        }
    }

    private func draw(_ host: HostStatus, waiting: Int, at line: Int, from text: Int, _ canvas: inout Canvas) {
        let end = rect.column + rect.columns - 1
        canvas.write(sign(of: host), rect.column + 3, line, width: 1)
        let nameWidth = text - ListColumns.gap - columns.name.start
        canvas.write(host.host, columns.name.start, line, width: nameWidth, cut: .middle)
        let words = host.words(seconds: state.hostBoard.secondsLeft(of: host, at: state.now))
        let style = host.trouble == .givenUp ? Style.failure : .warning
        var next = canvas.write(words, text, line, width: end - text, style)
        if let host = columns.host { next = max(next, host.start - ListColumns.gap) }
        let facts = [
            waiting > 0 ? "\(Units.count(waiting)) waiting" : "",
            "retries \(Units.count(host.retriesUsed))/\(Units.count(host.retriesAllowed))",
        ]
        for fact in facts where !fact.isEmpty && end - next - 2 >= CellWidth.of(fact) {
            next = canvas.write(fact, next + 2, line, width: end - next - 2, .dim)
        }
    }

    private func sign(of host: HostStatus) -> StyledText {
        switch host.trouble {
        case .parked, .failing, .slowed: StyledText(state.glyphs.parked, .warning)
        case .givenUp: StyledText(state.glyphs.failed, .failure)
        case .recovering: StyledText(state.glyphs.retrying, .warning)
        }
    }
}

/// An action of the task panel.
enum TaskAction: Sendable, CaseIterable {
    case down, up, top, bottom
    case show, prioritize, postpone, cancel, retry, retryFailed, pausePrefetch
    case help, close

    /// Returns the action of a key.
    init?(_ key: Key) {
        let name = KeyName.name(key)
        guard let action = Self.allCases.first(where: { $0.traits.keys.contains(name) }) else { return nil }
        self = action
    }

    /// Whether it applies to the task or host under the cursor.
    var isAboutOne: Bool { [.show, .prioritize, .postpone, .cancel, .retry].contains(self) }

    var traits: ActionTraits {
        let (title, keys): (String, [String]) =
            switch self {
            case .down: ("next task", ["j", "down"])
            case .up: ("previous task", ["k", "up"])
            case .top: ("first task", ["home"])
            case .bottom: ("last task", ["G", "end"])
            case .show: ("show its picture", ["enter"])
            case .prioritize: ("download it first", ["+"])
            case .postpone: ("download it last", ["-"])
            case .cancel: ("cancel it", ["x"])
            case .retry: ("try it, or its host, again", ["r"])
            case .retryFailed: ("retry all failed", ["R"])
            case .pausePrefetch: ("pause prefetch", ["p"])
            case .help: ("all keys", ["?", "f1"])
            case .close: ("close the tasks", ["esc", "w", "q"])
            }
        return ActionTraits(.transfers, title, keys, "tasks")
    }
}

/// The cursor of the task panel, on a host or a task; it stays with it while others come and go.
struct TaskCursor: Sendable, Equatable {
    private(set) var viewport = Viewport()
    private var item: Int?
    private var host: String?

    /// Returns its row among tasks: that of its task, or the last known row; 0 if there are none.
    func row(in tasks: [Int]) -> Int {
        let own = item.flatMap { item in tasks.firstIndex(of: item) }
        return max(0, min(own ?? viewport.cursor, tasks.count - 1))
    }

    /// Returns the tasks with its task in the row where it was selected, if the task may stay there.
    func keepingRow(in tasks: [Int], if mayStay: (Int) -> Bool) -> [Int] {
        guard host == nil, let item, mayStay(item), let place = tasks.firstIndex(of: item) else { return tasks }
        var kept = tasks
        kept.remove(at: place)
        kept.insert(item, at: min(viewport.cursor, kept.count))
        return kept
    }

    /// Returns the host under the cursor; nil if it is on a task.
    func host(in hosts: [String]) -> String? { host.flatMap { hosts.contains($0) ? $0 : nil } }

    /// Returns the task under the cursor.
    func chosen(in tasks: [Int]) -> ItemID? { tasks.isEmpty ? nil : ItemID(tasks[row(in: tasks)]) }

    /// Moves over the lines of the hosts, which come first, and those of the tasks.
    mutating func move(by distance: Int, in tasks: [Int], _ hosts: [String], height: Int) {
        let line = host.flatMap { hosts.firstIndex(of: $0) } ?? hosts.count + row(in: tasks)
        let target = max(0, min(line + distance, hosts.count + tasks.count - 1))
        guard target >= hosts.count else {
            host = hosts[target]
            return
        }
        move(to: target - hosts.count, in: tasks, height: height)
    }

    mutating func move(to row: Int, in tasks: [Int], height: Int) {
        host = nil
        viewport.move(to: row, count: tasks.count, height: height)
        item = tasks.isEmpty ? nil : tasks[viewport.cursor]
    }

    mutating func move(to host: String) { self.host = host }

    /// Updates the position of its host or task.
    mutating func update(in tasks: [Int], _ hosts: [String], height: Int) {
        move(by: 0, in: tasks, hosts, height: height)
    }
}
