import AlcedoScreen
import Raster

/// The comparison of two pictures that fills the screen.
struct Comparison: Sendable, Equatable {
    let first: ItemID
    let second: ItemID
    var view = PictureComparison.View.beside
    var facts: ComparisonFacts?
    /// The number of pictures that have been read.
    var read = 0
    /// The item under the cursor; the comparison ends when the cursor moves.
    let cursor: ItemID?
    let wasFullScreen: Bool
}

extension BrowseState {
    /// Shows a view of a comparison, which begins if there is none; ends it if it has that view already.
    mutating func compare(_ view: PictureComparison.View) {
        guard let shown = comparison?.view else { return beginComparison(view) }
        if shown == view, view == .beside { return endComparison() }
        comparison?.view = shown == view ? .beside : view
    }

    /// Ends the comparison and returns to the view before it.
    mutating func endComparison() {
        guard let comparison else { return }
        self.comparison = nil
        zoom = .fit
        isFullScreen = comparison.wasFullScreen
    }

    /// Performs an action on the comparison.
    ///
    /// - Returns: false if the action has no meaning there; the comparison ends unless the action leaves it as it is.
    mutating func performOnComparison(_ action: BrowseAction, times count: Int) -> Bool {
        guard let comparison else { return false }
        switch action {
        case .cancel: self.comparison?.view = comparison.view == .first ? .second : .first
        case .fullScreen: endComparison()
        case .clearFilter where zoom.isFit: endComparison()
        case .nextMatch where duplicates != nil: compareGroup(count)
        case .previousMatch where duplicates != nil: compareGroup(-count)
        case .down, .up, .panLeft, .panRight:
            if zoom.isFit { showQuietNotice("both pictures are shown whole") } else { pan(action) }
        case .compare, .difference, .clearFilter, .zoomIn, .zoomOut, .zoomFit, .zoomActual, .help, .command, .redraw,
            .suspend, .quit, .reloadConfiguration, .pauseAnimation:
            return false
        default:
            endComparison()
            return false
        }
        return true
    }

    private mutating func beginComparison(_ view: PictureComparison.View) {
        guard let (first, second) = comparedItems else {
            let count = list.marks.count
            return showNotice(
                count > 2 ? "only two can be compared; \(count) are marked" : "mark another picture with Space first")
        }
        comparison = Comparison(
            first: ItemID(first), second: ItemID(second), view: view, cursor: selected,
            wasFullScreen: isFullScreen)
        zoom = .fit
        (rangeStart, slideEnd) = (nil, nil)
        isFullScreen = true
    }

    /// The two marked pictures, else the marked and the selected one; of a group of duplicates, the first and the
    /// selected one.
    var comparedItems: (Int, Int)? {
        if let items = duplicates?.items, items.count > 1 {
            return (items[0], selection.flatMap { $0 == items[0] ? nil : $0 } ?? items[1])
        }
        let marks = list.marks
        if marks.count == 2 { return (marks.min() ?? 0, marks.max() ?? 0) }
        guard marks.count == 1, let mark = marks.first, let selection, mark != selection else { return nil }
        return (mark, selection)
    }

    /// Compares the first two pictures of another group.
    private mutating func compareGroup(_ step: Int) {
        guard let comparison else { return }
        showGroup(step)
        guard let items = duplicates?.items, items.count > 1 else { return }
        self.comparison = Comparison(
            first: ItemID(items[0]), second: ItemID(items[1]), view: comparison.view, cursor: selected,
            wasFullScreen: comparison.wasFullScreen)
        zoom = .fit
    }

    /// The comparison for the slot.
    var comparedPictures: PictureComparison? {
        comparison.map {
            PictureComparison(first: $0.first, second: $0.second, view: $0.view, part: pictureBox)
        }
    }

    mutating func receive(_ facts: ComparisonFacts) {
        if comparison?.first == facts.first, comparison?.second == facts.second { comparison?.facts = facts }
    }
}

