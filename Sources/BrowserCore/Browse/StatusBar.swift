import AlcedoScreen
import Raster

/// The last line: the cursor's place, the caches and transfers, and key hints.
struct StatusBar {
    let state: BrowseState
    let layout: BrowseLayout

    private var glyphs: GlyphSet { state.glyphs }
    private var columns: Int { layout.size.columns }

    func draw(_ canvas: inout Canvas) {
        guard let row = layout.statusRow else { return }
        if let rule = layout.ruleRow, let notice = state.notice,
            canvas.write(notice, inRule: rule, columns: columns, continues: !keepsKeys)
        {
            return
        }
        if case .command(let field) = state.focus { return draw(field, row, &canvas) }
        if state.focus == .filter { return drawFilter(row, &canvas) }
        let facts = shownFacts
        canvas.write(facts, 1, row, width: edge - 1)
        let room = room(beside: facts)
        let notice = notice.map { StyledText($0.text(width: room), $0.style).truncated(to: room, glyphs) }
        let right = notice ?? HintLine(hints, room: room).text
        canvas.write(right, endingAt: edge, row, width: room)
        canvas.write(StyledText(state.pendingKeys, .dim), endingAt: columns - 1, row, width: columns - edge)
    }

    /// Returns the key of the hint at a column; nil if there is none.
    func key(at column: Int) -> Key? {
        guard notice == nil, !isCovered else { return nil }
        let line = HintLine(hints, room: room(beside: shownFacts))
        return line.key(at: column - (edge - line.width))
    }

    /// Whether a text is typed in the line, or it has the keys that answer a question.
    private var keepsKeys: Bool {
        switch state.focus {
        case .command, .filter: true
        default: !layout.menu.isEmpty
        }
    }

    /// Whether a long notice goes on in the line.
    private var isCovered: Bool {
        guard layout.ruleRow != nil, !keepsKeys, let notice = state.notice else { return false }
        return notice.lines(columns: columns, continues: true, glyphs).count > 1
    }

    /// The notice on a screen that has no rule for it.
    private var notice: Notice? { layout.ruleRow == nil ? state.notice : nil }

    /// The end of the right part; the keys of an incomplete command follow it.
    private var edge: Int {
        let pending = CellWidth.of(state.pendingKeys)
        return max(1, columns - 1 - (pending > 0 ? pending + 2 : 0))
    }

    /// As many facts as fit beside the notice or hints; the cursor's place is always included.
    private var shownFacts: StyledText {
        var facts = position
        let isEssential = notice != nil || state.focus != .list || state.duplicates != nil
        let right = notice.map { CellWidth.of($0.text) } ?? HintLine(hints).width
        let least = columns >= 40 ? show + help + quit : quit
        append(statusFacts, to: &facts, beside: isEssential ? right : HintLine(least).width)
        append(usage, to: &facts, beside: right)
        return facts
    }

    private func append(_ more: [StyledText], to facts: inout StyledText, beside right: Int) {
        for fact in more where facts.width + fact.width + 2 <= edge + 1 - right - 4 { facts.append(fact, gap: 2) }
    }

    private func room(beside facts: StyledText) -> Int { max(0, edge - (1 + min(facts.width, edge)) - 2) }

