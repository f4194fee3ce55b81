/// A detail of an item.
package struct DetailLine: Hashable, Sendable {
    /// A word or two: `camera`.
    package let label: String
    package let value: String

    package init(_ label: String, _ value: String) {
        self.label = label
        self.value = value
    }
}

/// The details of the selected item beyond its picture, and the request for them.
struct ItemDetails: Sendable, Equatable {
    /// The inputs of the details: another picture or status means that they must be requested again.
    struct Request: Sendable, Equatable {
        let item: ItemID
        let picture: PictureID?
        let kind: StatusTable.Kind
    }

    private(set) var request: Request?
    private(set) var lines: [DetailLine] = []

    /// Replaces the request.
    ///
    /// - Returns: whether the details must be requested.
    mutating func setRequest(_ new: Request?) -> Bool {
        guard new != request else { return false }
        if new?.item != request?.item { lines = [] }
        request = new
        return new != nil
    }

    mutating func receive(_ found: [DetailLine], of item: ItemID) {
        guard item == request?.item else { return }
        lines = found.map { DetailLine(SafeText.clean($0.label, limit: 32), SafeText.clean($0.value)) }
    }
}

extension BrowseState {
    /// Requests the details of the selected item while they are visible.
    mutating func refreshDetails() -> [BrowseEffect] {
        let request =
            showsInfo
            ? selected.map { item in
                ItemDetails.Request(
                    item: item, picture: slot.picture?.picture, kind: statuses.kind(of: item.rawValue))
            } : nil
        guard details.setRequest(request), let request else { return [] }
        return [.describe(request.item)]
    }
}
