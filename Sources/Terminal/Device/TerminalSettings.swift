import Raster

/// The user's settings for the terminal, which override detection.
package struct TerminalSettings: Equatable, Sendable {
    /// The method to display pictures; nil (the default) detects it.
    package var graphics: GraphicsMethod?
    /// The cell size in pixels for terminals that do not report it; nil (the default) means 10×20.
    package var cell: CellSize?
    /// Whether mouse events are reported; false by default, so that the terminal can select text.
    package var mouse: Bool
    /// Whether frames are shown (the default); false only queries the terminal, as `doctor` and `show` do.
    package var usesScreen: Bool
    /// The colours, by default dark or light to suit the background; `NO_COLOR` takes precedence.
    package var theme: ThemeChoice

    package init(
        graphics: GraphicsMethod? = nil, cell: CellSize? = nil, mouse: Bool = false, usesScreen: Bool = true,
        theme: ThemeChoice = .auto
    ) {
        self.graphics = graphics
        self.cell = cell
        self.mouse = mouse
        self.usesScreen = usesScreen
        self.theme = theme
    }
}
