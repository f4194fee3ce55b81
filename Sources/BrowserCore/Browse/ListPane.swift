import AlcedoFilters
import AlcedoScreen
import Raster

/// The list: a header, then one line per item in fixed columns.
struct ListPane {
    let state: BrowseState
    let layout: BrowseLayout
    private let columns: ListColumns
    private let matcher: PictureFilter.Matcher

    init(state: BrowseState, layout: BrowseLayout) {
        self.state = state
        self.layout = layout
        let hasPlaces = state.names == .file && state.list.items.hasPlaces
        matcher = state.list.filter.matcher()
        columns = ListColumns(
            width: layout.listColumns, hasPlaces: hasPlaces, hasDates: state.list.items.beginWithFiles)
    }

    private var glyphs: GlyphSet { state.glyphs }

    func draw(_ canvas: inout Canvas) {
        if layout.headerRows > 0 { ListHeader(state: state, width: layout.listColumns).draw(&canvas) }
        let visible = state.viewport.visible(count: state.list.count, height: layout.list.rows)
        for row in visible { draw(row, at: layout.list.row + row - visible.lowerBound, &canvas) }
        if visible.isEmpty { drawEmpty(in: layout.list, &canvas) }
    }

    /// Draws a message in an empty list, once all items are known and filtered.
    func drawEmpty(in area: Rect, _ canvas: inout Canvas) {
        guard state.skippedLines != nil || state.list.isFiltered, !state.list.isFiltering else { return }
        let problem = state.list.isFiltered ? nil : state.listProblem
        let width = max(1, area.columns - 2)
        let above = "h goes to the folder above"
        let parts = problem.map { state.place == nil ? [$0] : [$0, above] } ?? emptyTexts(width: width)
        // The parts share a row if there is room.
        let whole = parts.joined(separator: " \(glyphs.dot) ")
        let texts = CellWidth.of(whole) <= width ? [whole] : parts
        let lines = texts.flatMap { Fitting.wrap($0, to: width, limit: 4, ellipsis: glyphs.ellipsis) }
        for (index, line) in lines.prefix(max(1, area.rows * 2 / 3)).enumerated() {
            let text = StyledText(line, problem == nil ? .dim : .failure)
            canvas.write(text, centeredIn: area, area.row + area.rows / 3 + index)
        }
    }

    /// Returns what an empty list says, and which key leads out of it.
    private func emptyTexts(width: Int) -> [String] {
        let room = max(8, width - 16)
        if state.list.isFiltered {
            let term = Fitting.truncateMiddle(state.filter.text, to: min(24, room), ellipsis: glyphs.ellipsis)
            return ["nothing matches \(term)", "Esc shows all"]
        }
        guard let place = state.place else { return ["no pictures here"] }
        let path = Fitting.truncateMiddle(place.path, to: room, ellipsis: glyphs.ellipsis)
        if state.isFolderGone { return ["\(path) is gone", "h goes to the folder above"] }
        return ["no pictures in \(path)", "h goes back"]
    }

    private func draw(_ row: Int, at line: Int, _ canvas: inout Canvas) {
        let index = state.list.index(at: row)
        let text = state.statusText(of: index)
        let isInRange = state.markedRange?.contains(row) == true
        let isMarked = isInRange || state.list.marks.contains(index)
        if isMarked { canvas.write(glyphs.marked, ListColumns.mark, line, width: 1, .accent) }
        canvas.write(text.sign, columns.sign, line, width: 1)
        let name = text.hasFacts ? columns.name : columns.longName
        let shown = NameText(of: index, in: state.list.items, state.names).text(
            width: name.width, ellipsis: glyphs.ellipsis, matching: matcher)
        canvas.write(shown, name.start, line, width: name.width)
        let facts = factsSpan(of: text, after: name.start + shown.width)
        drawTraits(index, at: line, before: facts.start, &canvas)
        if text.hasFacts || !columns.hidesSizes { columns.cells(for: facts).draw(text, at: line, &canvas) }
        if row == state.viewport.cursor, state.hasPopup {
            // A panel has the cursor.
            canvas.write(glyphs.selected, ListColumns.selected, line, width: 1, .dim)
        } else if row == state.viewport.cursor {
            canvas.drawCursor(ListColumns.selected, line, width: columns.edge + 1)
        } else if isInRange {
            canvas.select(ListColumns.mark, line, width: columns.edge)
        } else if isMarked {
            canvas.tint(ListColumns.mark, line, width: columns.edge)
        }
    }

