import Raster

/// The facts about the items' pictures, 32 bytes each.
struct FactTable: Sendable, Equatable {
    /// Zero stands for what is not known; texts are the places in a list, from 1.
    private struct Row: Sendable, Equatable {
        var width: UInt32 = 0
        var height: UInt32 = 0
        var frames: UInt16 = 0
        var format: UInt8 = 0
        var verdict: UInt8 = 0
        var color: UInt8 = 0
        /// 1 for opaque, 2 for transparent.
        var alpha: UInt8 = 0
        var isMismatched = false
        var hasHash = false
        var hash: UInt64 = 0
        var digest: UInt64 = 0
    }

    private static let verdicts = ["whole", "incomplete", "corrupt", "unreadable", "unchecked"]
    private static let colors = ["grey", "RGB", "CMYK", "Lab"]
    private static let formats = ImageFormat.allCases

    private var rows: [Row] = []

    /// Records what was seen of a decoded picture.
    mutating func record(_ facts: PictureFacts, of item: ItemID) {
        var new = self[item.rawValue]
        new.format = ImageFormat(rawValue: facts.format)
        new.size = facts.originalSize
        // A thumbnail of an animation has one frame only.
        new.frames = max(facts.frames, new.frames ?? 0)
        record(new, of: item)
    }

    /// Records the facts of a picture in place of older ones.
    mutating func record(_ facts: ItemFacts, of item: ItemID) {
        let index = item.rawValue
        if index >= rows.count {
            // Growing by half keeps the number of copies small.
            rows.reserveCapacity(max(index + 1, rows.count * 3 / 2))
            rows += repeatElement(Row(), count: index + 1 - rows.count)
        }
        rows[index] = Row(
            width: UInt32(clamping: facts.size?.width ?? 0), height: UInt32(clamping: facts.size?.height ?? 0),
            frames: UInt16(clamping: facts.frames ?? 0),
            format: Self.number(facts.format, in: Self.formats), verdict: Self.number(facts.verdict, in: Self.verdicts),
            color: Self.number(facts.color, in: Self.colors), alpha: facts.hasAlpha.map { $0 ? 2 : 1 } ?? 0,
            isMismatched: facts.isMismatched, hasHash: facts.hash != nil, hash: facts.hash ?? 0,
            digest: facts.digest ?? 0)
    }

    private static func number<Value: Equatable>(_ value: Value?, in list: [Value]) -> UInt8 {
        value.flatMap { list.firstIndex(of: $0) }.map { UInt8(clamping: $0 + 1) } ?? 0
    }

    /// The facts about an item, some or all unknown.
    subscript(index: Int) -> ItemFacts {
        guard rows.indices.contains(index) else { return ItemFacts() }
        let row = rows[index]
        var facts = ItemFacts()
        facts.size = size(of: index)
        facts.frames = row.frames > 0 ? Int(row.frames) : nil
        facts.format = row.format > 0 ? Self.formats[Int(row.format) - 1] : nil
        facts.verdict = row.verdict > 0 ? Self.verdicts[Int(row.verdict) - 1] : nil
        facts.color = row.color > 0 ? Self.colors[Int(row.color) - 1] : nil
        facts.hasAlpha = row.alpha > 0 ? row.alpha == 2 : nil
        facts.hash = row.hasHash ? row.hash : nil
        facts.digest = row.digest > 0 ? row.digest : nil
        facts.isMismatched = row.isMismatched
        return facts
    }

    func size(of index: Int) -> PixelSize? {
        guard rows.indices.contains(index), rows[index].width > 0 else { return nil }
        return PixelSize(width: Int(rows[index].width), height: Int(rows[index].height))
    }

    func frames(of index: Int) -> Int? {
        rows.indices.contains(index) && rows[index].frames > 0 ? Int(rows[index].frames) : nil
    }

    func isMoving(_ index: Int) -> Bool { rows.indices.contains(index) && rows[index].frames > 1 }

    /// Returns the format, or a guess from the name's extension; nil if neither is known.
    func format(of index: Int, in items: ItemTable) -> ImageFormat? {
        if rows.indices.contains(index), rows[index].format > 0 { return Self.formats[Int(rows[index].format) - 1] }
        let file = AddressParts(items.location(at: index)).file
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return nil }
        return ImageFormat(fileExtension: String(file[file.index(after: dot)...]))
    }

    func digest(of index: Int) -> UInt64? {
        rows.indices.contains(index) && rows[index].digest > 0 ? rows[index].digest : nil
    }

    func hash(of index: Int) -> UInt64? {
        rows.indices.contains(index) && rows[index].hasHash ? rows[index].hash : nil
    }

    /// The indices of the items with facts.
    var indices: Range<Int> { rows.indices }
}
