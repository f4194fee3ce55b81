import AlcedoFilters
import AlcedoScreen
import Raster

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

/// An item's name in a row or thumbnail: a dim prefix, the name and a dim query, with the filter's matches highlighted.
struct NameText: Equatable {
    let lead: String
    let name: String
    /// The query that tells the item from others of the same path; empty otherwise.
    var query = ""

    /// The name without the extension of a picture format, which says what its kind says.
    var stem: String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            ImageFormat(fileExtension: String(name[name.index(after: dot)...])) != nil
        else { return name }
        return String(name[..<dot])
    }

    static func == (one: NameText, other: NameText) -> Bool {
        one.lead + one.name + one.query == other.lead + other.name + other.query
    }

    init(of index: Int, in items: ItemTable, _ style: NameStyle) {
        switch style {
        case .file: (lead, name, query) = (items.distinction(at: index), items.name(at: index), items.query(at: index))
        case .path:
            let parts = AddressParts(items.location(at: index))
            let isAbsolute = parts.host.isEmpty || parts.path.isEmpty
            lead = isAbsolute ? (parts.host.isEmpty ? String(parts.lead) : "") : parts.path + "/"
            (name, query) = (String(parts.file), items.query(at: index))
        case .address:
            let parts = AddressParts(items.location(at: index))
            (lead, name) = (String(parts.lead), String(parts.rest))
        }
    }

    /// Returns the name in `width` cells; the query keeps half of them, the prefix a third of the rest.
    func text(width: Int, ellipsis: String, matching matcher: PictureFilter.Matcher) -> StyledText {
        let tail = Fitting.truncateMiddle(query, to: width / 2, ellipsis: ellipsis)
        let width = width - CellWidth.of(tail)
        let full = CellWidth.of(name)
        let room = min(CellWidth.of(lead), max(width - full, width / 3))
        let isUseless = room < 4 && room < CellWidth.of(lead)
        let shownLead = isUseless ? "" : Fitting.truncateMiddle(lead, to: room, ellipsis: ellipsis)
        let rest = max(0, width - CellWidth.of(shownLead))
        let shownName = Fitting.truncateMiddle(name, to: rest, ellipsis: ellipsis)
        return Self.text([(shownLead, .dim), (shownName, .plain), (tail, .dim)], matching: matcher)
    }

    /// Returns parts in their styles with the filter's matches highlighted, also across parts.
    private static func text(_ parts: [(String, Style)], matching matcher: PictureFilter.Matcher) -> StyledText {
        let whole = parts.map(\.0).joined()
        let matches = matcher(whole).map {
            whole.utf8.distance(
                from: whole.startIndex, to: $0.lowerBound)..<whole.utf8.distance(
                    from: whole.startIndex, to: $0.upperBound)
        }
        var (styled, start) = (StyledText(), 0)
        for (part, style) in parts {
            let end = start + part.utf8.count
            var place = start
            for match in matches where match.upperBound > start && match.lowerBound < end {
                let range = max(match.lowerBound, start)..<min(match.upperBound, end)
                styled.append(slice(whole, place..<range.lowerBound), style)
                styled.append(slice(whole, range), .match)
                place = range.upperBound
            }
            styled.append(slice(whole, place..<end), style)
            start = end
        }
        return styled
    }

    private static func slice(_ text: String, _ range: Range<Int>) -> String {
        String(decoding: text.utf8.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
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
