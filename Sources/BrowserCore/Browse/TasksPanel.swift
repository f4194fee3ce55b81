import AlcedoScreen
import Raster

/// The running and failed items, one line each, below the times of the chosen one.
struct TasksPanel {
    let state: BrowseState
    let cursor: TaskCursor
    let rect: Rect

    private var glyphs: GlyphSet { state.glyphs }
    private var fieldWidth: Int { rect.columns >= 60 ? 14 : 6 }

    /// Returns the number of rows for tasks.
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
            guard host == nil, row == viewport.cursor else { continue }
            canvas.drawCursor(rect.column + 1, line, width: rect.columns - 2)
        }
        if host == nil, let chosen = cursor.chosen(in: tasks), let times = state.statusText(of: chosen.rawValue).times {
            canvas.write(times.text, rect.column + 3, rect.row + 1, width: rect.columns - 4, .dim)
        }
        if tasks.isEmpty { canvas.write("nothing under way", rect.column + 3, top, width: 30, .dim) }
    }

    private var host: String? { cursor.host(in: state.taskHosts) }

    /// Returns the host whose line is at a position on the screen.
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

    /// Returns the row of the task at a position on the screen.
    func task(at place: Position) -> Int? {
        let tasks = state.tasks
        let visible = viewport(of: tasks).visible(count: tasks.count, height: height)
        let row = visible.lowerBound + place.row - top
        return rect.contains(place) && visible.contains(row) ? row : nil
    }

    private func drawHeader(_ canvas: inout Canvas) {
        let count = { (kinds: [StatusTable.Kind]) in kinds.reduce(0) { $0 + state.statuses.count(of: $1) } }
        let skipped = state.skippedCount
        let counts = [
            (count([.loading, .connecting]), "running"), (count([.waiting, .parked, .retrying]) - skipped, "waiting"),
            (count([.failed]), "failed"),
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
        canvas.write(item.name, nameStart, line, width: nameWidth, cut: .middle)
        let factStart = nameStart + nameWidth + 2
        let next = canvas.write(text.fact(width: end - factStart), factStart, line, width: end - factStart)
        guard end - next >= 13, text.isWide else { return }
        canvas.write(item.place, next + 3, line, width: end - next - 3, .dim, cut: .middle)
    }

    /// Returns the width of the name: on a narrow screen an amount leaves it the rest, and a reason half.
    private func nameWidth(in room: Int, beside kind: StatusTable.Kind) -> Int {
        guard room < 36 else { return min(30, room * 2 / 5) }
        let isReason = kind == .failed || kind == .retrying || kind == .parked
        return max(0, isReason ? room / 2 : room - 12)
    }
}

/// The hosts in trouble, one line each, above the tasks.
struct HostLines {
    /// The maximum number of lines, so that the tasks keep their room.
    static let limit = 4

    let state: BrowseState
    let rect: Rect
    /// The host under the cursor.
    var chosen: String?

    /// Returns the number of lines, including the empty one below them.
    static func rows(_ state: BrowseState) -> Int {
        let count = min(limit, state.hostBoard.hosts.count)
        return count == 0 ? 0 : count + 1
    }

    func draw(_ canvas: inout Canvas) {
        let hosts = state.hostBoard.hosts.prefix(Self.limit)
        let longest = hosts.map { CellWidth.of($0.host) }.max() ?? 0
        let waiting = state.waitingCounts
        for (row, host) in hosts.enumerated() where row < rect.rows {
            let line = rect.row + row
            // The status and the number of waiting items follow the name.
            let width = min(longest, 30, max(rect.columns / 4, rect.columns - 46))
            draw(host, waiting: waiting[host.host] ?? 0, at: line, nameWidth: width, &canvas)
            if host.host == chosen { canvas.drawCursor(rect.column + 1, line, width: rect.columns - 2) }
        }
    }

    private func draw(
        _ host: HostStatus, waiting: Int, at line: Int, nameWidth: Int, _ canvas: inout Canvas
    ) {
        let end = rect.column + rect.columns - 1
        let start = canvas.write(sign(of: host), rect.column + 3, line, width: 2) + 1
        canvas.write(host.host, start, line, width: nameWidth, cut: .middle)
        let text = start + nameWidth + 2
        var next = canvas.write(words(for: host), text, line, width: end - text, style(of: host))
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

    private func style(of host: HostStatus) -> Style { host.trouble == .givenUp ? .failure : .warning }

    private func words(for host: HostStatus) -> String {
        host.words(seconds: state.hostBoard.secondsLeft(of: host, at: state.now))
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