/// The rows of a comparison.
struct ComparisonRows {
    /// The width below which A stands above B.
    private static let besideColumns = 80
    /// The height from which there are a header, a rule and captions of two rows.
    private static let ampleRows = 12

    let header: Int?
    /// The first row of the pictures and their number.
    let pictures: (top: Int, count: Int)
    /// The rows of the captions below the pictures.
    let captions: Range<Int>
    let rule: Int?
    let status: Int?
    let isStacked: Bool

    init(_ size: GridSize) {
        let isAmple = size.rows >= Self.ampleRows
        isStacked = size.columns < Self.besideColumns && isAmple
        status = size.rows > 1 ? size.rows - 1 : nil
        rule = isAmple ? size.rows - 2 : nil
        header = isAmple ? 0 : nil
        let end = rule ?? status ?? size.rows
        captions = end - (isAmple ? 2 : end > 1 ? 1 : 0)..<end
        let top = isAmple ? 1 : 0
        pictures = (top, captions.lowerBound - top)
    }

    /// Returns the area of one of two pictures that are shown at once, in the area of both.
    func part(of area: Rect) -> Rect {
        var part = area
        if isStacked {
            part.rows = max(1, area.rows / 2)
        } else {
            part.columns = BrowseLayout.halves(of: area.columns).left
        }
        return part
    }
}

/// The text of a comparison: a header with the numbers, captions, and the keys.
struct ComparisonText {
    let state: BrowseState
    let layout: BrowseLayout

    func draw(_ canvas: inout Canvas) {
        guard let comparison = state.comparison else { return }
        let columns = layout.size.columns
        let rows = ComparisonRows(layout.size)
        drawCaptions(comparison, rows, &canvas)
        let numbers = numbers(comparison)
        if let row = rows.header {
            let start = canvas.write("compare", 1, row, width: columns - 2, .heading) + 2
            let room = max(0, columns - 2 - start - numbers.width)
            if let groups = state.duplicates {
                let title = "group \(Units.count(groups.current + 1)) of \(Units.count(groups.all.count))"
                canvas.write(title, start, row, width: room)
            }
            canvas.write(numbers, endingAt: columns - 1, row, width: columns - start - 1)
        }
        if let row = rows.rule {
            canvas.rule(row: row)
            if let notice = state.notice, canvas.write(notice, inRule: row, columns: columns, continues: true) {
                return
            }
        }
        guard let row = rows.status else { return }
        var view = view(comparison)
        if rows.header == nil, numbers.width > 0 { view.append(numbers, gap: 2) }
        let next = canvas.write(view, 1, row, width: columns - 2)
        let room = max(0, columns - next - 3)
        let notice = rows.rule == nil ? state.notice : nil
        let text = notice.map { StyledText($0.text(width: room), $0.style).truncated(to: room, state.glyphs) }
        canvas.write(text ?? HintLine(hints, room: room).text, endingAt: columns - 1, row, width: room)
    }

    /// Draws what is known of each picture: side by side in two rows, or each in a row of its own.
    private func drawCaptions(_ comparison: Comparison, _ rows: ComparisonRows, _ canvas: inout Canvas) {
        guard let row = rows.captions.first else { return }
        let columns = layout.size.columns
        let (left, right) = BrowseLayout.halves(of: columns)
        let first = ("A", comparison.first, comparison.facts?.firstSize)
        let second = ("B", comparison.second, comparison.facts?.secondSize)
        func draw(_ picture: (String, ItemID, PixelSize?), _ column: Int, _ row: Int, _ width: Int, lines: Int) {
            for (line, text) in caption(picture.0, picture.1, picture.2, width, lines: lines).enumerated() {
                canvas.write(text, column, row + line, width: width)
            }
        }
        let whole = columns - 2
        switch comparison.view {
        case .first: draw(first, 1, row, whole, lines: rows.captions.count)
        case .second: draw(second, 1, row, whole, lines: rows.captions.count)
        case .beside, .difference:
            if rows.isStacked {
                draw(first, 1, row, whole, lines: 1)
                draw(second, 1, row + 1, whole, lines: 1)
            } else {
                draw(first, 1, row, left - 1, lines: rows.captions.count)
                draw(second, right + 1, row, columns - right - 2, lines: rows.captions.count)
            }
        }
    }

