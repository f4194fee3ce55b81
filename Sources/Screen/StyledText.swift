/// A line of text in several styles.
package struct StyledText: Equatable {
    package struct Span: Equatable {
        package let text: String
        package let style: Style
    }

    package private(set) var spans: [Span] = []

    package init() {}

    package init(_ text: String, _ style: Style = .plain) { append(text, style) }

    package var width: Int { spans.reduce(0) { $0 + CellWidth.of($1.text) } }

    package mutating func append(_ text: String, _ style: Style = .plain) {
        if !text.isEmpty { spans.append(Span(text: text, style: style)) }
    }

    package mutating func append(_ other: StyledText) { spans += other.spans }

    /// Returns the text, truncated with an ellipsis if it is wider than `width` cells.
    package func truncated(to width: Int, _ glyphs: GlyphSet) -> StyledText {
        guard self.width > width else { return self }
        let room = width - CellWidth.of(glyphs.ellipsis)
        var (text, style) = (StyledText(), Style.plain)
        for span in spans {
            let clipped = Fitting.clip(span.text, to: max(0, room - text.width))
            text.append(clipped, span.style)
            style = span.style
            if clipped != span.text { break }
        }
        text.append(Fitting.clip(glyphs.ellipsis, to: width), style)
        return text
    }

    /// Appends text after a gap, without the gap if the line is empty.
    package mutating func append(_ other: StyledText, gap: Int) {
        if !spans.isEmpty { append(String(repeating: " ", count: gap)) }
        append(other)
    }
}

extension Style {
    package static let dim = Style(.dim)
    package static let accent = Style(.accent)
    package static let heading = Style(.accent, bold: true)
    package static let strong = Style(.text, bold: true)
    package static let divider = Style(.divider)
    package static let ok = Style(.ok)
    package static let warning = Style(.warn)
    package static let failure = Style(.error)
    package static let track = Style(.barTrack)
    package static let match = Style(.accent, bold: true)
}

/// The key hints at the end of a status line: the last ones that fit.
package struct HintLine {
    /// A hint and the key that a click on it presses; nil if it presses none.
    package struct Hint {
        package let text: StyledText
        package let key: Key?

        package init(_ signs: String, _ title: String, key: Key?) {
            var text = StyledText(signs)
            text.append(title.isEmpty ? "" : " " + title, .dim)
            (self.text, self.key) = (text, key)
        }

        package init(_ key: Key, _ title: String, _ glyphs: GlyphSet) {
            self.init(KeyName.sign(key, glyphs), title, key: key)
        }
    }

    private static let gap = 2
    private var hints: ArraySlice<Hint>

    /// Creates a line of the hints that fit into `room` cells; drops the first ones first.
    package init(_ hints: [Hint], room: Int = .max) {
        self.hints = hints[...]
        while !self.hints.isEmpty, width > room { self.hints = self.hints.dropFirst() }
    }

    package var text: StyledText { hints.reduce(into: StyledText()) { $0.append($1.text, gap: Self.gap) } }
    package var width: Int { text.width }

    /// Returns the key of the hint at a distance from the start of the line.
    package func key(at distance: Int) -> Key? {
        var start = 0
        for hint in hints {
            if (start..<start + hint.text.width).contains(distance) { return hint.key }
            start += hint.text.width + Self.gap
        }
        return nil
    }
}

/// Progress bars as text of an exact width, in halves of a cell if the glyphs have them.
package enum ProgressBar {
    /// The cells of the segment that moves along a bar of unknown length.
    private static let segmentWidth = 3

    /// Returns a bar of half a row's height on its track, or a moving segment if the whole is unknown.
    package static func thin(_ part: Int, of whole: Int?, at milliseconds: Int, width: Int, glyphs: GlyphSet)
        -> StyledText
    {
        guard let whole, whole > 0 else { return thinMoving(at: milliseconds, width: width, glyphs) }
        let steps = glyphs.thinHalf == nil ? 1 : 2
        let share = min(1, max(0, Double(part) / Double(whole)))
        let filled = Int(share * Double(max(0, width) * steps))
        let half = filled % steps > 0 ? glyphs.thinHalf ?? "" : ""
        return thin(repeated(glyphs.thinFull, filled / steps) + half, from: 0, width: width, glyphs)
    }

    private static func thinMoving(at milliseconds: Int, width: Int, _ glyphs: GlyphSet) -> StyledText {
        let segment = repeated(glyphs.thinFull, min(max(0, width), segmentWidth))
        return thin(segment, from: offset(at: milliseconds, travel: width - segment.count), width: width, glyphs)
    }

    private static func thin(_ filled: String, from start: Int, width: Int, _ glyphs: GlyphSet) -> StyledText {
        var text = StyledText(repeated(glyphs.thinTrack, start), .track)
        text.append(filled, Style(.bar))
        text.append(repeated(glyphs.thinTrack, width - start - filled.count), .track)
        return text
    }

    private static func repeated(_ sign: String, _ count: Int) -> String {
        String(repeating: sign, count: max(0, count))
    }

    /// Returns the position of something that moves back and forth, one cell every 100 ms.
    private static func offset(at milliseconds: Int, travel: Int) -> Int {
        guard travel > 0 else { return 0 }
        let phase = milliseconds / 100 % (travel * 2)
        return phase <= travel ? phase : travel * 2 - phase
    }
}

/// A detail of an item.
package struct DetailLine: Hashable, Sendable {
    /// The groups of details in their order; the last one has what few readers look for.
    package enum Group: Int, Sendable {
        case file, picture, transfer, camera, more
    }

    /// A word or two: `camera`.
    package let label: String
    package let value: String
    package let group: Group

    package init(_ label: String, _ value: String, _ group: Group = .file) {
        (self.label, self.value, self.group) = (label, value, group)
    }
}

/// Label and value pairs arranged in rows; a long value continues in further rows if there are spare ones.
package struct DetailRows {
    package struct Row: Equatable {
        package let line: DetailLine
        /// The part of the value that this row shows.
        package let part: String
        package let isFirst: Bool
    }

    package let rows: [Row]

    /// Arranges lines in at most `count` rows; the first lines get spare rows first, up to three per value.
    package init(_ lines: [DetailLine], width: Int, count: Int, ellipsis: String) {
        var spare = max(0, count - lines.count)
        var rows: [Row] = []
        for line in lines.prefix(max(0, count)) {
            let parts = Self.parts(of: line, width: width, limit: min(3, 1 + spare), ellipsis: ellipsis)
            spare -= max(0, parts.count - 1)
            for (place, part) in parts.enumerated() { rows.append(Row(line: line, part: part, isFirst: place == 0)) }
        }
        self.rows = rows
    }

    /// Splits a value into rows: lists of facts and sentences at spaces; addresses and digests anywhere, truncated in the
    /// middle, because their end is significant.
    ///
    /// A list of facts that does not fit loses its last ones.
    private static func parts(of line: DetailLine, width: Int, limit: Int, ellipsis: String) -> [String] {
        if CellWidth.of(line.value) <= width { return [line.value] }
        guard line.group == .camera || line.value.contains(", ") else {
            return Fitting.fold(line.value, to: width, limit: limit, ellipsis: ellipsis)
        }
        var facts = line.value.split(separator: ", ")
        func rows(_ limit: Int) -> [String] {
            Fitting.wrap(facts.joined(separator: ", "), to: width, limit: limit, ellipsis: ellipsis)
        }
        while facts.count > 1, rows(limit + 1).count > limit { facts.removeLast() }
        return rows(limit)
    }
}
