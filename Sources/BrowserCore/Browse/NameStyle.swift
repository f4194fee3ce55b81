import AlcedoScreen

/// The style of names in rows: file name, path or address.
enum NameStyle: Sendable, CaseIterable {
    /// The file name, with a folder in front if other items have the same name.
    case file
    /// The path on the host, or the whole path of a file.
    case path
    /// The whole address.
    case address

    var next: NameStyle {
        switch self {
        case .file: .path
        case .path: .address
        case .address: .file
        }
    }

    /// The description in a notice.
    var title: String {
        switch self {
        case .file: "file names"
        case .path: "paths"
        case .address: "addresses"
        }
    }
}

extension NameText {
    init(of index: Int, in items: ItemTable, _ style: NameStyle) {
        switch style {
        case .file:
            self.init(
                lead: items.distinction(at: index), name: items.name(at: index), query: items.query(at: index))
        case .path:
            let parts = AddressParts(items.location(at: index))
            let isAbsolute = parts.host.isEmpty || parts.path.isEmpty
            let lead = isAbsolute ? (parts.host.isEmpty ? String(parts.lead) : "") : parts.path + "/"
            self.init(lead: lead, name: String(parts.file), query: items.query(at: index))
        case .address:
            let parts = AddressParts(items.location(at: index))
            self.init(lead: String(parts.lead), name: String(parts.rest))
        }
    }
}
