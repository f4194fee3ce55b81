/// A line for the status bar and the time when it disappears.
package struct Notice: Sendable, Equatable {
    package let text: String
    package let end: Int
    package var style: Style
    /// Whether it is about the selected picture and leaves with the selection.
    package var isAboutPicture = false

    package init(text: String, end: Int, style: Style = .accent) {
        (self.text, self.end, self.style) = (text, end, style)
    }

    package static let duration = 4000
    package static let quietDuration = 2000
}
