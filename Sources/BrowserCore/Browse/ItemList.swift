import AlcedoFilters
import AlcedoScreen
import Raster

/// The items of the list, the filtered and sorted rows, and the marks.
struct ItemList: Sendable, Equatable {
    private(set) var items = ItemTable()
    var statuses = StatusTable()
    private(set) var facts = FactTable()
    private(set) var filter = PictureFilter()
    private(set) var marks: Set<Int> = []
    /// The items that were marked when their files went; they are marked again when their files are back.
    private var goneMarks: Set<Int> = []
    /// When pictures were taken, else when their files were changed, as far as it is known.
    private(set) var dates: [Int: Int] = [:]
    private(set) var order = SortOrder.list
    /// Whether the rows have the other direction than the order's usual one.
    private(set) var isReversed = false
    /// The start of the last order by chance.
    private var seed: UInt64 = 0
    /// All indices in sorted order; nil for the list's own order.
    private var sorted: [Int]?
    /// The own order of a folder's list into which items came later; nil for the order of their numbers.
    private var placed: [Int]?
    /// Indices of the rows; nil if all items are listed in their own order.
    private var rows: [Int]?
    private var scan: FilterScan?
    /// Whether the rows are given items instead of those that the filter accepts.
    private(set) var isGroup = false
    /// The digests and hashes that several items share, as of the filter's start.
    private var related = RelatedPictures()

    /// The number of items whose files are not gone.
    var existingCount: Int { items.count - statuses.count(of: .gone) }
    /// The number of rows.
    var count: Int { rows?.count ?? items.count }
    var isFiltered: Bool { !filter.isEmpty }
    /// Whether the filter has not tested all items yet.
    var isFiltering: Bool { scan != nil }

    /// Returns the index of a row's item.
    func index(at row: Int) -> Int { rows?[row] ?? row }

    /// Returns the row of an item or, if it is hidden, of the next one that is not.
    ///
    /// Complexity: O(log n); O(n) if the rows are sorted.
    func row(of index: Int) -> Int {
        guard let rows else { return index }
        if isGroup { return rows.firstIndex(of: index) ?? 0 }
        guard let sorted else { return rows.partitioningIndex { $0 >= index } }
        // The rows are a part of the sorted items, in their order.
        var row = 0
        for other in sorted.prefix(while: { $0 != index }) where row < rows.count && rows[row] == other { row += 1 }
        return row
    }

    /// Appends items in the order of their numbers; ignores an item whose number is not the next one.
    ///
    /// - Returns: the number of appended items.
    @discardableResult
    mutating func append(_ added: [BrowseItem]) -> Int {
        let start = items.count
        for item in added where item.id.rawValue == items.count { items.append(item) }
        // New items come last until the rows are sorted again.
        sorted?.append(contentsOf: start..<items.count)
        statuses.append(items.count - start)
        if scan != nil {
            scan?.append(start..<items.count)
        } else if rows != nil, !isGroup {
            let accepted = (start..<items.count).filter(predicate(of: filter))
            rows?.append(contentsOf: accepted)
        }
        return items.count - start
    }

    /// Gives new or renamed items their places in a folder's own order; the rows follow when they are sorted.
    mutating func place(_ indices: Range<Int>) {
        var order = (placed ?? Array(items.indices)).filter { !indices.contains($0) }
        for index in indices { order.insert(index, at: order.partitioningIndex { follows($0, index) }) }
        placed = order
    }

    /// Whether an item comes after another in a folder's own order: first its subfolders, then files by their names and
    /// before those of deeper folders, at the end files without an extension.
    private func follows(_ one: Int, _ other: Int) -> Bool {
        let ranks = [one, other].map { index in
            items.name(at: index).hasSuffix("/") ? 0 : items.name(at: index).contains(".") ? 1 : 2
        }
        guard ranks[0] == ranks[1] else { return ranks[0] > ranks[1] }
        let parts = [one, other].map { items.location(at: $0).split(separator: "/") }
        let (left, right) = (parts[0], parts[1])
        let depth = zip(left, right).prefix(while: ==).count
        guard depth < left.count, depth < right.count else { return left.count > right.count }
        let (isFile, isOtherFile) = (depth + 1 == left.count, depth + 1 == right.count)
        return isFile == isOtherFile ? SortOrder.precedes(String(right[depth]), String(left[depth])) : isOtherFile
    }

