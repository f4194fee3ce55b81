import AlcedoFilters
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

/// An item's name in a row or thumbnail: a dim prefix and the name, with the filter's matches highlighted.
struct NameText: Equatable {
    let lead: String
    let name: String

    static func == (one: NameText, other: NameText) -> Bool { one.lead + one.name == other.lead + other.name }

    init(of index: Int, in items: ItemTable, _ style: NameStyle) {
        switch style {
        case .file: (lead, name) = (items.distinction(at: index), items.name(at: index))
        case .path:
            let parts = AddressParts(items.location(at: index))
            let isAbsolute = parts.host.isEmpty || parts.path.isEmpty
            lead = isAbsolute ? (parts.host.isEmpty ? String(parts.lead) : "") : parts.path + "/"
            name = String(parts.file)
        case .address:
            let parts = AddressParts(items.location(at: index))
            (lead, name) = (String(parts.lead), String(parts.rest))
        }
    }

    /// Returns the name in `width` cells; the prefix keeps a third of them.
    func text(width: Int, ellipsis: String, matching matcher: PictureFilter.Matcher) -> StyledText {
        let full = CellWidth.of(name)
        let room = min(CellWidth.of(lead), max(width - full, width / 3))
        let isUseless = room < 4 && room < CellWidth.of(lead)
        let shownLead = isUseless ? "" : Fitting.truncateMiddle(lead, to: room, ellipsis: ellipsis)
        let rest = max(0, width - CellWidth.of(shownLead))
        var text = Self.text(shownLead, .dim, matching: matcher)
        text.append(Self.text(Fitting.truncateMiddle(name, to: rest, ellipsis: ellipsis), .plain, matching: matcher))
        return text
    }

    /// Returns a text with the filter's matches highlighted.
    static func text(_ text: String, _ style: Style, matching matcher: PictureFilter.Matcher) -> StyledText {
        var styled = StyledText()
        var next = text.startIndex
        for match in matcher(text) {
            styled.append(String(text[next..<match.lowerBound]), style)
            styled.append(String(text[match]), .match)
            next = match.upperBound
        }
        styled.append(String(text[next...]), style)
        return styled
    }
}
