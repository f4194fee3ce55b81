/// A bar as text of an exact width; eighths of a cell where the glyphs have them.
enum ProgressBar {
    /// The filled part and room up to `width`, for `part` of `whole`; empty when the whole is not above zero.
    static func known(_ part: Int, of whole: Int, width: Int, glyphs: GlyphSet) -> String {
        let steps = glyphs.barSteps.count
        let share = whole > 0 ? min(1, max(0, Double(part) / Double(whole))) : 0
        let filled = Int(share * Double(max(0, width) * steps))
        let full = String(repeating: glyphs.barSteps[steps - 1], count: filled / steps)
        let partial = filled % steps > 0 ? glyphs.barSteps[filled % steps - 1] : ""
        return Fitting.pad(full + partial, to: width)
    }

    /// A segment that travels there and back, one cell every 100 ms, for a length nobody knows.
    static func moving(at milliseconds: Int, width: Int, glyphs: GlyphSet) -> String {
        let travel = width - glyphs.segment.count
        guard travel > 0 else { return Fitting.clip(glyphs.segment.joined(), to: width) }
        let phase = milliseconds / 100 % (travel * 2)
        let offset = phase <= travel ? phase : travel * 2 - phase
        return Fitting.pad(String(repeating: " ", count: offset) + glyphs.segment.joined(), to: width)
    }

    /// `known` or, when the whole is not known, `moving`.
    static func text(_ part: Int, of whole: Int?, at milliseconds: Int, width: Int, glyphs: GlyphSet) -> String {
        guard let whole, whole > 0 else { return moving(at: milliseconds, width: width, glyphs: glyphs) }
        return known(part, of: whole, width: width, glyphs: glyphs)
    }
}
