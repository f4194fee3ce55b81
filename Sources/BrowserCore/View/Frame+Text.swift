import Raster

extension Frame {
    /// Writes lines in the middle of a rectangle, in the accent colour; what does not fit or is not safe is left out.
    package mutating func write(_ lines: [String], centeredIn rect: Rect, isASCII: Bool) {
        var canvas = Canvas(self, glyphs: .set(isASCII: isASCII))
        let shown = lines.prefix(rect.rows)
        let top = rect.row + (rect.rows - shown.count) / 2
        for (offset, line) in shown.enumerated() {
            let text = Fitting.truncate(line, to: rect.columns, ellipsis: canvas.glyphs.ellipsis)
            canvas.write(StyledText(text, .accent), centeredIn: rect, top + offset)
        }
        self = canvas.frame
    }
}
