import BrowserCore
import Raster
import Terminal

/// What the programs need of the terminal that they hold.
@MainActor
protocol Screen: AnyObject {
    var events: DirectStream<TerminalEvent> { get }
    var capabilities: TerminalCapabilities { get }
    var size: GridSize { get }
    var report: [(name: String, value: String)] { get }
    var isBusy: Bool { get }
    var acknowledgementTime: Duration? { get }
    func present(_ frame: Frame, pictures: [TerminalPicture])
    func copy(_ text: String)
    func setTheme(_ theme: ThemeChoice)
    func invalidate()
    func suspend()
    func close()
}

extension TerminalDevice: Screen {}
