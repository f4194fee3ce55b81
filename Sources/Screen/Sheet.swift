import Raster

/// Rows above the rule, below a title in a rule of its own.
package struct Sheet {
    /// The widest sheet on a screen without panes.
    package static let widest = 100
    /// The width of a list that has room for a sheet.
    package static let leastColumns = 44
    /// The height that a sheet may have on a low screen.
    package static let usualHeight = 10

    let title: String
    let rows: [StyledText]
    var style: Style

    package init(title: String, rows: [StyledText], style: Style = .strong) {
        (self.title, self.rows, self.style) = (title, rows, style)
    }

    /// The rows of the sheet with its title.
    package var height: Int { rows.count + 1 }

    package func draw(in rect: Rect, _ canvas: inout Canvas) {
        guard !rect.isEmpty else { return }
        canvas.clear(rect)
        canvas.rule(rect)
        let room = max(0, rect.columns - 5)
        let text = " \(Fitting.truncate(title, to: room - 2, ellipsis: canvas.glyphs.ellipsis)) "
        canvas.write(text, rect.column + 2, rect.row, width: room, style)
        for (offset, row) in rows.prefix(rect.rows - 1).enumerated() {
            let line = row.truncated(to: rect.columns, canvas.glyphs)
            canvas.write(line, rect.column, rect.row + 1 + offset, width: rect.columns)
        }
    }

    /// Returns a row with a text at its end, before the last cell.
    package static func row(
        _ text: String, end: String, columns: Int, lead: Int = 3, _ glyphs: GlyphSet
    ) -> StyledText {
        let room = max(1, columns - lead - 4 - CellWidth.of(end))
        var line = StyledText(String(repeating: " ", count: lead))
        line.append(Fitting.pad(Fitting.truncateMiddle(text, to: room, ellipsis: glyphs.ellipsis), to: room))
        line.append("  \(end)", .dim)
        return line
    }

    /// Returns the first lines that fit, and how many more there are.
    package static func fitted(_ lines: [StyledText], to rows: Int) -> [StyledText] {
        guard lines.count > max(1, rows) else { return lines }
        let shown = max(0, rows - 1)
        return lines.prefix(shown) + [StyledText("   \(Units.count(lines.count - shown)) others", .dim)]
    }
}
