/// The items of a list, however many: each takes its texts and 26 bytes.
///
/// A name that stands within its location is not stored again, nor is a place that other items share.
struct ItemTable: RandomAccessCollection, Sendable, Equatable {
    private struct Row: Sendable, Equatable {
        let location: TextPages.Place
        let place: UInt32
        /// Where the name begins, from the start of the location; one that stands apart follows the location.
        private let nameStart: UInt16
        /// The name's length; the highest bit tells whether the same picture stands before it in the list.
        private let nameLength: UInt16

        init(location: TextPages.Place, place: UInt32, name: Range<Int>, isDuplicate: Bool) {
            self.location = location
            self.place = place
            nameStart = UInt16(clamping: name.lowerBound)
            nameLength = UInt16(clamping: name.count) & 0x7FFF | (isDuplicate ? 0x8000 : 0)
        }

        var nameOffset: Int { Int(nameStart) }
        var isDuplicate: Bool { nameLength & 0x8000 != 0 }
        var name: TextPages.Place {
            location.part(Int(nameStart)..<Int(nameStart) + Int(nameLength & 0x7FFF))
        }
    }

    /// So many places are shared; those beyond are stored with each item.
    static let placeLimit = 4096
    /// The longest texts that are kept, in bytes; `SafeText` lets none through that is longer.
    private static let textLimit = 32_000

    private var texts = TextPages()
    private var rows: [Row] = []
    private var places: [String] = []
    private var placeNumbers: [String: UInt32] = [:]
    /// Names, and names with the last component of their folder.
    private var repeats = RepeatFilter(capacity: 4096)

    var startIndex: Int { 0 }
    var endIndex: Int { rows.count }
    /// Whether the items come from several hosts or folders.
    var hasPlaces: Bool { places.count > 1 }

    subscript(index: Int) -> BrowseItem {
        let row = rows[index]
        return BrowseItem(
            id: ItemID(index), name: texts[row.name], place: places[Int(row.place)], location: texts[row.location])
    }

    func name(at index: Int) -> String { texts[rows[index].name] }

    func place(at index: Int) -> String { places[Int(rows[index].place)] }

    func location(at index: Int) -> String { texts[rows[index].location] }

    /// Whether an item is a file on this computer: its location is a path.
    func isFile(at index: Int) -> Bool {
        let location = location(at: index)
        return AddressParts(location).host.isEmpty && !location.hasPrefix("data:")
    }

    func withName<Result>(at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        texts.withBytes(at: rows[index].name, body)
    }

    /// Adds an item at the end, whatever its number says.
    mutating func append(_ item: BrowseItem) {
        let (location, name) = (Self.limited(item.location), Self.limited(item.name))
        let length = location.utf8.count
        let start = Self.start(of: name, in: location)
        let whole = texts.append(start == nil ? location + name : location)
        let nameStart = start ?? length
        rows.append(
            Row(
                location: whole.part(0..<length), place: number(of: item.place),
                name: nameStart..<nameStart + name.utf8.count, isDuplicate: item.duplicated != nil))
        if rows.count > repeats.capacity { countAgain() } else { repeats.insert(counted(rows.count - 1)) }
    }

    private static func limited(_ text: String) -> String {
        guard text.utf8.count > textLimit else { return text }
        return String(decoding: text.utf8.prefix(textLimit), as: UTF8.self)
    }

    private mutating func number(of place: String) -> UInt32 {
        if let known = placeNumbers[place] { return known }
        let number = UInt32(clamping: places.count)
        places.append(place)
        if placeNumbers.count < ItemTable.placeLimit { placeNumbers[place] = number }
        return number
    }

    /// Where a text last begins within another: names stand at the end of locations.
    private static func start(of name: String, in location: String) -> Int? {
        var (name, location) = (name, location)
        return name.withUTF8 { needle in
            location.withUTF8 { bytes in
                guard needle.count <= bytes.count else { return nil }
                // Far into a long location is not worth the search.
                let last = bytes.count - needle.count
                return stride(from: last, through: Swift.max(0, last - 256), by: -1).first { start in
                    bytes[start..<start + needle.count].elementsEqual(needle)
                }
            }
        }
    }
}

// MARK: - What tells items of one name apart

extension ItemTable {
    /// What of the location stands before a name that other items have too: `holiday/`, or the whole folder where that
    /// is not enough; empty for a name that is alone.
    func distinction(at index: Int) -> String {
        let hashes = hashes(at: index)
        guard repeats.repeats(hashes.name) else { return "" }
        let folder = AddressParts(location(at: index)).folder
        guard !folder.isEmpty, folder != name(at: index) else { return "" }
        guard !repeats.repeats(hashes.inFolder) else { return folder + "/" }
        return String(folder[(folder.lastIndex(of: "/").map { folder.index(after: $0) } ?? folder.startIndex)...]) + "/"
    }

    private mutating func countAgain() {
        var filter = RepeatFilter(capacity: repeats.capacity * 2)
        for index in rows.indices { filter.insert(counted(index)) }
        repeats = filter
    }

    /// What is counted of an item: one picture twice in a list needs no telling apart.
    private func counted(_ index: Int) -> (UInt64, UInt64)? { rows[index].isDuplicate ? nil : hashes(at: index) }

    /// Of the name, and of the name together with the last component of its folder.
    private func hashes(at index: Int) -> (name: UInt64, inFolder: UInt64) {
        let row = rows[index]
        let name = texts.withBytes(at: row.name) { TextHash.of($0) }
        let folder = texts.withBytes(at: row.location) { bytes in
            let folder = Self.lastFolder(in: bytes, before: row.nameOffset)
            return TextHash.of(UnsafeBufferPointer(rebasing: bytes[folder]), seed: name)
        }
        return (name, folder)
    }

    /// The last component but one of a location, up to a `?` or `#` of a URL; the name's place saves looking for those.
    private static func lastFolder(in bytes: UnsafeBufferPointer<UInt8>, before name: Int) -> Range<Int> {
        let slash = UInt8(ascii: "/")
        var last = name < bytes.count && name > 0 && bytes[name - 1] == slash ? name - 1 : -1
        if last < 0 {
            let end = isAddress(bytes) ? bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } : nil
            last = bytes[..<(end ?? bytes.count)].lastIndex(of: slash) ?? 0
        }
        var start = last
        while start > 0, bytes[start - 1] != slash { start -= 1 }
        return start..<last
    }

    private static func isAddress(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let colon = bytes.prefix(12).firstIndex(of: UInt8(ascii: ":")), colon + 2 < bytes.count else {
            return false
        }
        return bytes[colon + 1] == UInt8(ascii: "/") && bytes[colon + 2] == UInt8(ascii: "/")
    }
}
