import AlcedoScreen
import Raster

/// The areas of the browser's screen.
struct BrowseLayout: Equatable {
    /// The width from which the list and the preview are both shown, and from which they stand side by side at any height.
    private static let splitColumns = 40, wideColumns = 80
    /// The height from which a narrow screen has the preview below the list.
    private static let stackedRows = 30
    /// The rows below the picture.
    static let shortInfo = 3
    /// The height from which the preview has a title and rows below the picture.
    private static let titledRows = 8
    /// The preview's width beyond which the list gets further columns.
    private static let ampleColumns = 106

    let size: GridSize
    /// Whether the list stands at the left of the preview.
    let isWide: Bool
    let showsList: Bool
    let showsPreview: Bool
    /// The row of the rule between the list and the preview below it; nil if they do not stand so.
    let dividerRow: Int?
    /// Columns of the list; the divider is to the right of them.
    let listColumns: Int
    /// Rows of the header above the list.
    let headerRows: Int
    /// Rows above the rule and the status line.
    let bodyRows: Int
    let ruleRow: Int?
    let statusRow: Int?
    let list: Rect
    /// The preview with its text rows, also while another pane hides it.
    let preview: Rect
    /// The row of the preview's title; nil if there are too few rows.
    let titleRow: Int?
    /// The area for the picture.
    let picture: Rect
    let info: Rect
    /// Whether the details stand beside the picture.
    let isBeside: Bool
    /// The processor menu or a sheet; empty while neither is open.
    ///
    /// It covers the end of the list, so that the picture keeps its size, or the end of the only pane. A sheet leaves the
    /// rows of the list above it.
    let menu: Rect
    let grid: GridLayout
    /// The area of the help and the tasks.
    let popup: Rect

    init(_ state: BrowseState) {
        size = state.size
        let panes = state.panes
        (isWide, showsList, showsPreview) = (panes == .beside, panes.hasList, panes.hasPreview)
        statusRow = size.rows > 1 ? size.rows - 1 : nil
        ruleRow = size.rows >= 6 ? size.rows - 2 : nil
        bodyRows = ruleRow ?? statusRow ?? size.rows
        headerRows = bodyRows >= 3 ? 1 : 0
        listColumns = isWide ? BrowseLayout.listColumns(of: state, in: size) : size.columns
        dividerRow = panes == .stacked ? bodyRows / 3 : nil
        let wholeList = Rect(
            column: 0, row: headerRows, columns: listColumns, rows: (dividerRow ?? bodyRows) - headerRows)
        let (left, top) = (isWide ? listColumns + 1 : 0, dividerRow.map { $0 + 1 } ?? 0)
        let wholePreview = Rect(
            column: left, row: top, columns: size.columns - left, rows: max(0, min(bodyRows, size.rows - 1) - top))
        let hasPanes = showsList && showsPreview && !state.isGrid && !state.isFullScreen
        // Completions change with each key, so they do not take room from the picture.
        let completes = state.completions != nil
        let fitsList =
            hasPanes && wholeList.columns >= (completes ? BrowseState.leastCompletionColumns : Sheet.leastColumns)
        let hasRoom = fitsList || !hasPanes || !completes
        let sheet =
            hasRoom ? BrowseLayout.sheet(of: state, in: fitsList ? wholeList : size.body(rows: bodyRows)) : nil
        // A list that is too narrow for a sheet has it below both panes.
        let spansPanes = hasPanes && !fitsList
        preview = spansPanes ? sheet.map { wholePreview.above($0) } ?? wholePreview : wholePreview
        titleRow = preview.rows >= BrowseLayout.titledRows ? preview.row : nil
        menu = sheet ?? BrowseLayout.menu(of: state, in: isWide ? wholeList : preview, isWide: isWide)
        list = sheet.map { wholeList.above($0) } ?? wholeList
        let isShared = !hasPanes && !menu.isEmpty
        let place =
            state.showsInfo && !isShared
            ? DetailsPlacement(state, in: preview, top: titleRow == nil ? 0 : 1, edge: isWide ? 1 : 0) : nil
        let infoRows = isShared || preview.rows < BrowseLayout.titledRows ? 0 : BrowseLayout.shortInfo
        info = place?.info ?? BrowseLayout.info(in: preview, rows: infoRows)
        isBeside = place?.isBeside ?? false
        grid = GridLayout(
            in: Rect(column: 0, row: headerRows, columns: size.columns, rows: bodyRows - headerRows),
            columns: state.gridColumns, cell: state.cell, mostRows: state.mostThumbnailRows,
            all: state.skippedLines == nil ? nil : state.list.existingCount,
            group: state.duplicates.map { groups in
                (groups.items.count, groups.items.prefix(100).compactMap { state.list.facts[$0].size })
            })
        popup = state.isGrid ? Rect(column: 0, row: 0, columns: size.columns, rows: bodyRows) : preview
        let rows = state.comparison == nil ? (top: 0, count: size.rows - 1) : ComparisonRows(size).pictures
        let whole = Rect(column: 0, row: rows.top, columns: size.columns, rows: rows.count)
        let full = sheet.map { whole.above($0) } ?? whole
        let above = isShared ? menu : info
        picture =
            state.isFullScreen
            ? full : place?.picture ?? BrowseLayout.picture(in: preview, above: above, isWide: isWide)
    }

