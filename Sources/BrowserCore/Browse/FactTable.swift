import Raster

/// The facts about the items' pictures, by the items' indices.
struct FactTable: Sendable, Equatable {
    private var rows: [ItemFacts] = []
    /// Items that were decoded for their facts, whatever came of it.
    private var inspected: Set<Int> = []

    /// Records what was seen of a decoded picture; other facts stay unless it is another picture now.
    mutating func record(_ seen: PictureFacts, of item: ItemID) {
        var facts = self[item.rawValue]
        let format = ImageFormat(rawValue: seen.format)
        if facts.size != seen.originalSize || facts.format != format { facts = ItemFacts() }
        (facts.format, facts.size) = (format, seen.originalSize)
        // A thumbnail of an animation has one frame only.
        facts.frames = max(seen.frames, facts.frames ?? 0)
        record(facts, of: item)
    }

    /// Records the facts of a picture in place of older ones.
    mutating func record(_ facts: ItemFacts, of item: ItemID) {
        let index = item.rawValue
        if index >= rows.count {
            // Growing by half keeps the number of copies small.
            rows.reserveCapacity(max(index + 1, rows.count * 3 / 2))
            rows += repeatElement(ItemFacts(), count: index + 1 - rows.count)
        }
        rows[index] = facts
    }

    /// The facts about an item, some or all unknown.
    subscript(index: Int) -> ItemFacts { rows.indices.contains(index) ? rows[index] : ItemFacts() }

    /// The facts of all items that have some, in the order of the list.
    var all: [ItemFacts] { rows }

    /// Returns the format, or a guess from the name's extension; nil if neither is known.
    func format(of index: Int, in items: ItemTable) -> ImageFormat? {
        if let format = self[index].format { return format }
        let file = AddressParts(items.location(at: index)).file
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return nil }
        return ImageFormat(fileExtension: String(file[file.index(after: dot)...]))
    }

    /// Whether a decode may still tell an item's digest, or its hash and the other facts about pixels.
    func lacks(pixels: Bool, _ index: Int) -> Bool {
        (pixels ? self[index].hash : self[index].digest) == nil && !inspected.contains(index)
    }

    mutating func markInspected(_ indices: [Int]) { inspected.formUnion(indices) }
}