    /// Draws the command line and its completions.
    private func draw(_ command: CommandField, _ row: Int, _ canvas: inout Canvas) {
        let start = canvas.write(":", 1, row, width: 1, .heading)
        // What to press stands first and takes its room from the text: a long path does not cover it.
        let space = max(0, columns - start - 2)
        let pasted = space > 60 ? "Enter once more: it came like pasted text" : "Enter once more"
        let warning = command.waitsForEnter ? StyledText(pasted, .warning) : nil
        let room = warning.map { max(space / 2, space - $0.width - 4) } ?? space
        let text = command.field.text
        let (next, cursor) = canvas.write(
            command.field, start, row, width: room, command.isTaken ? .failure : .plain)
        let word = text.prefix { $0 != " " }
        if cursor >= start + word.count, CellWidth.of(text) < room {
            canvas.write(String(word), start, row, width: room, .accent)
        }
        canvas.showCursor(cursor, row)
        let rest = columns - next - 4
        // The sheet above has the completions, unless there is no room for it.
        let hints = layout.menu.isEmpty ? command.hints(state.options) : []
        let completions = hints.prefix(12).joined(separator: "  ")
        if let summary = warning ?? state.summary(of: command, room: rest), warning != nil || completions.isEmpty {
            if summary.width > rest, let rule = layout.ruleRow, state.notice == nil {
                return drawSummary(of: command, inRule: rule, &canvas)
            }
            canvas.write(summary.truncated(to: rest, glyphs), endingAt: columns - 1, row, width: max(0, rest))
        } else if rest > 8 {
            canvas.write(completions, next + 3, row, width: rest, .dim, cut: .end)
        }
    }

    /// Draws what a command does in the rule above a line that has no room for it.
    private func drawSummary(of command: CommandField, inRule row: Int, _ canvas: inout Canvas) {
        let room = max(0, columns - 6)
        var text = StyledText(" ")
        state.summary(of: command, room: room).map { text.append($0.truncated(to: room, glyphs)) }
        text.append(" ")
        canvas.write(text, 2, row, width: room + 2)
    }

    /// Draws the filter that is typed.
    private func drawFilter(_ row: Int, _ canvas: inout Canvas) {
        let start = canvas.write("/", 1, row, width: 1, .heading)
        let keys = HintLine(hints, room: max(0, columns - start - CellWidth.of(state.filter.text) - 4)).text
        let room = max(0, columns - start - 2 - (keys.width > 0 ? keys.width + 2 : 0))
        canvas.showCursor(canvas.write(state.filter, start, row, width: room, .plain).cursor, row)
        canvas.write(keys, endingAt: columns - 1, row, width: keys.width)
    }

    private var statusFacts: [StyledText] {
        [folders, hidden, cached, failed, transfers, marked, held, pause, lowData, state.zoomFact, state.zoomMap]
            .compactMap { $0 }
    }

    private var position: StyledText {
        let total = Units.count(state.list.count)
        let place = state.list.count == 0 ? "0" : Units.count(state.viewport.cursor + 1)
        return StyledText(Fitting.pad(place, to: total.count, .trailing) + "/" + total)
    }

    private var marked: StyledText? {
        let count = state.list.marks.count
        return count > 0 ? StyledText("\(glyphs.marked) \(Units.count(count))", .accent) : nil
    }

    private var held: StyledText? {
        state.held.map { StyledText("\(Units.count($0.count)) to \($0.areMoved ? "move" : "copy")", .accent) }
    }

    private var folders: StyledText? {
        let count = state.statuses.count(of: .folder)
        return count > 0 ? StyledText("\(glyphs.folder) \(Units.count(count))", .accent) : nil
    }

    private var hidden: StyledText? {
        state.place?.showsHidden == true ? StyledText("with hidden", .accent) : nil
    }

    private var cached: StyledText {
        var text = StyledText(glyphs.inMemory, .ok)
        text.append(" \(Units.count(state.statuses.count(of: .inMemory)))  ")
        text.append(glyphs.onDisk, .dim)
        text.append(" \(Units.count(state.statuses.count(of: .onDisk)))")
        return text
    }

    private var failed: StyledText? {
        let count = state.statuses.count(of: .failed)
        return count > 0 ? StyledText("\(glyphs.failed) \(Units.count(count))", .failure) : nil
    }

    private var transfers: StyledText? {
        let count = state.statuses.count(of: .loading) + state.statuses.count(of: .connecting)
        guard count > 0 else { return nil }
        let rate = Fitting.pad(Units.rate(state.statuses.rate), to: Units.rateWidth)
        return StyledText("\(glyphs.download) \(Units.count(count)) \(glyphs.dot) \(rate)", Style(.bar))
    }

