import AlcedoComparison
import AlcedoFilters
import AlcedoScreen
import Raster

/// The groups of pictures that are there twice, in the list's view of one group at a time.
struct DuplicateGroups: Sendable, Equatable {
    /// The picture of a group that is not marked.
    enum Kept { case largest, first }

    /// The identical pictures, then the similar ones; the largest picture of a group comes first.
    let all: [DuplicateSearch.Group]
    var current = 0
    /// Whether the list showed thumbnails before, and the item that was selected.
    let wasGrid: Bool
    let before: Int

    private var group: DuplicateSearch.Group { all[current] }

    /// Returns how many bits of an item's hash differ from that of the group's first; nil for the first and for equal
    /// bytes.
    func distance(of item: Int) -> Int? {
        zip(group.ids, group.distances ?? []).dropFirst().first { $0.0 == Int64(item) }?.1
    }

    /// The items of the current group.
    var items: [Int] { group.ids.map(Int.init) }

    /// The current group in words: "3 similar pictures".
    var title: String {
        "\(Units.count(group.ids.count)) \(group.distances == nil ? "identical" : "similar") pictures"
    }
}

/// Cached pictures that are decoded one after the other for their facts.
struct Inspection: Sendable, Equatable {
    let total: Int
    private(set) var done = 0
    /// The number of finished pictures from which the groups are searched again: half as many again each time.
    private var nextSearch = 16
    private var progress = ListProgress()

    init(total: Int) { self.total = total }

    mutating func update(done: Int, at now: Int) {
        self.done = min(done, total)
        progress.update(done: done, isWorking: true, at: now)
    }

    /// Whether so many pictures were finished since the last search that it is worth another.
    mutating func isSearchDue() -> Bool {
        guard done >= nextSearch, done < total else { return false }
        nextSearch = done + done / 2
        return true
    }

    var secondsLeft: Int? { progress.secondsLeft(for: total - done) }
}

extension BrowseState {
    /// Shows the groups of equal and similar pictures, or returns from them.
    ///
    /// Cached pictures without a hash are decoded for it; then the groups are shown again.
    mutating func toggleDuplicates() {
        guard duplicates == nil, !awaitsDuplicates else { return closeDuplicates() }
        showDuplicates()
        (awaitsDuplicates, wantsInspection) = (true, true)
    }

    /// Lists again what the filter selects.
    mutating func closeDuplicates() {
        isFullScreen = false
        applyFilter()
    }

    /// Leaves the groups, so that another choice of rows can follow.
    mutating func leaveDuplicates() {
        if let duplicates { (isGrid, anchor) = (duplicates.wasGrid, duplicates.before) }
        (duplicates, awaitsDuplicates) = (nil, false)
    }

    /// Takes note of decoded pictures, and shows the groups that were found until now.
    mutating func continueInspection(done: Int) {
        inspection?.update(done: done, at: now)
        if awaitsDuplicates, inspection?.isSearchDue() == true { showDuplicatesAgain() }
    }

    /// Shows the groups again when more facts are there, unless the user does something else now; the group and the cursor
    /// stay.
    mutating func showDuplicatesAgain() {
        guard focus == .list, !isFullScreen else { return }
        let (items, cursor) = (duplicates?.items, viewport.cursor)
        showDuplicates()
        let place = duplicates?.all.firstIndex { group in items.map { group.ids.contains(Int64($0[0])) } ?? false }
        place.map { showGroup($0) }
        if let items, duplicates?.items.starts(with: items) == true { go(to: cursor) }
    }

    private mutating func showDuplicates() {
        let search = DuplicateSearch(list.pictureRows)
        let groups = search.identical() + search.similar(within: FilterTerm.usualDistance)
        guard !groups.isEmpty else {
            // While the search goes on, the header says so.
            guard inspection == nil else { return }
            let unread = list.unreadCount
            let rest = unread == 0 ? "" : " among those that are read; \(Units.count(unread)) are not read yet"
            return showNotice("no picture is there twice\(rest)")
        }
        duplicates = DuplicateGroups(
            all: groups, wasGrid: duplicates?.wasGrid ?? isGrid, before: duplicates?.before ?? anchor)
        (isGrid, isFullScreen, rangeStart) = (true, false, nil)
        showGroup(0)
    }

    /// Shows another group, and the first again after the last.
    mutating func showGroup(_ step: Int) {
        guard var groups = duplicates else { return }
        let count = groups.all.count
        groups.current = ((groups.current + step) % count + count) % count
        duplicates = groups
        list.list(only: groups.items)
        viewport.jump(to: 0, count: list.count, height: layout.list.rows)
        anchor = groups.items[0]
        gridTop = 0
    }

    /// Marks the pictures of a group but one, and goes to the next group; repeats that.
    mutating func markGroup(keeping kept: DuplicateGroups.Kept, times count: Int) {
        guard let groups = duplicates else { return showQuietNotice("D shows the duplicates first") }
        let before = list.marks.count
        for step in 0..<min(count, groups.all.count) {
            let items = groups.all[(groups.current + step) % groups.all.count].ids.map(Int.init)
            let one = kept == .largest ? items.first : items.min()
            list.mark(items.filter { $0 != one })
        }
        showGroup(count)
        let place = count == 1 ? " in group \(Units.count(groups.current + 1))" : ""
        showNotice("\(Units.count(list.marks.count - before)) marked\(place), \(Units.count(list.marks.count)) in all")
    }

    /// Marks all items that a filter accepts, listed or not.
    mutating func mark(matching text: String) {
        do throws(FilterProblem) {
            let found = list.indices(accepting: try PictureFilter(text, in: .list))
            list.mark(found)
            showNotice(found.isEmpty ? "nothing matches" : "\(Units.count(found.count)) marked")
        } catch { showNotice("\(error)") }
    }
}

extension ItemList {
    /// Returns the items in the caches whose digest, or facts about pixels, a decode may tell.
    func cachedItems(lackingPixels: Bool) -> [Int] {
        items.indices.filter {
            [.onDisk, .inMemory].contains(statuses.kind(of: $0)) && facts.lacks(pixels: lackingPixels, $0)
        }
    }

    /// The number of pictures of which nothing is known yet.
    fileprivate var unreadCount: Int {
        items.indices.count {
            ![.failed, .duplicate, .gone, .folder].contains(statuses.kind(of: $0)) && facts[$0].digest == nil
        }
    }

    /// The items whose facts are known, for a search of duplicates.
    fileprivate var pictureRows: [PictureRow] {
        facts.all.enumerated().compactMap { index, facts in
            guard let digest = facts.digest else { return nil }
            let size = facts.size ?? .zero
            return PictureRow(
                id: Int64(index), content: Int64(bitPattern: digest), hash: facts.hash,
                pixels: size.width * size.height, bytes: statuses.bytes(of: index) ?? 0)
        }
    }
}
