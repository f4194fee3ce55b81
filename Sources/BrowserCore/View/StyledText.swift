/// A line of text in several styles.
struct StyledText: Equatable {
    struct Span: Equatable {
        let text: String
        let style: Style
    }

    private(set) var spans: [Span] = []

    init() {}

    init(_ text: String, _ style: Style = .plain) { append(text, style) }

    var width: Int { spans.reduce(0) { $0 + CellWidth.of($1.text) } }

    mutating func append(_ text: String, _ style: Style = .plain) {
        if !text.isEmpty { spans.append(Span(text: text, style: style)) }
    }

    mutating func append(_ other: StyledText) { spans += other.spans }

    /// Returns the text, truncated with an ellipsis if it is wider than `width` cells.
    func truncated(to width: Int, _ glyphs: GlyphSet) -> StyledText {
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
    mutating func append(_ other: StyledText, gap: Int) {
        if !spans.isEmpty { append(String(repeating: " ", count: gap)) }
        append(other)
    }
}

extension Style {
    static let dim = Style(.dim)
    static let accent = Style(.accent)
    static let heading = Style(.accent, bold: true)
    static let strong = Style(.text, bold: true)
    static let divider = Style(.divider)
    static let ok = Style(.ok)
    static let warning = Style(.warn)
    static let failure = Style(.error)
    static let track = Style(.barTrack)
    static let match = Style(.accent, bold: true)
    static let bar = Style(.bar, background: .barTrack)
}
