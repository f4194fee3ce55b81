import AlcedoFilters
import AlcedoScreen
import Raster

/// The facts about an item's picture, in 32 bytes; what is not known is nil.
package struct ItemFacts: Hashable, Sendable {
    // Zero stands for what is not known; the names of values are stored as their places in a list, from 1.
    private var width: UInt32 = 0
    private var height: UInt32 = 0
    private var frameCount: UInt16 = 0
    private var formatNumber: UInt8 = 0
    private var verdictNumber: UInt8 = 0
    private var colorNumber: UInt8 = 0
    private var alphaNumber: UInt8 = 0
    /// Whether the name or the media type says another format.
    package var isMismatched = false
    private var hasHash = false
    private var hashBits: UInt64 = 0
    private var digestBits: UInt64 = 0

    package init() {}

    /// Creates the facts that a file tells.
    package init(_ facts: PictureFacts) {
        (format, size, frames, verdict) = (facts.format, facts.size, facts.frames, facts.verdict)
        (color, hasAlpha, hash) = (facts.color?.model, facts.hasAlpha, facts.perceptualHash?.bits)
    }

    package var size: PixelSize? {
        get { width > 0 ? PixelSize(width: Int(width), height: Int(height)) : nil }
        set { (width, height) = (UInt32(clamping: newValue?.width ?? 0), UInt32(clamping: newValue?.height ?? 0)) }
    }

    package var frames: Int? {
        get { frameCount > 0 ? Int(frameCount) : nil }
        set { frameCount = UInt16(clamping: newValue ?? 0) }
    }

    var isMoving: Bool { frameCount > 1 }

    package var format: ImageFormat? {
        get { Self.value(formatNumber, in: Self.formats) }
        set { formatNumber = Self.number(newValue, in: Self.formats) }
    }

    /// The result of the check of the pixels.
    package var verdict: PictureVerdict? {
        get { Self.value(verdictNumber, in: Self.verdicts) }
        set { verdictNumber = Self.number(newValue, in: Self.verdicts) }
    }

    /// The colour model.
    package var color: ColorFacts.Model? {
        get { Self.value(colorNumber, in: Self.colorModels) }
        set { colorNumber = Self.number(newValue, in: Self.colorModels) }
    }

    /// Whether a pixel is transparent.
    package var hasAlpha: Bool? {
        get { Self.value(alphaNumber, in: [false, true]) }
        set { alphaNumber = Self.number(newValue, in: [false, true]) }
    }

    /// The perceptual hash.
    package var hash: UInt64? {
        get { hasHash ? hashBits : nil }
        set { (hasHash, hashBits) = (newValue != nil, newValue ?? 0) }
    }

    /// The first eight bytes of the SHA-256.
    package var digest: UInt64? {
        get { digestBits > 0 ? digestBits : nil }
        set { digestBits = newValue ?? 0 }
    }

    /// The facts as far as filters read them.
    var picture: PictureFacts {
        var facts = PictureFacts()
        (facts.format, facts.size, facts.frames, facts.verdict) = (format, size, frames, verdict)
        facts.color = color.map { ColorFacts($0, bits: 0) }
        (facts.hasAlpha, facts.perceptualHash) = (hasAlpha, hash.map(PerceptualHash.init(bits:)))
        return facts
    }

    private static let formats = ImageFormat.allCases
    private static let verdicts = PictureVerdict.allCases
    private static let colorModels = ColorFacts.Model.allCases

    private static func value<Value>(_ number: UInt8, in list: [Value]) -> Value? {
        number > 0 ? list[Int(number) - 1] : nil
    }

    private static func number<Value: Equatable>(_ value: Value?, in list: [Value]) -> UInt8 {
        value.flatMap { list.firstIndex(of: $0) }.map { UInt8(clamping: $0 + 1) } ?? 0
    }
}

/// How a picture was taken, as its file states it.
package struct CaptureTexts: Hashable, Sendable {
    let camera: String?
    let taken: String?

    package init(camera: String? = nil, taken: String? = nil) { (self.camera, self.taken) = (camera, taken) }
}

/// The facts about the items' pictures, by the items' indices.
struct FactTable: Sendable, Equatable {
    private var rows: [ItemFacts] = []
    /// Items that were decoded for their facts, whatever came of it.
    private var inspected: Set<Int> = []
    /// How pictures were taken, as far as a filter asked for it; empty ones for what is not known yet.
    private var captures: [Int: CaptureTexts] = [:]

    /// Records what was seen of a decoded picture; other facts stay unless it is another picture now.
    mutating func record(_ seen: ShownPicture, of item: ItemID) {
        // The facts of a file are those of its first page.
        guard seen.page == 1 else { return }
        var facts = self[item.rawValue]
        let format = ImageFormat(rawValue: seen.format)
        if facts.size != seen.originalSize || facts.format != format { facts = ItemFacts() }
        (facts.format, facts.size) = (format, seen.originalSize)
        // A thumbnail of an animation has one frame only.
        facts.frames = max(seen.frames, facts.frames ?? 0)
        if let verdict = PictureVerdict(rawValue: seen.damage) { facts.verdict = verdict }
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

    mutating func record(_ capture: CaptureTexts?, of item: ItemID) { captures[item.rawValue] = capture }

    /// Forgets which captures were asked for and not read, or say nothing.
    mutating func forgetCapturesWithoutText() { captures = captures.filter { $0.value != CaptureTexts() } }

    /// How an item's picture was taken; nil if nothing was asked for.
    func capture(of index: Int) -> CaptureTexts? { captures[index] }

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
