import Raster

/// An item's name in a row or thumbnail: a dim prefix, the name and a dim query, with the filter's matches highlighted.
package struct NameText: Equatable {
    /// Returns the parts of a text that a filter matches.
    package typealias Matcher = (String) -> [Range<String.Index>]

    package let lead: String
    package let name: String
    /// The query that tells the item from others of the same path; empty otherwise.
    package let query: String

    package init(lead: String, name: String, query: String = "") {
        (self.lead, self.name, self.query) = (lead, name, query)
    }

    /// The name without the extension of a picture format, which says what its kind says.
    package var stem: String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            ImageFormat(fileExtension: String(name[name.index(after: dot)...])) != nil
        else { return name }
        return String(name[..<dot])
    }

    package static func == (one: NameText, other: NameText) -> Bool {
        one.lead + one.name + one.query == other.lead + other.name + other.query
    }

    /// Returns the name in `width` cells; the query keeps half of them, the prefix a third of the rest.
    package func text(
        width: Int, ellipsis: String, matching matcher: Matcher = { _ in [] }
    ) -> StyledText {
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
    private static func text(_ parts: [(String, Style)], matching matcher: Matcher) -> StyledText {
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
    package static func text(_ text: String, _ style: Style, matching matcher: Matcher) -> StyledText {
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
