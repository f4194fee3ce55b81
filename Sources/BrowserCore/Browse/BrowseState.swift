import AlcedoFileOperations
import AlcedoFilters
import AlcedoScreen
import Raster

/// The state of the browser: ids, sizes and statuses, never pixels.
package struct BrowseState: Sendable, Equatable {
    /// The part of the screen that handles keys.
    enum Focus: Sendable, Equatable {
        case list, filter, sorting
        case help(Palette)
        case tasks(TaskCursor)
        /// A question before files change.
        case files(FileQuestion)
        /// The places, with the cursor at one of them.
        case places(Int)
        /// The last messages, of which some are scrolled away.
        case messages(Int)
        case command(CommandField)
        case processors(ProcessorMenu)
    }

    /// The visible part of the browser, without its content.
    enum Screen: Equatable {
        case list, grid, fullScreen, filter, sorting, help, tasks, files, places, messages, command, processors
    }

    var screen: Screen {
        switch focus {
        case .list: isFullScreen ? .fullScreen : isGrid ? .grid : .list
        case .filter: .filter
        case .sorting: .sorting
        case .help: .help
        case .tasks: .tasks
        case .files: .files
        case .places: .places
        case .messages: .messages
        case .command: .command
        case .processors: .processors
        }
    }

    /// The view to return to when the details close.
    struct LargeView: Sendable, Equatable {
        let isGrid: Bool
        let isFullScreen: Bool
    }

    /// The panes that are shown; `both` is the list where there is no room for two.
    enum Pane: Sendable, Equatable {
        case both, list, preview
    }

    package let title: String
    package internal(set) var options: BrowseOptions
    var size = GridSize(columns: 0, rows: 0)
    var cell = CellSize.fallback
    /// Milliseconds of the last tick.
    var now = 0

    /// The folder that is listed; nil for other lists.
    package private(set) var place: FolderPlace?
    var folderTexts = FolderTexts()
    var list = ItemList()
    var statuses: StatusTable {
        _read { yield list.statuses }
        _modify { yield &list.statuses }
    }
    var viewport = Viewport()
    /// The item that the user last selected; the cursor returns to it when a filter no longer hides it.
    var anchor = 0
    /// The selected item whose file went, to which the cursor returns with the file unless the user has done something.
    var goneAnchor: Int?
    var slot: ImageSlot
    /// The number of skipped lines; nil until the list has been read to its end.
    package internal(set) var skippedLines: Int?
    /// Why the first list that cannot be read cannot be read.
    var listProblem: String?
    /// Whether the folder that is shown was removed, or moved away.
    var isFolderGone = false
    /// The number of first items whose dates were requested.
    var datedCount = 0
    /// The items whose dates were requested for their rows.
    var datedRows: Set<Int> = []
    /// Items of which the filter may want to know how they were taken.
    var captureCandidates: [Int] = []
    /// Whether it was requested for some of them.
    var readsCaptures = false
    /// Whether the next tick sorts the rows, after all changes until then.
    var needsSort = false

    var focus = Focus.list
    var pane = Pane.both
    var filter = TextField()
    /// The completions of the filter's last word that Tab found.
    var filterForms: [String] = []
    var showsInfo = false
    /// The view that the details replaced.
    var viewBehindInfo = LargeView(isGrid: false, isFullScreen: false)
    var isFullScreen = false
    /// The time until which full screen shows its line.
    var fullScreenLineEnd = 0
    /// The first key of a stroke of two.
    var firstKey: Key?
    /// The time from which the keys that may follow it are shown.
    var hintTime = 0
    /// Whether what is wrong in the configuration is shown.
    var showsFaults = false
    /// The count typed before a key; nil if there is none.
    var pendingCount: Int?
    /// The first row of the range that is being marked.
    var rangeStart: Int?
    var zoom = Zoom.fit
    var isGrid = false
    /// The number of columns of thumbnails that the user chose; nil for what suits the width.
    package internal(set) var gridColumns: Int?
    /// The first visible row of thumbnails.
    var gridTop = 0
    var thumbnails = Thumbnails()
    /// The most rows of thumbnails that the terminal can show at once; nil for no limit.
    package internal(set) var mostThumbnailRows: Int?
    /// Whether text shows between the thumbnails of a row that the terminal gets as one picture.
    package internal(set) var showsTextInRows = false
    /// Which graphics are in use and why.
    package internal(set) var terminalFacts: [DetailLine] = []
    /// The style of names in rows.
    var names = NameStyle.file
    var progress = ListProgress()
    /// The bytes of transfers, for the graph of the tasks.
    var throughput = Throughput()
    /// The groups of equal and similar pictures, one of which is listed.
    var duplicates: DuplicateGroups?
    /// The comparison that fills the screen.
    var comparison: Comparison?
    /// Whether the groups appear, or appear again, when the facts of all cached pictures are known.
    var awaitsDuplicates = false
    /// The cached pictures that are being decoded for their facts; nil if there are none.
    var inspection: Inspection?
    /// Whether an inspection must begin, or begin again.
    var wantsInspection = false
    /// The time of the slideshow's next picture; nil if there is none.
    var slideEnd: Int?
    /// Whether full screen was shown before the slideshow.
    var wasFullScreen = false
    /// Columns of the list if the user moved the divider.
    var listColumns: Int?
    /// Whether the divider is being moved.
    var isDraggingDivider = false
    /// The item that was selected for a while before the current one.
    var lastSeen: Int?
    /// When the selected item was selected.
    var selectionTime = 0
    /// The last filter, used to search for the next match.
    var lastFilter = PictureFilter()

    /// Whether the user paused animations, and whether the terminal window has the focus.
    var isMotionPaused = false
    var hasFocus = true
    /// Whether keys arrive together, as pasted text does.
    var areKeysTogether = false

    package internal(set) var isPrefetchPaused = false
    package internal(set) var isLowData = false
    var details = ItemDetails()
    var prefetch = PrefetchState()
    /// The items that are being retried together.
    var retryRound: RetryRound?
    /// The last requested neighbours.
    var neighbours: Neighbours?
    var usage: CacheUsage?
    var hostBoard = HostBoard()
    /// The items that waited for their host when their load was given up.
    var leftInPause: Set<Int> = []
    var notice: Notice?
    /// The last fifty messages, the latest first.
    var messages: [Notice] = []
    /// The folders into which files were copied or moved, the latest first.
    var folders: [RememberedFolder] = []
    /// The folders that were listed before, the pinned ones first.
    var places: [RememberedFolder] = []
    /// The files that `putFiles` copies or moves; nil if there are none.
    var held: HeldFiles?
    /// When Backspace closed an empty field; while it is held it does not leave the folder.
    var erasingTime: Int?
    /// The turns of pictures that are shown and not written.
    var turns: [Int: Orientation] = [:]
    /// The progress of changes of files, from the start of the first to the outcome of the last: `12 of 40 files`.
    var fileProgress: String?
    /// The history of the command line, the latest last.
    var commands: [String] = []

    /// - Parameter place: The folder that is listed; nil, the default, for other lists.
    package init(title: String, options: BrowseOptions = BrowseOptions(), place: FolderPlace? = nil) {
        self.title = SafeText.clean(title)
        self.place = place
        self.options = options
        slot = ImageSlot(options: options.slot)
        showsFaults = !options.faults.isEmpty
        if let place { list.setRoot(place.root) }
    }

    /// The item under the cursor.
    package var selected: ItemID? { selection.map { ItemID($0) } }

    /// Rows may have left the list since the cursor was moved last.
    var selection: Int? { list.count > 0 ? list.index(at: min(viewport.cursor, list.count - 1)) : nil }

    /// The items on disk but not in memory, in the order of the list.
    package var itemsOnDisk: [ItemID] {
        (0..<statuses.count).filter { statuses.kind(of: $0) == .onDisk }.map { ItemID($0) }
    }

    package var filterText: String { filter.text }

    /// The marked items in the order of the list.
    package var marked: [ItemID] { list.marks.sorted().map { ItemID($0) } }

    /// The items that a command applies to: the marked ones, or the selected one if none is marked.
    var chosenItems: [ItemID] { marked.isEmpty ? selected.map { [$0] } ?? [] : marked }

    /// Returns an item's name for a message, short enough to leave room for the counters beside it.
    func shortName(of item: ItemID) -> String {
        Fitting.truncateMiddle(list.items.name(at: item.rawValue), to: 24, ellipsis: glyphs.ellipsis)
    }

    /// Milliseconds until the next tick that changes the screen; nil if no tick is needed.
    ///
    /// Send a tick before other messages too, so that timers they start begin at their arrival.
    package var tickInterval: Int? { [hintInterval, ownInterval].compactMap(\.self).min() }

    private var ownInterval: Int? {
        if list.isFiltering { return 1 }
        if let interval = slot.tickInterval(at: now) { return interval }
        if statuses.hasActive { return 100 }
        if let interval = detailsTick { return interval }
        if hasTasksOpen, !hostBoard.hosts.isEmpty || throughput.isMoving(at: now) { return 250 }
        if progress.isEnding { return 250 }
        let isWaiting =
            needsSort && duplicates == nil || !leftInPause.isEmpty && hostBoard.isPaused(at: now) || notice?.end != nil
            || slideEnd != nil
            || (isFullScreen && now < fullScreenLineEnd)
        return isWaiting ? 250 : nil
    }

    /// The rows of the list or of the grid that the screen has room for.
    var visibleRows: Range<Int> {
        showsGrid ? gridRange(in: layout.grid) : viewport.visible(count: list.count, height: layout.list.rows)
    }

    var layout: BrowseLayout { BrowseLayout(self) }
    var glyphs: GlyphSet { GlyphSet.set(isASCII: options.isASCII) }

    private var hasTasksOpen: Bool { if case .tasks = focus { true } else { false } }

    var hasPopup: Bool {
        switch focus {
        case .help, .tasks: true
        case .list, .filter, .sorting, .files, .places, .messages, .command, .processors: false
        }
    }
}

/// The last prefetch order and its inputs.
struct PrefetchState: Sendable, Equatable {
    /// The maximum number of items; the next order follows when half of them are done.
    static let limit = 512

    /// What the last order was computed from, apart from the statuses of the items.
    struct Basis: Sendable, Equatable {
        let selection: Int?
        let visible: Range<Int>
        let isForward: Bool
        let filter: PictureFilter
    }

    var basis: Basis?
    var order: [ItemID] = []
    /// Items that were finished since that order.
    var doneCount = 0
    var isStale = false
    var preferences = PrefetchPreferences()
}