    private var pause: StyledText? { state.isPrefetchPaused ? StyledText("\(glyphs.parked) paused", .warning) : nil }

    private var lowData: StyledText? { state.isLowData ? StyledText("low data", .warning) : nil }

    private var usage: [StyledText] {
        guard let usage = state.usage else { return [] }
        return [
            StyledText("mem \(Units.share(usage.memoryBytes, of: usage.memoryLimit))", .dim),
            StyledText("disk \(Units.share(usage.diskBytes, of: usage.diskLimit))", .dim),
        ]
    }

    /// The hints, the most useful last: the first ones are dropped if there is little room.
    private var hints: [HintLine.Hint] {
        switch state.focus {
        case .list: listHints + (state.duplicates == nil ? help + quit : [])
        case .sorting: [HintLine.Hint("letter", "sort", key: nil), hint(.escape, "leave")]
        case .messages: [hint([.character("j"), .character("k")], "scroll"), hint(.escape, "close")]
        case .places:
            [
                hint(.character("p"), "pin"), HintLine.Hint("1 to 9", "go", key: nil), hint(.enter, "go"),
                hint(.escape, "leave"),
            ]
        case .files(let question): state.hints(of: question)
        case .filter:
            [hint(.character("!"), "not"), hint(.character("|"), "or"), hint(.tab, "complete")]
                + [hint(.enter, "keep"), hint(.escape, "clear")]
        case .help: [hint(.enter, "run"), hint(.escape, "close")]
        case .tasks(let cursor) where cursor.host(in: state.taskHosts) != nil:
            [
                hint(.character("p"), state.isPrefetchPaused ? "resume" : "pause"),
                hint(.character("r"), "ask the host now"), hint(.escape, "close"),
            ]
        case .tasks:
            (state.tasks.isEmpty
                ? []
                : [
                    hint(.character("p"), state.isPrefetchPaused ? "resume" : "pause"),
                    hint(.character("R"), "retry all"), hint(.character("x"), "cancel"),
                    hint(.character("r"), "retry"), hint(.enter, "show"),
                ]) + [hint(.character("?"), "help"), hint(.escape, "close")]
        case .command: []
        case .processors(let menu):
            (menu.step?.isAdjustable == true ? [hint([.left, .right], "value")] : []) + [
                hint(.character("e"), "edit"), hint(.character("0"), "none"), hint(.character(" "), "add, remove"),
                hint(.enter, "keep"), hint(.escape, "back"),
            ]
        }
    }

    private var show: [HintLine.Hint] { hint(.fullScreen, "full") }
    private var help: [HintLine.Hint] { hint(.help, "help") }
    private var quit: [HintLine.Hint] { hint(.quit, "quit") }

    private var listHints: [HintLine.Hint] {
        let pane =
            layout.showsList && layout.showsPreview || state.showsGrid || state.detailsFillBody
            ? [] : hint(.switchPane, "pane")
        if state.showsHints { return state.coversPicture ? state.strokeHints : [hint(.escape, "leave")] }
        if state.showsFaults { return hint(.reloadConfiguration, "read again") + hint(.clearFilter, "close") }
        if let range = state.markedRange {
            return hint(.clearFilter, "no range") + hint(.markRange, "mark \(Units.count(range.count))")
        }
        if !state.zoom.isFit {
            return hint(BrowseState.panKeys, "move") + hint(.zoomIn, "in") + hint(.zoomOut, "out")
                + hint(.zoomFit, "fit")
        }
        if state.duplicates != nil {
            let marks: [HintLine.Hint] = hint(.markAllButFirst, "all but first") + hint(.mark, "mark")
            let groups: [HintLine.Hint] = show + hint([.nextMatch, .previousMatch], "groups")
            return marks + groups + hint(.markAllButLargest, "all but largest") + hint(.compare, "compare") + help
                + hint(.clearFilter, "close")
        }
        if state.isFolderSelected { return folderHints }
        if state.list.count == 0, !state.list.isFiltered, state.skippedLines != nil, state.place != nil {
            return hint(.places, "places") + hint(.panLeft, "back")
        }
        let moves = hint(state.showsGrid ? BrowseState.panKeys : [.down, .up], "move")
        let filter = state.list.isFiltered ? hint(.clearFilter, "show all") : hint(.filter, "filter")
        let sizes = state.showsGrid ? [hint([.character("-"), .character("+")], "size")] : []
        return moves + hint(.mark, "mark") + motion + sizes + filter + pane + (state.isGrid ? hint(.grid, "list") : [])
            + (state.detailsScroll ? [hint([.character("J"), .character("K")], "scroll")] : [])
            + show + (state.showsInfo ? hint(.info, "close") : [])
    }

