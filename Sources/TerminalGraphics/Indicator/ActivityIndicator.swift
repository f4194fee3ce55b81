/// A sign that turns while a picture is on its way.
public struct ActivityIndicator: Indicator {
    /// The signs of one turn, each a character of one cell.
    public enum GlyphSet: String, Sendable, CaseIterable {
        case dots, circle, arc, bar, ascii

        var glyphs: [String] {
            switch self {
            case .dots: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
            case .circle: ["◐", "◓", "◑", "◒"]
            case .arc: ["◜", "◠", "◝", "◞", "◡", "◟"]
            case .bar: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█", "▇", "▆", "▅", "▄", "▃", "▂"]
            case .ascii: ["|", "/", "-", "\\"]
            }
        }
    }

    /// The signs of one turn.
    public let glyphSet: GlyphSet
    public let interval: Duration?

    /// `dots`, a new sign every 80 ms, by default; a step shorter than 1 ms is 1 ms.
    public init(_ glyphSet: GlyphSet = .dots, interval: Duration = .milliseconds(80)) {
        self.glyphSet = glyphSet
        self.interval = max(interval, .milliseconds(1))
    }

    public func frame(_ moment: IndicatorMoment) -> StandInLook {
        let glyphs = glyphSet.glyphs
        let steps = max(.zero, moment.elapsed) / (interval ?? .milliseconds(80))
        return .text([glyphs[Int(steps.truncatingRemainder(dividingBy: Double(glyphs.count)))]])
    }
}
