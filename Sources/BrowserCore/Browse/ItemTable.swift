/// The items of a list, however many: each takes its texts and 28 bytes.
///
/// A name that stands within its location is not stored again, nor is a place that other items share.
struct ItemTable: RandomAccessCollection, Sendable, Equatable {
    private struct Row: Sendable, Equatable {
        let location: TextPages.Place
        let name: TextPages.Place
        let place: UInt32
    }

    /// So many places are shared; those beyond are stored with each item.
    static let placeLimit = 4096

    private var texts = TextPages()
    private var rows: [Row] = []
    private var places: [String] = []
    private var placeNumbers: [String: UInt32] = [:]

    var startIndex: Int { 0 }
    var endIndex: Int { rows.count }

    subscript(index: Int) -> BrowseItem {
        let row = rows[index]
        return BrowseItem(
            id: ItemID(index), name: texts[row.name], place: places[Int(row.place)], location: texts[row.location])
    }

    func name(at index: Int) -> String { texts[rows[index].name] }

    func place(at index: Int) -> String { places[Int(rows[index].place)] }

    func withName<Result>(at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        texts.withBytes(at: rows[index].name, body)
    }

    /// Adds an item at the end, whatever its number says.
    mutating func append(_ item: BrowseItem) {
        let location = texts.append(item.location)
        let within = texts.withBytes(at: location) { Self.range(of: item.name, in: $0) }
        let name = within.map(location.part) ?? texts.append(item.name)
        rows.append(Row(location: location, name: name, place: number(of: item.place)))
    }

    private mutating func number(of place: String) -> UInt32 {
        if let known = placeNumbers[place] { return known }
        let number = UInt32(clamping: places.count)
        places.append(place)
        if placeNumbers.count < ItemTable.placeLimit { placeNumbers[place] = number }
        return number
    }

    /// The last place of a text within bytes: names stand at the end of locations.
    private static func range(of text: String, in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        let needle = Array(text.utf8)
        guard needle.count <= bytes.count else { return nil }
        // Far into a long location is not worth the search.
        let last = bytes.count - needle.count
        for start in stride(from: last, through: Swift.max(0, last - 256), by: -1) {
            if bytes[start..<start + needle.count].elementsEqual(needle) { return start..<start + needle.count }
        }
        return nil
    }
}
