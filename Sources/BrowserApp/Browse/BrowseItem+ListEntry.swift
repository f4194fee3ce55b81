import BrowserCore
import Lists

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
