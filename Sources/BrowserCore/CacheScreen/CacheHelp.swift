import Raster

/// The keys of the cache screen: in two columns if there is room, in pages if there are too many.
struct CacheHelp {
    let state: CacheScreenState

    private static let keys: [(keys: String, text: String)] = [
        ("j k", "down, up"), ("Home G", "first, last"), ("ctrl-d ctrl-u", "half a page"),
        ("ctrl-f ctrl-b", "a page"), ("s", "sort by the next column"), ("S", "reverse the order"),
        ("g", "group by host, type, kind, age"), ("Enter", "open the group, or show details"),
        ("Esc", "leave the group; clear the filter"), ("/", "filter"), ("Space", "mark"),
        ("u", "unmark all"), ("d", "delete the marked or selected entries"), ("D", "delete all listed entries"),
        ("p", "pin or unpin"),
        ("v", "verify the content"), ("e", "export the file"), ("o", "show in the browser"),
        ("i J K", "details and picture; move in them"), ("t", "hit rates and evictions"), ("r", "reload the table"),
        ("ctrl-l", "redraw"), ("ctrl-z", "suspend"), ("q", "back, or quit"),
        ("host: type:", "filter: host:a.example type:png"),
        ("kind: state:", "kind:processed state:expired|pinned|damaged"),
        ("size> age<", "size>500K size<2M age>12h hits<3"),
        ("/GLOB *.png", "the end of the path: /thumbs/*.jpg"),
        ("key:", "one source: key:35eddcae7fec"),
    ]

    /// The width at which the longest text fits into half of the screen.
    private static let wideColumns = 124

    private var layout: CacheScreenLayout { CacheScreenLayout(size: state.size, showsDetails: false) }
    private var columns: Int { Self.keys.count > layout.table.rows && layout.size.columns >= Self.wideColumns ? 2 : 1 }
    private var capacity: Int { max(1, layout.table.rows) * columns }

    /// The number of pages, at least one.
    var pages: Int { (Self.keys.count + capacity - 1) / capacity }

    func draw(_ page: Int, _ canvas: inout Canvas) {
        // The window may have grown since the page was chosen.
        let page = min(page, pages - 1)
        let (rows, width) = (max(1, layout.table.rows), layout.size.columns / columns)
        let keyWidth = width >= 40 ? 14 : max(6, width / 3)
        let textStart = 3 + keyWidth + 1
        for (place, line) in Self.keys.dropFirst(page * capacity).prefix(capacity).enumerated() {
            let (column, row) = (place / rows * width, layout.table.row + place % rows)
            canvas.write(line.keys, column + 3, row, width: min(keyWidth, width - 4), .accent, cut: .end)
            canvas.write(line.text, column + textStart, row, width: max(0, width - textStart - 1), cut: .end)
        }
    }
}
