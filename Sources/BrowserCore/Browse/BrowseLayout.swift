import Raster

/// The areas of the browser's screen.
struct BrowseLayout: Equatable {
    /// The width from which the list and the preview stand side by side.
    static let wideColumns = 80
    /// The rows below the picture.
    static let shortInfo = 3
    /// The height from which the preview has a title and rows below the picture.
    private static let titledRows = 8
    /// The preview's width beyond which the list gets further columns.
    private static let ampleColumns = 106

    let size: GridSize
    let isWide: Bool
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
        isWide = size.columns >= BrowseLayout.wideColumns && !state.detailsFillBody
        statusRow = size.rows > 1 ? size.rows - 1 : nil
        ruleRow = size.rows >= 6 ? size.rows - 2 : nil
        bodyRows = ruleRow ?? statusRow ?? size.rows
        headerRows = bodyRows >= 3 ? 1 : 0
        listColumns = isWide ? BrowseLayout.listColumns(of: state, in: size) : size.columns
        let wholeList = Rect(column: 0, row: headerRows, columns: listColumns, rows: bodyRows - headerRows)
        let left = isWide ? listColumns + 1 : 0
        preview = Rect(column: left, row: 0, columns: size.columns - left, rows: min(bodyRows, size.rows - 1))
        titleRow = preview.rows >= BrowseLayout.titledRows ? preview.row : nil
        let hasPanes = isWide && !state.isGrid && !state.isFullScreen
        let sheet = BrowseLayout.sheet(of: state, in: hasPanes ? wholeList : size.body(rows: bodyRows))
        menu = sheet ?? BrowseLayout.menu(of: state, in: isWide ? wholeList : preview, isWide: isWide)
        list = sheet.map { wholeList.above($0) } ?? wholeList
        let isShared = !hasPanes && !menu.isEmpty
        let place =
            state.showsInfo && !isShared
            ? DetailsPlacement(state, in: preview, top: titleRow == nil ? 0 : 1, edge: isWide ? 1 : 0) : nil
        let rows = isShared || preview.rows < BrowseLayout.titledRows ? 0 : BrowseLayout.shortInfo
        info = place?.info ?? BrowseLayout.info(in: preview, rows: rows)
        isBeside = place?.isBeside ?? false
        grid = GridLayout(
            in: Rect(column: 0, row: headerRows, columns: size.columns, rows: bodyRows - headerRows),
            columns: state.gridColumns, cell: state.cell, mostRows: state.mostThumbnailRows,
            all: state.skippedLines == nil ? nil : state.list.existingCount, count: state.duplicates?.items.count)
        popup = state.isGrid ? Rect(column: 0, row: 0, columns: size.columns, rows: bodyRows) : preview
        let lines = state.comparison == nil || size.rows < 3 ? 1 : 2
        let whole = Rect(column: 0, row: 0, columns: size.columns, rows: size.rows - lines)
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
        let standard = min(limit, max(36, size.columns * 7 / 15))
        return min(max(20, state.listColumns ?? standard), size.columns - 21)
    }

    /// Returns the width of the left half of a screen and the first column of the right half, which is as wide.
    static func halves(of columns: Int) -> (left: Int, right: Int) {
        let half = max(1, (columns - 1) / 2)
        return (half, max(0, columns - half))
    }

    private static func sheet(of state: BrowseState, in area: Rect) -> Rect? {
        let columns = min(area.columns, state.isGrid || state.isFullScreen ? Sheet.widest : area.columns)
        guard let sheet = state.sheet(columns: columns, rows: area.rows / 2) else { return nil }
        let rows = min(sheet.height, area.rows / 2)
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
