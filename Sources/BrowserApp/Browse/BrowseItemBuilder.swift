import BrowserCore
import Lists

/// Converts list entries into items for the screen.
struct BrowseItemBuilder {
    /// An entry with its number.
    struct NumberedEntry: Sendable {
        let item: BrowseItem
        let location: String
        /// The entry if it says more than the location; else nil.
        let details: ListEntry?
    }

    private var duplicates = DuplicateFilter()
    private(set) var count = 0

    mutating func build(_ entry: ListEntry) -> NumberedEntry {
        let id = ItemID(count)
        count += 1
        let first = duplicates.insert(URLNormalizer.normalize(entry.location), at: id.rawValue).map { ItemID($0) }
        return NumberedEntry(
            item: BrowseItem(id: id, entry: entry, duplicated: first), location: entry.location,
            details: entry.saysHow || entry.key != nil || entry.process != nil ? entry : nil)
    }
}

extension BrowseItem {
    /// Creates an item with sanitized texts from a list entry.
    init(id: ItemID, entry: ListEntry, duplicated: ItemID? = nil) {
        let shown = SafeText.clean(Redaction.display(entry.location), keepsEnd: true)
        let names = LocationNames(entry.location)
        self.init(
            id: id, name: SafeText.clean(entry.title ?? names.name, keepsEnd: true),
            place: SafeText.clean(names.place), location: shown, duplicated: duplicated)
    }
}
