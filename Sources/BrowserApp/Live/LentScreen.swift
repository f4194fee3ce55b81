import BrowserCore
import Raster
import Terminal

/// A screen that another loop holds and will have back: events come from there, and closing it closes nothing.
@MainActor
final class LentScreen: Screen {
    let events: DirectStream<TerminalEvent>
    private let owner: any Screen

    init(_ owner: any Screen, events: DirectStream<TerminalEvent>) {
        self.owner = owner
        self.events = events
    }

    var capabilities: TerminalCapabilities { owner.capabilities }
    var size: GridSize { owner.size }
    var report: [(name: String, value: String)] { owner.report }
    var isBusy: Bool { owner.isBusy }
    var acknowledgementTime: Duration? { owner.acknowledgementTime }

    func present(_ frame: Frame, pictures: [TerminalPicture]) { owner.present(frame, pictures: pictures) }
    func copy(_ text: String) { owner.copy(text) }
    func setTheme(_ theme: ThemeChoice) { owner.setTheme(theme) }
    func invalidate() { owner.invalidate() }
    func suspend() { owner.suspend() }
    func close() {}
}