    /// Returns the cells of a row's facts; a reason that does not fit them grows to the left, up to the name.
    ///
    /// A wait that ends by itself stays in its column, in a shorter form.
    private func factsSpan(of text: StatusText, after name: Int) -> ListColumns.Span {
        let facts = columns.facts
        guard facts.width > 0, text.hasReason else { return facts }
        let room = facts.end - name - ListColumns.gap
        let delay = text.delay(width: room).map { max(4, $0.width) + ListColumns.gap } ?? 0
        guard delay == 0 || facts.width - delay < 8 else { return facts }
        let wanted = text.fact(width: room - delay).width + delay
        guard wanted > facts.width, wanted <= room else { return facts }
        return ListColumns.Span(start: facts.end - wanted, width: wanted)
    }

    /// Draws the columns that only a wide list has, as far as they end before a reason.
    private func drawTraits(_ index: Int, at line: Int, before end: Int, _ canvas: inout Canvas) {
        if let span = columns.place, span.end < end {
            let place = Fitting.truncateMiddle(
                state.list.items.place(at: index), to: span.width, ellipsis: glyphs.ellipsis)
            let text = NameText.text(place, .dim, matching: matcher)
            canvas.write(text, span.start, line, width: span.width)
        }
        if let span = columns.date, span.end < end, let seconds = state.list.dates[index] {
            canvas.write(Units.day(seconds), span.start, line, width: span.width, .dim)
        }
        if let span = columns.dimensions, span.end < end, let size = state.list.facts[index].size {
            let text = StyledText("\(size.width)\(glyphs.times)\(size.height)", .dim)
            canvas.write(text, endingAt: span.end, line, width: span.width)
        }
        if let span = columns.type, span.end < end,
            let format = state.list.facts[index].format?.rawValue
        {
            let sign = state.list.facts[index].isMoving ? " \(glyphs.moving)" : ""
            canvas.write(format + sign, span.start, line, width: span.width, .dim)
        }
    }
}

/// The columns of a list's rows; they depend only on the width, so that they stay aligned while values change.
struct ListColumns: Equatable {
    /// A range of cells in a row.
    struct Span: Equatable {
        let start: Int
        let width: Int

        var end: Int { start + width }
    }

    static let selected = 0
    static let mark = 1
    static let gap = 2
    private static let barWidth = 8
    /// The width of `10000×10000`.
    private static let dimensionsWidth = 11
    /// The width of `JPEG` with the sign of an animation.
    private static let typeWidth = 6
    /// The width of `2026-07-14`.
    private static let dateWidth = 10

    /// The column of the status sign.
    let sign: Int
    /// The end of the facts at the right.
    let edge: Int
    let name: Span
    /// The host or the folder.
    private(set) var place: Span?
    private(set) var type: Span?
    private(set) var dimensions: Span?
    /// When the picture was taken, else when its file was changed.
    private(set) var date: Span?
    /// A transfer's bar, percentage and rate, or a reason across all of them; the last cells hold a size.
    let facts: Span
    let bar: Span?
    let share: Span?
    let rate: Span?

    /// Creates the columns of a list.
    ///
    /// - Parameters:
    ///   - hasPlaces: whether the rows come from several hosts or folders.
    ///   - hasDates: whether the rows are files.
    init(width: Int, hasPlaces: Bool, hasDates: Bool = false) {
        sign = Self.mark + 2
        edge = width - (width >= 40 ? 2 : 1)
        let start = sign + 2
        let room = max(0, edge - start)
        let shareWidth = room >= 41 ? Units.percentWidth : Units.bytesWidth
        rate = room >= 41 ? Span(start: edge - Units.rateWidth, width: Units.rateWidth) : nil
        let shareEnd = rate.map { $0.start - Self.gap } ?? edge
        share = room >= 20 ? Span(start: shareEnd - shareWidth, width: shareWidth) : nil
        bar = share.flatMap { share in
            room >= 29 ? Span(start: share.start - 1 - Self.barWidth, width: Self.barWidth) : nil
        }
        let factsStart = (bar ?? share)?.start ?? edge
        facts = Span(start: factsStart, width: edge - factsStart)
        let end = factsStart < edge ? factsStart - Self.gap : edge
        var nameWidth = max(0, end - start)
        let widths = [Self.typeWidth, Self.dimensionsWidth] + (hasDates ? [Self.dateWidth] : [])
        let traits = widths.filter { Self.reserve($0, of: &nameWidth) }
        if hasPlaces, nameWidth >= 36 {
            let width = min(28, max(12, nameWidth - Self.gap - 24))
            nameWidth -= width + Self.gap
            place = Span(start: start + nameWidth + Self.gap, width: width)
        }
        name = Span(start: start, width: nameWidth)
        var next = (place ?? name).end + Self.gap
        for (width, column) in zip(traits, [\Self.type, \Self.dimensions, \Self.date]) {
            self[keyPath: column] = Span(start: next, width: width)
            next += width + Self.gap
        }
    }