    /// Lists only the items that a filter accepts; tests only the current rows if it narrows the last filter.
    ///
    /// Tests the first few thousand items; `continueFiltering` tests the others.
    mutating func apply(_ new: PictureFilter) {
        let candidates = new.narrows(filter) && isFiltered && !isFiltering ? rows : nil
        filter = new
        isGroup = false
        related = relations(of: new)
        scan = new.isEmpty ? nil : FilterScan(of: candidates ?? sorted, count: items.count)
        rows = new.isEmpty ? existing(sorted) : []
        continueFiltering()
    }

    /// Replaces the texts of an item.
    mutating func rename(_ item: BrowseItem) {
        items.replace(item)
        if isFiltered { updateRow(of: item.id.rawValue) }
    }

    /// Returns the current filter, or another one without relations, as a predicate over the indices of items.
    ///
    /// No filter accepts an item whose file is gone.
    func predicate(of filter: PictureFilter) -> (Int) -> Bool {
        let accepts = filter.predicate(test)
        guard hasGone else { return accepts }
        return { statuses.kind(of: $0) != .gone && accepts($0) }
    }

    private var hasGone: Bool { statuses.count(of: .gone) > 0 }

    /// Returns indices without those of items whose file is gone; nil for all items in their own order.
    private func existing(_ indices: [Int]?) -> [Int]? {
        hasGone ? (indices ?? Array(items.indices)).filter { statuses.kind(of: $0) != .gone } : indices
    }

    private func relations(of filter: PictureFilter) -> RelatedPictures {
        RelatedPictures(
            for: filter, repeatedDigests: { RelatedPictures.repeated(facts.all.compactMap(\.digest)) },
            hashes: { facts.all.compactMap(\.hash) })
    }

    /// Records facts of a picture.
    mutating func record(_ new: ItemFacts, of item: ItemID) {
        guard items.indices.contains(item.rawValue) else { return }
        facts.record(new, of: item)
        testAgain(item.rawValue)
    }

    /// Records what was seen of a decoded picture.
    mutating func record(_ new: ShownPicture, of item: ItemID) {
        guard items.indices.contains(item.rawValue) else { return }
        facts.record(new, of: item)
        testAgain(item.rawValue)
    }

    /// Lists or hides an item whose state or facts have changed, if the filter reads them.
    mutating func testAgain(_ index: Int) {
        if filter.readsFacts { updateRow(of: index) }
    }

    /// Records how a picture was taken.
    mutating func record(_ new: CaptureTexts?, of item: ItemID) {
        guard items.indices.contains(item.rawValue) else { return }
        facts.record(new, of: item)
        testAgain(item.rawValue)
    }

    /// Returns those of some items that are files or cached and whose capture was not asked for; takes note that it is.
    mutating func takeItemsLackingCapture(of indices: [Int]) -> [ItemID] {
        let lacking = indices.filter { index in
            let kind = statuses.kind(of: index)
            let isThere =
                [.onDisk, .inMemory].contains(kind) || items.isFile(at: index) && ![.gone, .folder].contains(kind)
            return isThere && facts.capture(of: index) == nil
        }.map { ItemID($0) }
        for item in lacking { facts.record(CaptureTexts(), of: item) }
        return lacking
    }

    /// Sets the folder that is listed, which the text of filters is not compared with.
    mutating func setRoot(_ root: String) { items.root = root }

    /// Forgets which captures were asked for and not read, so that they are asked for again.
    mutating func forgetCapturesWithoutText() { facts.forgetCapturesWithoutText() }

