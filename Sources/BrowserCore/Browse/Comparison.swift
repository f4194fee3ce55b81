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

/// The two lines below a comparison: the names and sizes, then the numbers and the keys.
struct ComparisonLines {
    let state: BrowseState
    let layout: BrowseLayout

    func draw(_ canvas: inout Canvas) {
        guard let comparison = state.comparison, let row = layout.statusRow else { return }
        let columns = layout.size.columns
        if row > 1 {
            let (left, right) = BrowseLayout.halves(of: columns)
            let areas =
                switch comparison.view {
                case .first: [("A", comparison.first, comparison.facts?.firstSize, 1, columns - 2)]
                case .second: [("B", comparison.second, comparison.facts?.secondSize, 1, columns - 2)]
                case .beside, .difference:
                    [
                        ("A", comparison.first, comparison.facts?.firstSize, 1, left - 1),
                        ("B", comparison.second, comparison.facts?.secondSize, right + 1, columns - right - 2),
                    ]
                }
            for (letter, item, size, column, width) in areas {
                canvas.write(name(letter, item, size, width), column, row - 1, width: width)
            }
        }
        let next = canvas.write(numbers(comparison), 1, row, width: columns - 2)
        let room = max(0, columns - next - 3)
        let notice = state.notice.map { StyledText($0.text, $0.style).truncated(to: room, state.glyphs) }
        canvas.write(notice ?? HintLine(hints, room: room).text, endingAt: columns - 1, row, width: room)
    }

    /// Returns a picture's name with as many of its facts as fit.
    private func name(_ letter: String, _ item: ItemID, _ size: PixelSize?, _ width: Int) -> StyledText {
        var text = StyledText(letter, .accent)
        text.append(StyledText(state.shortName(of: item), .strong), gap: 1)
        let pixels = size.map { StyledText("\($0.width)\(state.glyphs.times)\($0.height)") }
        let bytes = state.statuses.bytes(of: item.rawValue).map { StyledText(Units.bytes($0), .dim) }
        for fact in [pixels, bytes].compactMap(\.self) where text.width + 2 + fact.width <= width {
            text.append(fact, gap: 2)
        }
        return text
    }

    private func numbers(_ comparison: Comparison) -> StyledText {
        let facts = comparison.facts
        let view =
            switch comparison.view {
            case .beside: "A and B"
            case .first: "A"
            case .second: "B"
            case .difference: "difference" + (facts.map { " \(state.glyphs.times)\($0.amplification)" } ?? "")
            }
        var text = StyledText(view, .strong)
        if let zoom = state.zoomText { text.append(StyledText(zoom, .accent), gap: 2) }
        if facts == nil, state.slot.isLoading, comparison.read < 2 {
            text.append(StyledText("reading \(comparison.read) of 2", .dim), gap: 2)
            text.append(ProgressBar.thin(comparison.read, of: 2, at: 0, width: 8, glyphs: state.glyphs), gap: 1)
        }
        guard let facts else { return text }
        if facts.psnr.isFinite {
            text.append(StyledText("PSNR \(Self.decimal(facts.psnr, places: 1)) dB"), gap: 2)
            text.append(StyledText("SSIM \(Self.decimal(facts.ssim, places: 4))"), gap: 2)
        } else {
            text.append(StyledText("equal pixels", .ok), gap: 2)
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
            state.hint([.compare], state.comparison?.view == .beside ? "close" : "A and B"),
            state.hint([.help], "help"),
            state.hint([.clearFilter], "close"),
        ].compactMap(\.self)
    }
}