    /// Returns the cells of a row's facts, of which the reason may have more.
    func cells(for facts: Span) -> FactCells {
        FactCells(facts: facts, bar: bar, share: share, rate: rate, gap: rate == nil ? 1 : 2)
    }

    /// The least width of names beside sizes.
    private static let leastName = 21

    /// Whether sizes give their room to names.
    var hidesSizes: Bool { name.width < Self.leastName && facts.width > 0 }

    /// The room for a name in a row that shows only a size.
    var longName: Span {
        if hidesSizes { return Span(start: name.start, width: max(0, edge - name.start)) }
        guard place == nil, type == nil, facts.width > Units.bytesWidth else { return name }
        return Span(start: name.start, width: max(0, edge - Units.bytesWidth - Self.gap - name.start))
    }

    /// Reserves a column if the name keeps 24 cells.
    ///
    /// - Returns: false if there is no room.
    private static func reserve(_ width: Int, of room: inout Int) -> Bool {
        guard room - width - gap >= 24 else { return false }
        room -= width + gap
        return true
    }
}

/// The cells of a row that tell its state: a transfer's bar, percentage, rate and time left, or a reason across them.
struct FactCells {
    typealias Span = ListColumns.Span

    var facts: Span
    var bar: Span?
    var share: Span?
    var rate: Span?
    var time: Span?
    /// The least cells between a reason and its time.
    var gap = 2

    func draw(_ text: StatusText, at line: Int, _ canvas: inout Canvas) {
        guard facts.width > 0 else { return }
        switch text.status {
        case .loading(let received, let total, let rate, _): draw(received, total, rate, text, line, &canvas)
        case .onDisk, .inMemory, .folder:
            canvas.write(text.fact(width: facts.width), endingAt: facts.end, line, width: facts.width)
        case .waiting, .connecting, .retrying, .parked, .failed, .duplicate, .gone:
            let delay = text.delay(width: facts.width) ?? StyledText()
            let room = facts.width - (delay.width > 0 ? max(4, delay.width) + gap : 0)
            if room > 2 { canvas.write(text.fact(width: room), facts.start, line, width: room) }
            canvas.write(delay, endingAt: facts.end, line, width: facts.width)
        }
    }

    /// Draws a transfer; the received bytes instead of the percentage if the length is unknown.
    private func draw(
        _ received: Int, _ total: Int?, _ rate: Int?, _ text: StatusText, _ line: Int, _ canvas: inout Canvas
    ) {
        if let bar { canvas.write(text.field(width: bar.width), bar.start, line, width: bar.width) }
        let percent = total.map { Units.percent(received, of: $0) }
        let amount = self.rate == nil || percent == nil ? Units.bytes(received) : nil
        if let share, let text = self.rate == nil ? percent ?? amount : percent {
            canvas.write(StyledText(text), endingAt: share.end, line, width: share.width)
        }
        if let span = self.rate, let text = percent == nil ? amount : rate.map({ Units.rate($0) }) {
            canvas.write(StyledText(text, .dim), endingAt: span.end, line, width: span.width)
        }
        if let time, let left = text.timeLeft {
            canvas.write(StyledText(left, .dim), endingAt: time.end, line, width: time.width)
        }
    }
}

/// The header of the list: its title and prefetch progress, or the filter.
struct ListHeader {
    private static let longBar = 8
    private static let shortBar = 5
    /// The cells that the title keeps.
    private static let titleWidth = 10

    let state: BrowseState
    let width: Int
    /// The columns of thumbnails; nil in the list.
    var gridColumns: Int?