    /// Hides an item whose file is gone, with its mark and facts; lists it again when the file is back, with its mark.
    mutating func updateExistence(of index: Int) {
        if statuses.kind(of: index) == .gone {
            marks.remove(index).map { _ = goneMarks.insert($0) }
        } else {
            goneMarks.remove(index).map { _ = marks.insert($0) }
        }
        facts.record(ItemFacts(), of: ItemID(index))
        facts.record(CaptureTexts?.none, of: ItemID(index))
        if rows == nil { rows = Array(items.indices) }
        updateRow(of: index)
    }

    private mutating func updateRow(of index: Int) {
        guard hasScanned(index), let rows else { return }
        let place = sorted == nil && !isGroup ? row(of: index) : rows.firstIndex(of: index) ?? rows.count
        let isListed = place < rows.count && rows[place] == index
        guard predicate(of: filter)(index) != isListed, isListed || !isGroup else { return }
        let target = isListed ? place : row(of: index)
        if isListed { self.rows?.remove(at: place) } else { self.rows?.insert(index, at: target) }
    }

    /// Lists some items in this order, until a filter is applied or the rows are sorted.
    mutating func list(only indices: [Int]) {
        filter = PictureFilter()
        scan = nil
        rows = existing(indices)
        isGroup = true
    }

    /// Tests the next items, few enough not to delay a key.
    mutating func continueFiltering() {
        guard let slice = scan?.nextSlice(filter.isSlow ? 512 : 8192) else { return }
        let accepted = slice.filter(predicate(of: filter))
        rows?.append(contentsOf: accepted)
        if scan?.isDone == true { scan = nil }
    }

    /// Whether the filter has tested an item, or all items before it.
    func hasScanned(_ index: Int) -> Bool { scan.map { $0.hasPassed(index) } ?? true }

    /// Sorts the rows.
    ///
    /// - Parameter seed: Determines an order by chance; nil keeps the last one.
    mutating func sort(by new: SortOrder, reversed: Bool = false, seed: UInt64? = nil) {
        (order, isReversed, self.seed) = (new, reversed, seed ?? self.seed)
        isGroup = false
        sorted = indices(by: new)
        if reversed { sorted?.reverse() }
        if statuses.count(of: .folder) > 0 {
            let folders = sorted?.filter { statuses.kind(of: $0) == .folder } ?? []
            sorted = sorted.map { folders + $0.filter { statuses.kind(of: $0) != .folder } }
        }
        rows = existing(sorted)
        if isFiltered { apply(filter) }
    }

    /// The number of marked items that the filter does not accept.
    var hiddenMarkCount: Int {
        guard isFiltered, !marks.isEmpty else { return 0 }
        let accepts = predicate(of: filter)
        return marks.count { !accepts($0) }
    }

    /// Stores times of pictures, and sorts the rows again if their order depends on them.
    mutating func setDates(_ new: [ItemID: Int]) {
        for (item, date) in new { dates[item.rawValue] = date }
        if order == .date, !isGroup { sort(by: .date, reversed: isReversed) }
    }

    /// Returns the next row in a direction that a filter accepts, wrapping around; nil if there is none.
    func row(accepting filter: PictureFilter, from start: Int, isForward: Bool) -> Int? {
        guard count > 0 else { return nil }
        let accepts = predicate(of: filter)
        let step = isForward ? 1 : count - 1
        return (1...count).lazy.map { (start + $0 * step) % count }.first { accepts(index(at: $0)) }
    }

    mutating func toggleMark(_ index: Int) {
        guard statuses.kind(of: index) != .folder else { return }
        if marks.remove(index) == nil { marks.insert(index) }
        if filter.readsMarks { updateRow(of: index) }
    }

    /// Returns the items that a filter accepts.
    func indices(accepting filter: PictureFilter) -> [Int] {
        var list = self
        list.related = relations(of: filter)
        return items.indices.filter(list.predicate(of: filter))
    }

