import BrowserCore
import Raster
import Terminal

/// A screen on loan from another loop, which passes its events on and gets the screen back; closing the loan does
/// nothing.
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
    func use(_ theme: ThemeChoice) { owner.use(theme) }
    func invalidate() { owner.invalidate() }
    func suspend() { owner.suspend() }
    func close() {}
}