    private var folderHints: [HintLine.Hint] {
        let filter = hint(.filter, "filter")
        guard state.showsGrid else {
            let places: [HintLine.Hint] = hint([.down, .up], "move") + hint(.flat, "flat") + hint(.places, "places")
            return places + hint(.panRight, "open") + hint(.panLeft, "back") + filter
        }
        let moves: [HintLine.Hint] = hint(BrowseState.panKeys, "move") + hint(.parentFolder, "back")
        return moves + hint(.grid, "list") + filter + hint(.fullScreen, "open")
    }

    /// The hints for an animation or a document.
    private var motion: [HintLine.Hint] {
        if let pages = state.slot.picture?.pages, pages > 1 { return hint([.previousFrame, .nextFrame], "page") }
        guard state.slot.picture?.frameInterval != nil else { return [] }
        return state.isMotionPaused
            ? hint(.pauseAnimation, "play") + hint(.nextFrame, "next frame") : hint(.pauseAnimation, "pause")
    }

    /// Returns a hint for several keys, which a click does not press.
    private func hint(_ keys: [Key], _ title: String) -> HintLine.Hint {
        HintLine.Hint(keys.map { KeyName.sign($0, glyphs) }.joined(separator: " "), title, key: nil)
    }

    private func hint(_ key: Key, _ title: String) -> HintLine.Hint { HintLine.Hint(key, title, glyphs) }

    private func hint(_ action: BrowseAction, _ title: String) -> [HintLine.Hint] { hint([action], title) }

    private func hint(_ actions: [BrowseAction], _ title: String) -> [HintLine.Hint] {
        state.hint(actions, title).map { [$0] } ?? []
    }
}

extension BrowseState {
    static let panKeys = [BrowseAction.panLeft, .down, .up, .panRight]

    /// The zoom; a spinner in its place until the picture is drawn at it.
    var zoomFact: StyledText? {
        let spinner = "zoom \(glyphs.spin(at: now))"
        return zoomText.map { StyledText(slot.isLoading ? Fitting.pad(spinner, to: $0.count) : $0, .accent) }
    }

    /// The size of an original pixel in a picture that fits, such as `fit 55 %`; nil for a zoomed one.
    var fitText: String? {
        guard zoom.isFit, comparison != nil || !isFolderSelected, let picture = fittingPicture,
            picture.originalSize.width > 0
        else { return nil }
        return "fit \(PictureText.percent(zoom.scale(of: picture)))"
    }

    /// Where the visible part lies in a zoomed picture.
    var zoomMap: StyledText? { zoomText == nil ? nil : zoom.region(in: pictureBox)?.map(glyphs) }

    /// Returns a hint for actions with their current keys; nil if one of them has none.
    ///
    /// A click presses the key of a single action.
    func hint(_ actions: [BrowseAction], _ title: String) -> HintLine.Hint? {
        let keys = actions.compactMap { options.keyMap.firstKey(of: $0) }
        guard keys.count == actions.count else { return nil }
        let signs = keys.map { KeyName.sign($0, glyphs) }.joined(separator: " ")
        return HintLine.Hint(signs, title, key: keys.count == 1 ? keys[0] : nil)
    }
}
