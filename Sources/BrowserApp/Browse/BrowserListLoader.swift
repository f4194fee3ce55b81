import AlcedoBrowserCore
import AlcedoConfig
import AlcedoFileOperations
import AlcedoLists
import AlcedoPrefetch
import AlcedoScreen
import AlcedoSupport
import AlcedoTerminal
import FoundationEssentials
import ImageLoading

/// Loads the browser's list in the background and passes it to the screen as it arrives.
@MainActor
final class BrowserListLoader {
    /// Number of entries after which reading waits for the screen.
    private nonisolated static let limit = 4096
    /// More rows than any screen has; entries after them are collected for `pause` before they are passed on.
    private static let fullScreen = 1000
    private static let pause = Duration.milliseconds(10)

    private let lists: [String]
    private let base: ListBase?
    private let ignoredQuery: IgnoredQuery
    /// Whether the pictures of a folder's subfolders are listed, instead of the subfolders.
    private let isFlat: Bool
    /// Whether hidden files and folders are listed, too.
    let showsHidden: Bool
    /// The subfolders that are listed.
    private var folders: Set<ItemID> = []
    private let inbox: Inbox<BrowseMessage>
    private let clock: any Clock<Duration>
    private let pending = Inbox<(item: BrowseItem, entry: ListEntry)>()
    private var texts = TextPages()
    private var locations: [TextPages.Place] = []
    /// The items that were renamed, by their new paths.
    private var relocated: [String: ItemID] = [:]
    /// The paths that the browser itself changes now, of which the watch of their folders tells nothing new.
    var changing: Set<String> = []
    /// The number of parts that were left out of usable lines.
    private(set) var omissionCount = 0
    /// The marks and the selection of the last session that were not found yet.
    private var session: BrowserSession
    /// The entries that have more than a location.
    private var details: [ItemID: ListEntry] = [:]