    private var glyphs: GlyphSet { state.glyphs }
    /// The end of the facts at the right.
    private var edge: Int { width - (width >= 40 ? 2 : 1) }

    func draw(_ canvas: inout Canvas) {
        if let groups = state.duplicates { return drawGroup(groups, &canvas) }
        if state.awaitsDuplicates, state.inspection != nil {
            let start = canvas.write("duplicates", 1, 0, width: width - 1, .heading) + 2
            canvas.write(reading(room: edge - start), start, 0, width: edge - start)
            return
        }
        if state.focus == .filter || state.list.isFiltered { return drawFilter(&canvas) }
        let start = canvas.write("alcedo", 1, 0, width: width - 1, .heading) + 2
        let least = min(CellWidth.of(state.title), Self.titleWidth)
        var right = progress(room: edge - start - least - 2)
        if edge - start - least - 2 >= right.width + CellWidth.of(note) + 2 {
            right = joined(StyledText(note, .dim), right)
        }
        let room = edge - start - (right.width > 0 ? right.width + 2 : 0)
        canvas.write(state.title, start, 0, width: room, cut: .middle)
        canvas.write(right, endingAt: edge, 0, width: edge - start)
    }

    private func drawGroup(_ groups: DuplicateGroups, _ canvas: inout Canvas) {
        var number = StyledText("group \(Units.count(groups.current + 1)) of \(Units.count(groups.all.count))", .dim)
        number = joined(reading(room: edge - CellWidth.of(groups.title) - number.width - 18), number)
        let start = canvas.write("duplicates", 1, 0, width: width - 1, .heading) + 2
        let isWhole = state.list.count == groups.items.count
        let title = isWhole ? groups.title : "\(groups.title), \(Units.count(state.list.count)) left"
        canvas.write(title, start, 0, width: max(0, edge - number.width - 2 - start))
        canvas.write(number, endingAt: edge, 0, width: max(0, edge - start))
    }

    private func joined(_ one: StyledText, _ other: StyledText) -> StyledText {
        var text = one
        if other.width > 0 { text.append(other, gap: 2) }
        return text
    }

    /// The sort order, the number of skipped lines and the progress of reading.
    private var note: String {
        let count = state.skippedLines == nil ? "reading\(glyphs.ellipsis) \(Units.count(state.list.count))" : ""
        let skipped = state.skippedLines.flatMap { $0 > 0 ? "\(Units.count($0)) skipped" : nil } ?? ""
        let order = state.list.order == .list ? "" : "by \(state.orderText)"
        let columns = gridColumns.map { "\($0) columns" } ?? ""
        let flat = state.place?.isFlat == true ? "flat" : ""
        return [columns, flat, order, skipped, count].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// Returns `163/200 ━━━━━━╸─  12 s`, or less of it if there is little room.
    private func progress(room: Int) -> StyledText {
        guard state.progress.isShown else { return StyledText() }
        // Of a long list only the window around the cursor is under way.
        let ahead = state.followsCursor ? state.prefetch.order.count : nil
        let total = ahead ?? state.list.existingCount
        let done = ahead.map { $0 - state.pendingOrder } ?? total - state.pendingItems
        let number = Units.count(total)
        let place = "\(Fitting.pad(Units.count(done), to: number.count, .trailing))/\(number)"
        return progress(ahead == nil ? place : "ahead \(place)", done, of: total, state.timeLeft, room: room)
    }

    /// Returns how many pictures are read of those that duplicates are looked for among; empty if none is read.
    private func reading(room: Int) -> StyledText {
        guard state.awaitsDuplicates, let inspection = state.inspection else { return StyledText() }
        let total = Units.count(inspection.total)
        let done = Fitting.pad(Units.count(inspection.done), to: total.count, .trailing)
        let time = inspection.secondsLeft.map { Units.duration(seconds: $0) } ?? ""
        return progress("reading \(done) of \(total)", inspection.done, of: inspection.total, time, room: room)
    }

    /// Returns a count, a bar and the time left, or the first of these that fit.
    private func progress(_ count: String, _ done: Int, of total: Int, _ timeLeft: String, room: Int) -> StyledText {
        let time = Fitting.pad(timeLeft, to: Units.durationWidth, .trailing)
        let choices = [(Self.longBar, time), (Self.shortBar, time), (Self.shortBar, ""), (0, "")]
        let texts = choices.map { bar, time in
            var text = StyledText(count)
            let thin = ProgressBar.thin(done, of: total, at: state.now, width: bar, glyphs: glyphs)
            if bar > 0 { text.append(thin, gap: 1) }
            text.append(time.isEmpty ? "" : " " + time, .dim)
            return text
        }
        return texts.first { $0.width <= room } ?? StyledText()
    }

    private func drawFilter(_ canvas: inout Canvas) {
        let found = Units.count(state.list.count) + (state.list.isFiltering ? glyphs.ellipsis : "")
        let count = StyledText("\(found) of \(Units.count(state.list.existingCount))", .dim)
        guard state.focus != .filter else {
            let start = canvas.write("alcedo", 1, 0, width: width - 1, .heading) + 2
            canvas.write(state.title, start, 0, width: edge - start - count.width - 2, cut: .middle)
            return canvas.write(count, endingAt: edge, 0, width: count.width)
        }
        let room = max(0, edge - 5 - count.width)
        let start = canvas.write("/", 1, 0, width: 1, .heading) + 1
        let excess = CellWidth.of(state.filter.text) - room
        let shown = excess > 0 ? Fitting.suffix(state.filter.text, to: room) : state.filter.text
        let next = canvas.write(shown, start, 0, width: room, .accent)
        canvas.write(count, endingAt: edge, 0, width: edge - next - 1)
    }
}

/// The prefetch progress of the whole list and its remaining time, shown while items load.
struct ListProgress: Sendable, Equatable {
    /// The time before progress is shown, and the time it stays after the end, in milliseconds.
    private static let delay = 300
    private static let linger = 1000
    /// The minimum time to measure a rate.
    private static let measured = 2000

