/// One thing that is known of an item.
package struct DetailLine: Hashable, Sendable {
    /// A word or two: `camera`.
    package let label: String
    package let value: String

    package init(_ label: String, _ value: String) {
        self.label = label
        self.value = value
    }
}

/// What is known of the chosen item beyond its picture, and for which sight of it that was asked.
struct ItemDetails: Sendable, Equatable {
    /// A picture that came says more than the item before it, and so does an attempt that ended.
    struct Wish: Sendable, Equatable {
        let item: ItemID
        let picture: PictureID?
        let kind: StatusTable.Kind
    }

    private(set) var wish: Wish?
    private(set) var lines: [DetailLine] = []

    /// Takes up another wish; answers whether there is something new to find out.
    mutating func ask(_ new: Wish?) -> Bool {
        guard new != wish else { return false }
        if new?.item != wish?.item { lines = [] }
        wish = new
        return new != nil
    }

    mutating func receive(_ found: [DetailLine], of item: ItemID) {
        guard item == wish?.item else { return }
        lines = found.map { DetailLine(SafeText.clean($0.label, limit: 32), SafeText.clean($0.value)) }
    }
}

extension BrowseState {
    /// Asks what is known of the chosen item while its details are shown.
    mutating func refreshDetails() -> [BrowseEffect] {
        let wish =
            showsInfo
            ? selected.map { item in
                ItemDetails.Wish(
                    item: item, picture: slot.picture?.picture, kind: statuses.kind(of: item.rawValue))
            } : nil
        guard details.ask(wish), let wish else { return [] }
        return [.describe(wish.item)]
    }
}
