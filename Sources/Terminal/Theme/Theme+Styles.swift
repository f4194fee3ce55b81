import AlcedoScreen
import Raster

/// The colours of styles in palettes of 8, 16 and 256.
extension Theme {
    /// Black and white of the colour cube, which do not depend on the terminal's settings.
    private static let (black, white) = (16, 231)
    /// The least difference of luma between text and its background in a palette of few colours.
    private static let leastDifference = 60_000

    /// Returns the numbers of a style's colours in a palette of `count` colours; -1 means the terminal's own colour.
    func numbers(of style: Style, among count: Int) -> (foreground: Int, background: Int) {
        let isKnown = style.background != .mark || distinguishesMarks(among: count)
        let own = style.background.map { isKnown ? number(of: $0, among: count) : -1 } ?? -1
        let background = own < 0 ? number(of: .background, among: count) : own
        return (foreground(of: style.foreground, on: background, among: count), background)
    }

    /// Whether marked rows have a background, and another one than selected rows.
    func distinguishesMarks(among count: Int) -> Bool {
        let mark = number(of: .mark, among: count)
        return mark >= 0 && mark != number(of: .selection, among: count)
    }

    /// Returns the colour of text.
    ///
    /// The terminal's default text colour may be unreadable on a background of the theme's, so the theme's text colour,
    /// or black or white, is used there. Among few colours, so may a colour of the theme; the signs tell the state then.
    private func foreground(of token: ThemeToken, on background: Int, among count: Int) -> Int {
        let own = number(of: token, among: count)
        guard let ground = UInt8(exactly: background).map(XtermPalette.color) else { return own }
        if count < 256 {
            guard let color = UInt8(exactly: own).map(XtermPalette.color),
                abs(color.luma - ground.luma) < Self.leastDifference
            else { return own < 0 ? text(on: background, among: count) : own }
            return ground.luma > 128_000 ? 0 : count >= 16 ? 15 : 7
        }
        let text = text(on: background, among: count)
        guard own < 0, text < 0, background >= 16 else { return own < 0 ? text : own }
        let isLight = Int(ground.red) * 3 + Int(ground.green) * 6 + Int(ground.blue) > 5 * 255
        return isLight ? Self.black : Self.white
    }

    /// The theme's text colour on its own background; -1 elsewhere.
    private func text(on background: Int, among count: Int) -> Int {
        background == number(of: .background, among: count) ? number(of: .text, among: count) : -1
    }
}