    mutating func markInspected(_ indices: [Int]) { facts.markInspected(indices) }

    /// Marks items, but no folders.
    mutating func mark(_ indices: [Int]) { setMarks(marks.union(markable(indices))) }

    private func markable(_ indices: [Int]) -> [Int] {
        (existing(indices) ?? []).filter { statuses.kind(of: $0) != .folder }
    }

    /// Replaces the marks, and filters again if the filter reads them.
    private mutating func setMarks(_ new: Set<Int>) {
        guard new != marks else { return }
        marks = new
        if filter.readsMarks { apply(filter) }
    }

    /// Marks the items of some rows.
    mutating func mark(rows: some Sequence<Int>) { mark(rows.map { index(at: $0) }) }

    mutating func unmarkAll() {
        goneMarks = []
        setMarks([])
    }

    /// Marks the rows that are not marked, and unmarks the others.
    mutating func invertMarks() {
        let rows = Set((0..<count).map { index(at: $0) })
        setMarks(marks.subtracting(rows).union(markable(Array(rows.subtracting(marks)))))
    }
}

extension ItemList {
    /// Returns a term as a predicate over the indices of items.
    private func test(_ term: FilterTerm) -> @Sendable (Int) -> Bool {
        switch term {
        case .text(let pattern): text(pattern)
        case .host(let host): { self.isAt(host.lowercased(), $0) }
        case .status(let name): { self.isIn(state: name, $0) }
        case .code(let codes): { self.failure(of: $0).flatMap { Int($0.prefix(3)) }.map(codes.contains) ?? false }
        case .error(let text): { self.failure(of: $0)?.lowercased().contains(text) ?? false }
        case .duplicate: { self.statuses.kind(of: $0) == .duplicate || self.meets(term, $0) }
        case .format, .verdict, .color, .alpha, .camera, .taken, .number, .ratio, .similar, .mismatch, .digest:
            { self.meets(term, $0) }
        case .marked: { self.marks.contains($0) }
        case .tag, .kind, .state, .key: { _ in false }
        }
    }

    /// Returns whether an item's picture meets a term; its format may be a guess.
    private func meets(_ term: FilterTerm, _ index: Int) -> Bool {
        let known = facts[index]
        var picture = FilteredPicture(
            facts: known.picture, bytes: statuses.bytes(of: index), digest: known.digest,
            isMismatched: known.isMismatched)
        if case .format = term { picture.facts.format = facts.format(of: index, in: items) }
        if term.readsCapture, let capture = facts.capture(of: index) {
            (picture.facts.camera, picture.facts.taken) = (capture.camera, capture.taken)
        }
        return picture.meets(term, related) ?? false
    }

    private func text(_ pattern: TextPattern) -> @Sendable (Int) -> Bool {
        let test = pattern.matches
        // Each address has a scheme, so only a pattern with `://` means it; each path has the folder that is listed.
        let isWhole = pattern.text.contains("://")
        let isPlace = { @Sendable (index: Int) in self.items.root.isEmpty && test(self.items.place(at: index)) }
        let isInText = { @Sendable (index: Int) in
            let address = self.items.withAddress(at: index, isWhole: isWhole) {
                String(decoding: $0, as: UTF8.self)
            }
            return pattern.isFound(inAddress: address) || test(self.items.name(at: index))
                || isPlace(index)
        }
        switch pattern.form {
        case .word:
            return { index in
                // The row may show any part of the address; `%` may stand for what the row shows decoded.
                let isFound = self.items.withAddress(at: index, isWhole: isWhole) { bytes in
                    pattern.isFoundFast(in: bytes).flatMap { $0 || !bytes.contains(UInt8(ascii: "%")) ? $0 : nil }
                }
                if let isFound, let isNamed = self.items.withName(at: index, pattern.isFoundFast) {
                    return isFound || isNamed || isPlace(index)
                }
                return isInText(index)
            }
        case .glob where pattern.namesFolders:
            return { test(String(self.items.location(at: $0).prefix { !"?#".contains($0) })) }
        case .glob: return { test(self.items.name(at: $0)) }
        case .regex: return isInText
        }
    }