    /// Returns the list's width: the position of a moved divider, else slightly less than half of the screen.
    ///
    /// The list gets more if the preview has ample room; both sides keep 20 columns.
    private static func listColumns(of state: BrowseState, in size: GridSize) -> Int {
        let limit = min(100, max(60, size.columns - 1 - ampleColumns))
        let standard = size.columns < wideColumns ? size.columns / 2 : min(limit, max(36, size.columns * 7 / 15))
        return min(max(20, state.listColumns ?? standard), size.columns - 21)
    }

    /// Returns the width of the left half of a screen and the first column of the right half, which is as wide.
    static func halves(of columns: Int) -> (left: Int, right: Int) {
        let half = max(1, (columns - 1) / 2)
        return (half, max(0, columns - half))
    }

    private static func sheet(of state: BrowseState, in area: Rect) -> Rect? {
        let columns = min(area.columns, state.isGrid || state.isFullScreen ? Sheet.widest : area.columns)
        let most = max(area.rows / 2, min(Sheet.usualHeight, area.rows - 3))
        guard let sheet = state.sheet(columns: columns, rows: most) else { return nil }
        let rows = min(sheet.height, most)
        return Rect(column: area.column, row: area.row + area.rows - rows, columns: columns, rows: rows)
    }

    private static func menu(of state: BrowseState, in column: Rect, isWide: Bool) -> Rect {
        guard case .processors(let menu) = state.focus else { return Rect(column: 0, row: 0, columns: 0, rows: 0) }
        let rows = menu.entries.count + 2
        let taken = min(rows, isWide ? column.rows : column.rows / 2)
        return Rect(
            column: column.column + 1, row: column.row + column.rows - taken, columns: column.columns - 2, rows: taken)
    }

    private static func info(in preview: Rect, rows: Int) -> Rect {
        Rect(
            column: preview.column + 1, row: preview.row + preview.rows - rows, columns: preview.columns - 2,
            rows: rows)
    }

    private static func picture(in preview: Rect, above info: Rect, isWide: Bool) -> Rect {
        let top = preview.rows >= titledRows ? 1 : 0
        let gap = info.isEmpty ? 0 : 1
        let edge = isWide ? 1 : 0
        return Rect(
            column: preview.column + edge, row: preview.row + top, columns: preview.columns - edge * 2,
            rows: preview.rows - top - gap - info.rows)
    }
}

/// The panes of a screen above its last line: the list, the preview or both.
enum Panes: Sendable, Equatable {
    case list, preview, beside, stacked

    var hasList: Bool { self != .preview }
    var hasPreview: Bool { self != .list }
}

extension BrowseLayout {
    /// Returns the panes of a state that is neither the grid nor full screen.
    fileprivate static func panes(of state: BrowseState) -> Panes {
        let size = state.size
        if state.detailsFillBody { return .preview }
        let hasRoom = size.columns >= (state.hasPopup ? wideColumns : splitColumns)
        guard hasRoom, state.pane == .both || state.hasPopup else {
            return state.pane == .preview || state.hasPopup ? .preview : .list
        }
        return size.columns >= wideColumns || size.rows < stackedRows ? .beside : .stacked
    }
}

extension BrowseState {
    var panes: Panes { BrowseLayout.panes(of: self) }

    /// Shows another pane: both, where there is room, then the list, then the preview.
    mutating func switchPane() {
        guard !detailsFillBody else { return }
        let shown = panes
        pane = shown.hasList && shown.hasPreview ? .list : shown == .list ? .preview : .both
    }

    /// Shows the preview, and what else is shown if there is room.
    mutating func showPreview() {
        if !panes.hasPreview { pane = .both }
        if !panes.hasPreview { pane = .preview }
    }

    /// Shows the list in the same way.
    mutating func showList() { if !panes.hasList { pane = .both } }
}

extension GridSize {
    /// Returns the first rows.
    fileprivate func body(rows: Int) -> Rect { Rect(column: 0, row: 0, columns: columns, rows: rows) }
}

extension Rect {
    /// Returns the rows above another rectangle.
    fileprivate func above(_ other: Rect) -> Rect {
        Rect(column: column, row: row, columns: columns, rows: max(0, min(rows, other.row - row)))
    }
}