    init(
        lists: [String], base: ListBase? = nil, ignoredQuery: IgnoredQuery = IgnoredQuery(), isFlat: Bool = true,
        showsHidden: Bool = false, session: BrowserSession = BrowserSession(), inbox: Inbox<BrowseMessage>,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.ignoredQuery, self.isFlat, self.showsHidden) = (ignoredQuery, isFlat, showsHidden)
        (self.lists, self.base, self.session, self.inbox, self.clock) = (lists, base, session, inbox, clock)
    }

    /// Returns the source of an item's picture; nil for an unknown item.
    func source(_ item: ItemID) -> Source? {
        location(item).flatMap { SourceReference.source(for: $0, key: details[item]?.key) }
    }

    /// Gives an item's file another path; what the watch of its folder reports of the old path is not about it any more.
    func relocate(_ item: ItemID, to path: String) -> BrowseItem {
        locations[item.rawValue] = texts.append(path)
        relocated[path] = item
        return BrowseItem(id: item, entry: ListEntry(line: 0, location: path))
    }

    /// Returns the items whose files have some paths.
    ///
    /// Complexity: O(items).
    func items(at paths: Set<String>) -> [String: ItemID] {
        locations.indices.reduce(into: [:]) { found, index in
            let path = texts[locations[index]]
            if paths.contains(path) { found[path] = ItemID(index) }
        }
    }

    /// Returns the path of a listed subfolder; nil for other items.
    func folder(_ item: ItemID) -> String? { folders.contains(item) ? location(item) : nil }

    func location(_ item: ItemID) -> String? {
        locations.indices.contains(item.rawValue) ? texts[locations[item.rawValue]] : nil
    }

    /// Returns the first item whose picture is among the cache entries; nil if the list has none of them.
    ///
    /// Compares digests of the keys, because the cache stores no secrets of addresses. Complexity: O(items).
    func item(of entries: [CacheEntry]) async -> ItemID? {
        await Self.first(of: locations, in: texts, details.mapValues(\.key), named: Set(entries.map(\.sourceName)))
    }

    @concurrent
    private nonisolated static func first(
        of locations: [TextPages.Place], in texts: TextPages, _ keys: [ItemID: String?], named names: Set<String>
    ) async -> ItemID? {
        let index = locations.indices.first { index in
            let key = keys[ItemID(index)] ?? nil
            guard let source = SourceReference.source(for: texts[locations[index]], key: key) else { return false }
            return names.contains(CacheEntryKey(source: source.cacheKey).name)
        }
        return index.map { ItemID($0) }
    }

    /// Returns the processor chain that the list gives an item; nil if it gives none.
    func process(of item: ItemID) -> String? { details[item]?.process }

    /// Returns the low-data alternative that the list gives an item; nil if it gives none.
    func smallerLocation(of item: ItemID) -> String? { details[item]?.lowData }

    /// Returns the options for an item: the common ones, changed by its list entry.
    func options(_ options: ImageOptions, for item: ItemID) -> ImageOptions {
        guard let entry = details[item] else { return options }
        let loading = PrefetchItemBuilder(options: options, variants: [])
        var special = (try? loading.item(item.rawValue, entry))?.options ?? options
        special.download.priority = options.download.priority
        return special
    }

    /// Returns the items for the prefetcher; most of them use the prefetcher's own options.
    func items(_ ids: [ItemID], options: ImageOptions) -> [PrefetchItem] {
        ids.compactMap { id in
            guard let source = source(id) else { return nil }
            var item = PrefetchItem(id: id.rawValue, source: source)
            if details[id] != nil { item.options = self.options(options, for: id) }
            return item
        }
    }

    /// Reads every list to its end, then adds new files of the folders among them until the task is cancelled.
    ///
    /// Entries that arrive while the screen is busy are passed on as one message.
    func read(fetch: @escaping ListTraversal.Fetch) async {
        if !session.isEmpty {
            inbox.post(.sessionFound(filter: session.filter, marks: session.marks.count, columns: session.columns))
        }
        let changes = FolderWatch.changes(
            in: lists.compactMap { list in
                if case .folder(let path) = try? ListSource.detect(list) { path } else { nil }
            }, withSubfolders: isFlat, showsHidden: showsHidden)
        async let reading = readAll(fetch)
        for await _ in pending.wakes {
            passOn()
            // Key presses and frames come between these calls, and entries read meanwhile are passed on together. Once
            // the screen is full, no row is urgent: a wake-up for each would double the time.
            if locations.count < Self.fullScreen { await Task.yield() } else { try? await clock.sleep(for: Self.pause) }
        }
        let problems = await reading
        omissionCount = problems.omissionCount
        problems.omissionText.map { inbox.post(.notice($0)) }
        inbox.post(.listFinished(skipped: problems.skippedLines, reasons: problems.reasons))
        var duplicates = problems.duplicates
        for await change in changes {
            switch change {
            case .written(let path) where changing.contains(path), .removed(let path) where changing.contains(path):
                continue
            // Late news of a path that another file has by now is not about that file.
            case .removed(let path) where FileStamp(path: path) != nil: continue
            case .written(let path):
                let known = relocated[path] ?? duplicates.insert(path, at: locations.count).map { ItemID($0) }
                if let known, location(known) == path {
                    inbox.post(.fileChanged(known, isThere: true))
                } else {
                    let entry = ListEntry(line: 0, location: path)
                    pass([(BrowseItem(id: ItemID(locations.count), entry: entry), entry)])
                }
            case .removed(let path):
                let known = relocated[path] ?? duplicates.index(of: path).map { ItemID($0) }
                if let known, location(known) == path { inbox.post(.fileChanged(known, isThere: false)) }
            case .folderWritten(let path):
                if let known = folders.first(where: { location($0) == path }) {
                    inbox.post(.fileChanged(known, isThere: true))
                } else {
                    var entry = ListEntry(line: 0, location: path)
                    entry.kind = .folder
                    pass([(BrowseItem(id: ItemID(locations.count), entry: entry), entry)])
                }
            case .folderRemoved(let path):
                if let known = folders.first(where: { location($0) == path }) {
                    inbox.post(.fileChanged(known, isThere: false))
                }
                for index in locations.indices where texts[locations[index]].hasPrefix(path + "/") {
                    inbox.post(.fileChanged(ItemID(index), isThere: false))
                }
                if lists.contains(path) { inbox.post(.folderGone(FileStamp(path: path) == nil)) }
            }
        }
    }

    private func passOn() {
        let entries = pending.drain()
        if !entries.isEmpty { pass(entries) }
    }

    private func pass(_ entries: [(item: BrowseItem, entry: ListEntry)]) {
        for (item, entry) in entries {
            locations.append(texts.append(entry.location))
            if item.isFolder { folders.insert(item.id) }
            if entry.hasOwnLoadOptions || entry.key != nil || entry.process != nil { details[item.id] = entry }
        }
        inbox.post(.itemsAdded(entries.map(\.item)))
        restore(entries)
    }

    /// Marks and selects the items that were marked or selected in the last session.
    private func restore(_ entries: [(item: BrowseItem, entry: ListEntry)]) {
        guard session.selected != nil || !session.marks.isEmpty else { return }
        var (marked, selected): ([ItemID], ItemID?) = ([], nil)
        for (item, entry) in entries {
            let hash = BrowserSession.hash(entry.location)
            if session.marks.remove(hash) != nil { marked.append(item.id) }
            if session.selected == hash { (selected, session.selected) = (item.id, nil) }
        }
        if !marked.isEmpty || selected != nil { inbox.post(.sessionItems(marked: marked, selected: selected)) }
    }

    /// Returns the session of a state, with the marks of pictures that were not listed yet.
    func session(of state: BrowseState) -> BrowserSession {
        var session = session
        session.filter = state.filterText
        session.columns = state.gridColumns
        session.isFlat = state.place?.isFlat == true
        // A position that the list has not reached yet stays, unless the user has moved.
        let moved = state.selected.flatMap { $0.rawValue == 0 ? nil : location($0).map(BrowserSession.hash) }
        session.selected = moved ?? session.selected
        for item in state.marked.prefix(BrowserSession.markLimit) {
            location(item).map { _ = session.marks.insert(BrowserSession.hash($0)) }
        }
        return session
    }

    /// The unusable lines, and the parts left out of usable ones.
    private struct Problems: Sendable {
        var skippedLines = 0
        /// The first reasons, with their lines.
        var reasons: [String] = []
        var omissionCount = 0
        var firstOmission: String?
        /// The locations of all entries.
        var duplicates = DuplicateFilter()

        mutating func addSkippedLine(_ reason: String) {
            skippedLines += 1
            if reasons.count < 20 { reasons.append(reason) }
        }

        mutating func addOmission(_ reason: String) {
            omissionCount += 1
            firstOmission = firstOmission ?? reason
        }

        var omissionText: String? {
            firstOmission.map {
                "\($0)\(omissionCount > 1 ? ", and \(Units.count(omissionCount - 1)) more such" : "")"
            }
        }
    }

    /// Reads all lists and those that they name; a list that cannot be read is reported and skipped.
    @concurrent
    private nonisolated func readAll(_ fetch: @escaping ListTraversal.Fetch) async -> Problems {
        var traversal = ListTraversal(
            lists, base: base, archiveOrder: .natural, isFlat: isFlat, showsHidden: showsHidden,
            ignoredQuery: ignoredQuery, fetch: fetch)
        var count = 0
        var problems = Problems()
        while let event = await traversal.next() {
            switch event {
            case .picture(let entry, let list):
                if let reason = entry.processProblem {
                    problems.addSkippedLine(message(entry.line, of: list, reason))
                    continue
                }
                let first = problems.duplicates.insert(URLNormalizer.normalize(entry.location), at: count).map {
                    ItemID($0)
                }
                pending.post((BrowseItem(id: ItemID(count), entry: entry, duplicated: first), entry))
                count += 1
                if count % Self.limit == 0 { await passOn() }
            case .partOmitted(let line, let list, let reason):
                problems.addOmission(message(line, of: list, reason))
            case .lineRejected(let line, let list, let reason), .listUnreadable(let line?, let list, let reason):
                problems.addSkippedLine(message(line, of: list, reason))
            case .listUnreadable(nil, _, let reason): inbox.post(.listUnreadable(reason))
            }
        }
        pending.close()
        return problems
    }

    /// Returns a reason with its line, and with its list if there are several.
    private nonisolated func message(_ line: Int, of list: String, _ reason: String) -> String {
        let isOnlyList = lists.count == 1 && list == Redaction.display(lists[0])
        return isOnlyList && line > 0 ? "line \(line): \(reason)" : Redaction.rejection(line, of: list, reason: reason)
    }
}
