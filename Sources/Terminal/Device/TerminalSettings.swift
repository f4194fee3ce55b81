import Raster

/// What the user says about the terminal, against or before what the terminal says.
public struct TerminalSettings: Equatable, Sendable {
    /// The way pictures are drawn; nil (the default) lets the terminal's answers decide.
    public var graphics: GraphicsMethod?
    /// A cell's size in pixels for terminals that do not tell it; nil (the default) takes 10×20.
    public var cell: CellSize?
    /// Whether clicks and the wheel are reported: false by default, so that text can be selected.
    public var mouse: Bool
    /// False asks the terminal and leaves its screen alone, as `doctor` and `show` do; true by default.
    public var usesScreen: Bool
    /// The colours: dark or light, as the background is, by default.
    ///
    /// `NO_COLOR` comes before it.
    public var theme: ThemeChoice

    public init(
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
