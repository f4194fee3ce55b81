import BrowserCore
import Foundation
import ImageLoading
import Lists
import Raster
import Terminal
import TerminalGraphics

/// What the command line says about the browser.
public struct BrowserSettings: Sendable {
    /// List files, folders, pictures, URLs, or `-`.
    public var lists: [String] = []
    /// What relative locations in the lists start from; nil, the default, for each list's own folder.
    package var base: ListBase?
    /// Shown at the top.
    public var title = ""
    public var isASCII = false
    /// Clicks, the wheel and drags; on by default.
    ///
    /// With it on, terminals select text while Shift is held.
    public var hasMouse = true
    /// Which keys do what.
    public var keyMap = KeyMap.standard
    /// The program that shows what `o` hands out; `xdg-open` by default.
    public var opener = "xdg-open"
    /// Warm the caches around the selection; on by default.
    public var prefetches = true
    /// Fade new pictures in; on by default.
    public var hasTransitions = true
    /// How long a picture stands in a slideshow; 5 s by default, 100 ms at least.
    public var slideTime = Duration.seconds(5)
    /// How pictures take their place: a fade of 200 ms for what no cache had, by default.
    public var display = ImageOptions([.transition(.fade(.milliseconds(200))), .loadDiskFileSynchronously]).display
    /// What stands where a picture will be: a card with its name and place by default, which is nil.
    public var placeholder: (any Placeholder)?
    var standingPlaceholder: any Placeholder { placeholder ?? BlankPlaceholder() }
    /// How a slow load is shown: a bar by default.
    public var indicator = BrowserIndicator.bar
    /// Between source and preview; nothing by default.
    public var processor: any ImageProcessor = DefaultImageProcessor()
    /// The chain as it was written.
    public var processorText = ""
    /// The file that failures and notices are appended to; nil, the default, for none.
    public var logPath: String?
    public var library = LibrarySettings()
    /// Dark or light, as the background is, by default.
    var theme = ThemeChoice.auto
    /// nil lets the terminal's answers decide.
    var graphics: GraphicsMethod?
    /// nil leaves it to what the terminal is known to draw.
    var blockSet: BlockSet?
    var cell: CellSize?
    var sixelImplementation = PictureEncoder.SixelImplementation.bands

    /// What the menu of processors offers.
    static let offeredProcessors = [
        "bw", "blur(6)", "round(20)", "border(4, white)", "rotate(90)", "flip(horizontal)", "flip(vertical)",
        "color(brightness: 0.1)", "color(contrast: 1.3)", "color(saturation: 1.5)", "tint(#c8643280)",
        "overlay(#0000ff, 0.3)",
    ]

    public init() {}

    /// What differs from earlier settings and cannot change while the browser runs, in words.
    func needingRestart(since old: BrowserSettings) -> [String] {
        let changes = [
            ("mouse", old.hasMouse != hasMouse), ("graphics", old.graphics != graphics || old.blockSet != blockSet),
            ("log", old.logPath != logPath), ("transfers, cache and retrying", !library.isConfigured(as: old.library)),
        ]
        return changes.compactMap { $1 ? $0 : nil }
    }

    public var environment: [String: String] {
        get { library.environment }
        set { library.environment = newValue }
    }

    /// The ways that ``setGraphics(_:)`` knows; `sextants` are blocks of six pixels a cell.
    public static let graphicsNames = ["auto", "kitty", "sixel", "iterm", "blocks", "sextants"]

    /// Sets the graphics by name; false when there is no such way.
    public mutating func setGraphics(_ name: String) -> Bool {
        blockSet = name == "sextants" ? .sextant : nil
        graphics = name == "sextants" ? .blocks : GraphicsMethod(rawValue: name)
        return Self.graphicsNames.contains(name)
    }
}

extension TerminalError {
    /// For people.
    var explanation: String {
        switch self {
        case .noTerminal: "there is none"
        case .incapable(let name): name.isEmpty ? "TERM is not set" : "TERM=\(name) has no cursor control"
        case .unknownTerminal(let name): "TERM=\(name) is not in the terminal database"
        case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
        case .alreadyOpen: "it is already in use"
        }
    }
}