    private var meter = RateMeter()
    /// When the work began; nil if there is none.
    private(set) var start: Int?
    private var lastWork = 0
    var timeLeft = TimeLeft()

    /// Updates the number of finished items.
    mutating func update(done: Int, isWorking: Bool, at now: Int) {
        guard isWorking else {
            if let start, now - lastWork >= Self.linger || lastWork - start < Self.delay { self = ListProgress() }
            return
        }
        if start == nil { start = now }
        lastWork = now
        meter.add(RateMeter.Sample(milliseconds: now, bytes: 0, items: done))
    }

    /// Whether time alone changes the display although nothing is loading.
    var isEnding: Bool { start != nil }

    var isShown: Bool { start.map { lastWork - $0 >= Self.delay } ?? false }

    /// The items per second; nil unless items are under way.
    var itemsPerSecond: Double? { start == nil ? nil : meter.items }

    /// Returns the seconds until `pending` items are done, at the rate of the last 15 seconds.
    ///
    /// Nil if it is unknown or less than one second, because the last transfers may take much longer than the average.
    func secondsLeft(for pending: Int) -> Int? {
        guard let start, lastWork - start >= Self.measured, let rate = meter.items, rate > 0 else { return nil }
        let seconds = Double(pending) / rate
        return seconds < 1 ? nil : Int(min(1e9, seconds.rounded(.up)))
    }
}

extension BrowseState {
    /// The number of items that are still to be loaded.
    var pendingItems: Int { statuses.pendingCount - skippedCount }

    /// The time until all is prefetched; empty if it is unknown.
    var timeLeft: String {
        guard estimate != nil, let seconds = progress.timeLeft.seconds(at: now) else { return "" }
        return Units.duration(seconds: seconds)
    }

    /// The seconds until all missing bytes have arrived at the present rate and what waits may go on; nil if they are unknown.
    private var estimate: Double? {
        guard !followsCursor, !isPrefetchPaused, !isLowData, skippedLines != nil, let start = progress.start,
            let rate = throughput.rate(since: start, at: now), rate > 0,
            let missing = statuses.missingBytes(of: pendingItems)
        else { return nil }
        return max(missing / rate, Double(statuses.longestWait(at: now)))
    }

    /// The number of items of the last prefetch order that are still to be loaded.
    var pendingOrder: Int { prefetch.order.count { !statuses.kind(of: $0.rawValue).isDone } }

    mutating func updateProgress() {
        let isWorking = statuses.hasActive
        guard options.prefetches, isWorking || progress.isEnding else { return }
        progress.update(done: list.existingCount - pendingItems, isWorking: isWorking, at: now)
        progress.timeLeft.update(estimate, at: now)
    }
}
