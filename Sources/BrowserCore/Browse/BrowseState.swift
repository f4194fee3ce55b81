import Raster

/// All that the browser's screen is made from: ids, sizes and statuses, never pixels.
package struct BrowseState: Sendable, Equatable {
    /// What the keys act on.
    enum Focus: Sendable, Equatable {
        case list, filter
        case help(Palette)
        case tasks(TaskCursor)
        case command(CommandField)
        case processors(ProcessorMenu)
    }

    /// What of the browser is before the user, without what stands in it.
    enum Screen: Equatable {
        case list, grid, fullScreen, filter, help, tasks, command, processors
    }

    var screen: Screen {
        switch focus {
        case .list: isFullScreen ? .fullScreen : isGrid ? .grid : .list
        case .filter: .filter
        case .help: .help
        case .tasks: .tasks
        case .command: .command
        case .processors: .processors
        }
    }

    /// Whether pictures have the screen to themselves, and how.
    struct LargeView: Sendable, Equatable {
        let isGrid: Bool
        let isFullScreen: Bool
    }

    /// What a narrow terminal shows of the two panes.
    enum Pane: Sendable, Equatable {
        case list, preview
    }

    package let title: String
    package internal(set) var options: BrowseOptions
    var size = GridSize(columns: 0, rows: 0)
    var cell = CellSize.fallback
    /// Milliseconds of the last tick.
    var now = 0

    var list = ItemList()
    var statuses = StatusTable()
    var viewport = Viewport()
    /// The item the user last went to; the cursor comes back to it when a filter no longer hides it.
    var anchor = 0
    var slot: ImageSlot
    /// Skipped lines, once the list has been read to its end.
    package internal(set) var skippedLines: Int?

    var focus = Focus.list
    var pane = Pane.list
    var filter = TextField()
    var showsInfo = false
    /// What was left for the details.
    var viewBehindInfo = LargeView(isGrid: false, isFullScreen: false)
    var isFullScreen = false
    /// Until when full screen shows its line.
    var fullScreenLineEnd = 0
    /// A key that waits for a second one.
    var firstKey: Key?
    /// The number typed before a key, which then acts so many times; nil while none is.
    var pendingCount: Int?
    /// The row where a range of marks begins, while one is being chosen.
    var rangeStart: Int?
    var zoom = Zoom.fit
    var isGrid = false
    /// The first row of thumbnails on the screen.
    var gridTop = 0
    var thumbnails = Thumbnails()
    /// The most rows of thumbnails that the terminal shows at once; nil where there is no limit.
    package internal(set) var mostThumbnailRows: Int?
    var seen = SeenPictures()
    /// The names that rows show.
    var names = NameStyle.file
    var progress = ListProgress()
    /// When the slideshow goes on; nil while there is none.
    var slideEnd: Int?
    /// Columns of the list, where the divider was moved.
    var listColumns: Int?
    /// Whether the divider is being moved.
    var isDraggingDivider = false
    /// What was last looked for, for the next match of it.
    var lastFilter = RowFilter("")

    /// Whether the user stopped what moves, and whether someone can be looking at it.
    var isMotionPaused = false
    var hasFocus = true

    var isPrefetchPaused = false
    var isLowData = false
    var details = ItemDetails()
    var prefetch = PrefetchState()
    /// What was last retried all at once, while some of it is on its way.
    var retryRound: RetryRound?
    /// What was last asked to be made ready.
    var neighbours: Neighbours?
    var usage: CacheUsage?
    var hostBoard = HostBoard()
    var notice: Notice?
    /// What was given on the command line, the last one last.
    var commands: [String] = []

    package init(title: String, options: BrowseOptions = BrowseOptions()) {
        self.title = SafeText.clean(title)
        self.options = options
        slot = ImageSlot(options: options.slot)
    }

    package init(title: String, isASCII: Bool, prefetch: Bool) {
        self.init(title: title, options: BrowseOptions(isASCII: isASCII, prefetches: prefetch))
    }

    /// The item under the cursor.
    package var selected: ItemID? { selection.map { ItemID($0) } }

    var selection: Int? { list.count > 0 ? list.index(at: viewport.cursor) : nil }

    /// What is known to lie on disk and not in memory, in the order of the list.
    package var itemsOnDisk: [ItemID] {
        (0..<statuses.count).filter { statuses.kind(of: $0) == .onDisk }.map { ItemID($0) }
    }

    /// The marked items in the order of the list.
    package var marked: [ItemID] { list.marks.sorted().map { ItemID($0) } }

    /// The items that a key acts on: the marked ones, or the chosen one where none is marked.
    var chosenItems: [ItemID] { marked.isEmpty ? selected.map { [$0] } ?? [] : marked }

    /// An item's name for a message: cut in the middle, so that the counters keep their place beside it.
    func shortName(of item: ItemID) -> String {
        Fitting.truncateMiddle(list.items.name(at: item.rawValue), to: 24, ellipsis: glyphs.ellipsis)
    }

    /// Milliseconds to the next tick that would change the screen; nil when nothing moves, and none is needed.
    ///
    /// Send a tick before other messages too, so that what they start is timed from their arrival.
    package var tickInterval: Int? {
        if list.isFiltering { return 1 }
        if let interval = slot.tickInterval(at: now) { return interval }
        if statuses.hasActive { return 100 }
        if hasTasksOpen, !hostBoard.hosts.isEmpty { return 250 }
        if progress.isEnding { return 250 }
        let isWaiting = notice != nil || slideEnd != nil || (isFullScreen && now < fullScreenLineEnd)
        return isWaiting ? 250 : nil
    }

    var layout: BrowseLayout { BrowseLayout(self) }
    var glyphs: GlyphSet { GlyphSet.set(isASCII: options.isASCII) }

    private var hasTasksOpen: Bool { if case .tasks = focus { true } else { false } }

    var hasPopup: Bool {
        switch focus {
        case .help, .tasks: true
        case .list, .filter, .command, .processors: false
        }
    }
}

/// A line for the status bar and when it goes.
struct Notice: Sendable, Equatable {
    let text: String
    let end: Int
    var style = Style.accent

    static let duration = 4000
    static let quietDuration = 2000
}

/// What was last asked of the prefetcher.
struct PrefetchState: Sendable, Equatable {
    /// What an order depends on besides the statuses.
    struct Basis: Sendable, Equatable {
        let selection: Int?
        let visible: Range<Int>
        let isForward: Bool
        let filter: RowFilter
    }

    var basis: Basis?
    var order: [ItemID] = []
    /// Items that were done since that order.
    var doneCount = 0
    var isStale = false
    var preferences = PrefetchPreferences()
}