    /// Returns a picture's name and, behind it or in a second line, as many of its facts as fit.
    private func caption(_ letter: String, _ item: ItemID, _ size: PixelSize?, _ width: Int, lines: Int)
        -> [StyledText]
    {
        var name = StyledText(letter, .accent)
        let glyphs = state.glyphs
        let whole = SafeText.clean(state.list.items.name(at: item.rawValue))
        name.append(
            StyledText(Fitting.truncateMiddle(whole, to: width - 2, ellipsis: glyphs.ellipsis), .strong), gap: 1)
        let facts = [
            (size ?? state.list.facts[item.rawValue].size).map { "\($0.width)\(glyphs.times)\($0.height)" },
            state.statuses.bytes(of: item.rawValue).map { Units.bytes($0) },
            state.list.dates[item.rawValue].map { Units.day($0) },
        ]
        var text = lines > 1 ? StyledText(" ") : name
        for fact in facts.compactMap(\.self) {
            let gap = lines > 1 && text.width == 1 ? 1 : 2
            if text.width + gap + CellWidth.of(fact) <= width { text.append(StyledText(fact, .dim), gap: gap) }
        }
        return lines > 1 ? [name, text] : [text]
    }

    /// Returns the name of the view and, while they are read, the number of pictures that have been read.
    private func view(_ comparison: Comparison) -> StyledText {
        let name =
            switch comparison.view {
            case .beside: "A and B"
            case .first: "A"
            case .second: "B"
            case .difference:
                "difference" + (comparison.facts.map { " \(state.glyphs.times)\($0.amplification)" } ?? "")
            }
        var text = StyledText(name, .strong)
        if let zoom = state.zoomText ?? state.fitText { text.append(StyledText(zoom, .accent), gap: 2) }
        if layout.size.columns >= 80, let map = state.zoomMap { text.append(map, gap: 2) }
        if comparison.facts == nil, state.slot.isLoading, comparison.read < 2 {
            text.append(StyledText("reading \(comparison.read) of 2", .dim), gap: 2)
            text.append(ProgressBar.thin(comparison.read, of: 2, at: 0, width: 8, glyphs: state.glyphs), gap: 1)
        }
        return text
    }

    /// Returns the measured differences; an empty text until they are known.
    private func numbers(_ comparison: Comparison) -> StyledText {
        guard let facts = comparison.facts else { return StyledText("") }
        var text = StyledText("")
        if facts.psnr.isFinite {
            text.append("PSNR \(Self.decimal(facts.psnr, places: 1)) dB")
            text.append(StyledText("SSIM \(Self.decimal(facts.ssim, places: 4))"), gap: 2)
        } else {
            text = StyledText("equal pixels", .ok)
        }
        if facts.firstSize != facts.secondSize { text.append(StyledText("sizes differ", .warning), gap: 2) }
        return text
    }

    /// Returns a number with a fixed number of decimal places, rounded down, so that 1 means equal.
    private static func decimal(_ value: Double, places: Int) -> String {
        let factor = (0..<places).reduce(1.0) { product, _ in product * 10 }
        let scaled = Int((value.magnitude * factor).rounded(.down))
        let digits = String(scaled)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return (value < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
    }

    private var hints: [HintLine.Hint] {
        let groups = state.duplicates == nil ? nil : state.hint([.previousMatch, .nextMatch], "groups")
        let move = state.zoom.isFit ? nil : state.hint(BrowseState.panKeys, "move")
        return [
            groups, move, state.hint([.zoomIn], "zoom"), state.hint([.difference], "difference"),
            HintLine.Hint(.character("x"), "flip", state.glyphs),
            state.comparison?.view == .beside ? nil : state.hint([.compare], "A and B"),
            state.hint([.help], "help"),
            state.hint([.clearFilter], "close"),
        ].compactMap(\.self)
    }
}
