import AlcedoScreen

/// The items of a list: each takes its texts and 26 bytes.
///
/// A name that is part of its location is not stored again, nor is a place that other items share.
struct ItemTable: RandomAccessCollection, Sendable, Equatable {
    private struct Row: Sendable, Equatable {
        let location: TextPages.Place
        let place: UInt32
        /// The offset of the name from the start of the location; a name that is not part of it follows the location.
        private let nameStart: UInt16
        private let nameLength: UInt16

        init(location: TextPages.Place, place: UInt32, name: Range<Int>) {
            self.location = location
            self.place = place
            nameStart = UInt16(clamping: name.lowerBound)
            nameLength = UInt16(clamping: name.count)
        }

        var nameOffset: Int { Int(nameStart) }
        var name: TextPages.Place { location.part(Int(nameStart)..<Int(nameStart) + Int(nameLength)) }
    }

    /// The maximum number of shared places; further ones are stored with each item.
    static let placeLimit = 4096
    /// The maximum length of a text in bytes; `SafeText` returns no longer ones.
    private static let textLimit = 32_000

    private var texts = TextPages()
    private var rows: [Row] = []
    private var places: [String] = []
    private var placeNumbers: [String: UInt32] = [:]
    /// Hashes of names, and of names with the last component of their folder.
    private var seen: Set<UInt32> = []
    /// Those that several items have.
    private var repeated: Set<UInt32> = []

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

    /// Whether one of the first hundred items is a local file: what only files have gets its room then.
    private(set) var beginWithFiles = false

    /// Whether an item is a local file, so that its location is a path.
    func isFile(at index: Int) -> Bool {
        let location = location(at: index)
        return AddressParts(location).host.isEmpty && !location.hasPrefix("data:")
    }

    func withName<Result>(at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        texts.withBytes(at: rows[index].name, body)
    }

    /// The folder that is listed, with a slash at its end; empty for other lists.
    var root = ""

    /// Calls `body` with a path or an address, which is whole or lacks the folder that is listed, or the scheme.
    func withAddress<Result>(
        at index: Int, isWhole: Bool, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        texts.withBytes(at: rows[index].location) { bytes in
            if !isWhole, !root.isEmpty, bytes.starts(with: root.utf8) {
                return body(UnsafeBufferPointer(rebasing: bytes[root.utf8.count...]))
            }
            guard !isWhole, Self.isAddress(bytes), let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
                return body(bytes)
            }
            return body(UnsafeBufferPointer(rebasing: bytes[(colon + 3)...]))
        }
    }

    /// Appends an item, whatever its number.
    mutating func append(_ item: BrowseItem) {
        rows.append(row(for: item))
        if rows.count <= 100, isFile(at: rows.count - 1) { beginWithFiles = true }
        // A duplicate needs no distinction.
        if item.duplicated == nil { distinguish(rows.count - 1) }
    }

    /// Replaces the texts of an item; the old ones keep their memory, and its name is not told from others again.
    mutating func replace(_ item: BrowseItem) { rows[item.id.rawValue] = row(for: item) }

    private mutating func row(for item: BrowseItem) -> Row {
        let (location, name) = (Self.limited(item.location), Self.limited(item.name))
        let length = location.utf8.count
        let start = Self.start(of: name, in: location)
        let whole = texts.append(start == nil ? location + name : location)
        let nameStart = start ?? length
        return Row(
            location: whole.part(0..<length), place: number(of: item.place),
            name: nameStart..<nameStart + name.utf8.count)
    }

    private mutating func distinguish(_ index: Int) {
        // The query tells pictures of one path apart; their folder would not.
        if let hash = queryHash(at: index), !seen.insert(hash).inserted {
            repeated.insert(hash)
            return
        }
        let hashes = hashes(at: index)
        for hash in [hashes.name, hashes.inFolder] where !seen.insert(hash).inserted { repeated.insert(hash) }
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

    /// Returns the last position of a name in a location.
    private static func start(of name: String, in location: String) -> Int? {
        var (name, location) = (name, location)
        return name.withUTF8 { needle in
            location.withUTF8 { bytes in
                guard needle.count <= bytes.count else { return nil }
                // Names usually are at the end, so the search is limited.
                let last = bytes.count - needle.count
                return stride(from: last, through: Swift.max(0, last - 256), by: -1).first { start in
                    bytes[start..<start + needle.count].elementsEqual(needle)
                }
            }
        }
    }
}

// MARK: - Distinction of equal names

extension ItemTable {
    /// Returns the folder in front of a name that other items also have; empty for a unique name.
    ///
    /// This is the last component of the folder, or the whole folder if the component is not unique either.
    func distinction(at index: Int) -> String {
        let hashes = hashes(at: index)
        guard repeated.contains(hashes.name) else { return "" }
        let folder = AddressParts(location(at: index)).folder
        guard !folder.isEmpty, folder != name(at: index) else { return "" }
        guard !repeated.contains(hashes.inFolder) else { return folder + "/" }
        return String(folder[(folder.lastIndex(of: "/").map { folder.index(after: $0) } ?? folder.startIndex)...]) + "/"
    }

    /// Returns the query of an address if another item has the same address with another query; empty otherwise.
    func query(at index: Int) -> String {
        guard let hash = queryHash(at: index), repeated.contains(hash) else { return "" }
        let location = location(at: index)
        return location.firstIndex(of: "?").map { String(location[$0...]) } ?? ""
    }

    /// Returns the hash of an address up to its query; nil if it has none.
    private func queryHash(at index: Int) -> UInt32? {
        texts.withBytes(at: rows[index].location) { bytes in
            guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")), Self.isAddress(bytes) else { return nil }
            return Self.hash(UnsafeBufferPointer(rebasing: bytes[...mark]), seed: 1)
        }
    }

    /// Returns the hashes of the name, and of the name with the last component of its folder.
    private func hashes(at index: Int) -> (name: UInt32, inFolder: UInt32) {
        let row = rows[index]
        let name = texts.withBytes(at: row.name) { Self.hash($0) }
        let folder = texts.withBytes(at: row.location) { bytes in
            let folder = Self.lastFolder(in: bytes, before: row.nameOffset)
            return Self.hash(UnsafeBufferPointer(rebasing: bytes[folder]), seed: name)
        }
        return (name, folder)
    }

    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>, seed: UInt32 = 0) -> UInt32 {
        var hasher = Hasher()
        hasher.combine(seed)
        hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }

    /// Returns the range of the last component of the folder.
    ///
    /// Ignores the query and fragment of a URL, unless the position of the name makes that unnecessary.
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