    private func isAt(_ host: String, _ index: Int) -> Bool {
        let place = items.place(at: index).lowercased()
        return place == host || place.hasPrefix(host + ":") && !host.contains(":")
    }

    private func isIn(state: String, _ index: Int) -> Bool {
        switch statuses.kind(of: index) {
        case .waiting: state == "waiting"
        case .connecting, .loading, .retrying, .parked: state == "loading"
        case .onDisk, .inMemory: state == "cached"
        case .failed: state == "failed"
        case .duplicate: state == "duplicate"
        case .gone: false
        case .folder: state == "folder"
        }
    }

    private func failure(of index: Int) -> String? {
        guard case .failed(let reason) = statuses.status(of: index, at: 0) else { return nil }
        return reason
    }
}

extension ItemList {
    /// Returns the indices in an order, which is stable; nil for the list's own order.
    ///
    /// Complexity: O(n log n) comparisons of properties as they are now.
    private func indices(by order: SortOrder) -> [Int]? {
        switch order {
        case .list: placed
        case .name:
            items.indices.sorted { one, other in
                items.withName(at: one) { name in items.withName(at: other) { SortOrder.precedes(name, $0) } }
            }
        case .place: items.indices.sorted { SortOrder.precedes(items.place(at: $0), items.place(at: $1)) }
        case .state: items.indices.sorted { rank($0) < rank($1) }
        case .size: items.indices.sorted { bytes($0) > bytes($1) }
        case .pixels: items.indices.sorted { pixels($0) > pixels($1) }
        case .type: items.indices.sorted { type($0) < type($1) }
        case .date: items.indices.sorted { dates[$0] ?? .min > dates[$1] ?? .min }
        case .shuffle: items.indices.sorted { chance($0) < chance($1) }
        }
    }

    /// Returns a number that looks like chance, from the seed and the index (SplitMix64).
    private func chance(_ index: Int) -> UInt64 {
        var value = seed &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// Returns the rank of an item's status; what needs attention comes first.
    private func rank(_ index: Int) -> Int {
        switch statuses.kind(of: index) {
        case .failed: 0
        case .retrying, .parked: 1
        case .loading, .connecting: 2
        case .waiting: 3
        case .onDisk: 4
        case .inMemory: 5
        case .duplicate, .gone, .folder: 6
        }
    }

    private func pixels(_ index: Int) -> Int { facts[index].size.map { $0.width * $0.height } ?? -1 }

    private func type(_ index: Int) -> String { facts.format(of: index, in: items)?.rawValue ?? "\u{10FFFF}" }

    private func bytes(_ index: Int) -> Int {
        switch statuses.status(of: index, at: 0) {
        case .onDisk(let bytes), .inMemory(let bytes): bytes
        case .loading(_, let total?, _, _): total
        default: -1
        }
    }
}

/// The progress of a filter through the items, a slice at a time.
struct FilterScan: Sendable, Equatable {
    /// The indices in their order; nil for the list's own order.
    private var order: [Int]?
    private var count: Int
    private var next = 0

    init(of order: [Int]?, count: Int) {
        self.order = order
        self.count = order?.count ?? count
    }

    var isDone: Bool { next >= count }

    /// Returns the next indices to test, at most `most`.
    mutating func nextSlice(_ most: Int) -> [Int] {
        let range = next..<min(count, next + most)
        next = range.upperBound
        return order.map { Array($0[range]) } ?? Array(range)
    }

    /// Appends new items at the end.
    mutating func append(_ indices: Range<Int>) {
        order?.append(contentsOf: indices)
        count += indices.count
    }

    /// Whether an item has been tested; false if that is uncertain.
    func hasPassed(_ index: Int) -> Bool { order == nil && index < next }
}
