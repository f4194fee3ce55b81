import AlcedoScreen
import Raster

extension BrowseState {
    /// How long a prefix key waits before its hints appear.
    private static let hintDelay = 300

    /// Whether the hints of a prefix key are shown.
    var showsHints: Bool { firstKey != nil && focus == .list && now >= hintTime }

    /// Milliseconds until the hints of a prefix key appear; nil if none are due.
    var hintInterval: Int? { firstKey == nil || now >= hintTime ? nil : hintTime - now }

    /// Waits for the second key of a stroke; its hints follow.
    mutating func beginStroke(_ key: Key) { (firstKey, hintTime) = (key, now + Self.hintDelay) }

    /// Returns the sheet in a width and in at most so many rows; nil if none is open.
    func sheet(columns: Int, rows: Int) -> Sheet? {
        if focus == .sorting { return sortSheet }
        if case .places(let cursor) = focus {
            return rows > 1 ? placeSheet(cursor, columns: columns, rows: rows) : nil
        }
        if case .messages(let top) = focus { return messageSheet(from: top, columns: columns, rows: rows) }
        if case .files(let question) = focus { return sheet(of: question, columns: columns, rows: rows) }
        if let sheet = completionSheet(columns: columns, rows: rows) { return sheet }
        if case .command(let field) = focus { return folderSheet(field, columns: columns, rows: rows) }
        guard focus == .list, rows > 1 else { return nil }
        if showsHints { return coversPicture ? nil : hintSheet(columns: columns) }
        return showsFaults ? faultSheet(columns: columns, rows: rows - 1) : nil
    }

    /// Whether a sheet would cover the picture, which takes the room of the list: the status line has the hints there.
    var coversPicture: Bool { isFullScreen || !isGrid && !panes.hasList }

    /// The keys that may follow the first one.
    var strokeHints: [HintLine.Hint] {
        guard let firstKey else { return [] }
        return options.keyMap.strokes(after: firstKey).map { HintLine.Hint($0, $1.traits.title, glyphs) }
    }

    /// The keys that may follow the first one, in two columns.
    private func hintSheet(columns: Int) -> Sheet? {
        guard let firstKey else { return nil }
        let width = max(1, (columns - 3) / 2)
        let entries = options.keyMap.strokes(after: firstKey).map { key, action -> StyledText in
            var text = StyledText(KeyName.sign(key, glyphs), .accent)
            text.append(StyledText(action.traits.title), gap: 2)
            return text.truncated(to: width - 2, glyphs)
        }
        let half = (entries.count + 1) / 2
        let rows = (0..<half).map { row -> StyledText in
            var text = StyledText("   ")
            text.append(entries[row])
            guard half + row < entries.count else { return text }
            text.append(String(repeating: " ", count: width - entries[row].width))
            text.append(entries[half + row])
            return text
        }
        return Sheet(title: "\(pendingKeys) \(glyphs.ellipsis)", rows: rows)
    }

    /// Returns the faults of the configuration: the place and the text, and below them the reason.
    private func faultSheet(columns: Int, rows: Int) -> Sheet {
        let parts = options.faults.map { lines(of: $0, columns: columns) }
        var shown: [StyledText] = []
        var rest = parts.count
        for part in parts {
            // The last row counts those without room.
            guard shown.count + part.count + (rest == 1 ? 0 : 1) <= rows else { break }
            shown += part
            rest -= 1
        }
        if rest > 0 {
            shown.append(StyledText("     \(rest) more: alcedo config --check lists all", .dim))
        }
        let places = options.faults.map { "\($0.file):\($0.line ?? 0)" }
        let count = Set(places).count
        let what = count == 1 ? "1 line of the configuration is" : "\(count) lines of the configuration are"
        return Sheet(title: "\(what) not used", rows: shown)
    }

    private func lines(of fault: ConfigurationFault, columns: Int) -> [StyledText] {
        var line = StyledText("   ")
        line.append(StyledText(glyphs.failed, .failure))
        line.append(StyledText(" \(fault.place)", .dim))
        line.append(StyledText(fault.source, .strong), gap: 3)
        let reason = Fitting.wrap(fault.text, to: max(10, columns - 8), limit: 2, ellipsis: glyphs.ellipsis)
        return [line] + reason.map { StyledText("       \($0)") }
    }

    /// The last messages, the latest first, as many as there is room for.
    private func messageSheet(from top: Int, columns: Int, rows: Int) -> Sheet? {
        guard rows > 1 else { return nil }
        let page = messagePage(from: top, columns: columns, rows: rows)
        let isWhole = page.count == messages.count
        let title = isWhole ? "messages" : "messages \(top + page.count)/\(messages.count)"
        return Sheet(title: title, rows: page.flatMap(\.self))
    }

    /// Returns the lines of the messages that fit below a title, at least of one.
    private func messagePage(from top: Int, columns: Int, rows: Int) -> [[StyledText]] {
        var (page, room) = ([[StyledText]](), rows - 1)
        for message in messages.dropFirst(top) {
            let lines = messageLines(message, columns: columns)
            room -= lines.count
            guard page.isEmpty || room >= 0 else { break }
            page.append(lines.map { StyledText("   " + $0, message.style) })
        }
        return page
    }

    private func messageLines(_ message: Notice, columns: Int) -> [String] {
        Fitting.wrap(message.text, to: max(1, columns - 4), limit: 3, ellipsis: glyphs.ellipsis)
    }

    /// Returns the first message of the page that ends before a message.
    private func messagePage(before end: Int) -> Int {
        var (first, room) = (end, max(1, layout.menu.rows - 1))
        while first > 0, room > 0 {
            room -= messageLines(messages[first - 1], columns: layout.menu.columns).count
            if room >= 0 || first == end { first -= 1 }
        }
        return first
    }

    /// Scrolls the messages; other keys close them.
    mutating func scrollMessages(_ key: Key, _ top: Int) {
        let menu = layout.menu
        let shown = messagePage(from: top, columns: menu.columns, rows: menu.rows).count
        let last = messagePage(before: messages.count)
        switch key {
        case .character("j"), .down: focus = .messages(min(last, top + 1))
        case .character("k"), .up: focus = .messages(max(0, top - 1))
        case .pageDown, .control("f"), .character(" "): focus = .messages(min(last, top + shown))
        case .pageUp, .control("b"): focus = .messages(messagePage(before: top))
        default: focus = .list
        }
    }

    /// Shows what is wrong in the configuration.
    mutating func showConfigurationFaults() {
        showsFaults = !options.faults.isEmpty
        if !showsFaults { showNotice("every line of the configuration is used") }
    }
}
