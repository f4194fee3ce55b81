/// Progress bars as text of an exact width, in halves of a cell if the glyphs have them.
enum ProgressBar {
    /// The cells of the segment that moves along a bar of unknown length.
    private static let segmentWidth = 3

    /// Returns a bar of half a row's height on its track, or a moving segment if the whole is unknown.
    static func thin(_ part: Int, of whole: Int?, at milliseconds: Int, width: Int, glyphs: GlyphSet) -> StyledText {
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
