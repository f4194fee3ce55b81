import BrowserCore
import Raster

/// A screen as a value: what can happen to it, what it then wants done, what it looks like.
protocol ScreenState {
    associatedtype Message: ScreenMessage
    associatedtype Effect
    /// Milliseconds to the next tick that would change the frame; nil when nothing moves.
    var tickInterval: Int? { get }
    var frame: Frame { get }
    mutating func update(_ message: Message) -> [Effect]
}

/// What every screen can be told.
protocol ScreenMessage: Sendable {
    static var resumed: Self { get }
    static func key(_ key: Key) -> Self
    static func resized(_ size: GridSize, _ cell: CellSize) -> Self
    static func tick(milliseconds: Int) -> Self
    /// nil where there is nothing to paste into, the default.
    static func pasting(_ text: String) -> Self?
    /// nil where the mouse does nothing, the default.
    static func pointing(_ event: MouseEvent) -> Self?
    /// The window gained the focus or lost it; nil where that makes no difference, the default.
    static func focusing(_ hasFocus: Bool) -> Self?
}

extension ScreenMessage {
    static func pasting(_ text: String) -> Self? { nil }
    static func pointing(_ event: MouseEvent) -> Self? { nil }
    static func focusing(_ hasFocus: Bool) -> Self? { nil }
}

extension BrowseMessage: ScreenMessage {
    static func pasting(_ text: String) -> BrowseMessage? { .pasted(text) }
    static func pointing(_ event: MouseEvent) -> BrowseMessage? { .mouse(event) }
    static func focusing(_ hasFocus: Bool) -> BrowseMessage? { .focused(hasFocus) }
}

extension BrowseState: ScreenState {
    var frame: Frame { BrowseView.frame(self) }

    mutating func update(_ message: BrowseMessage) -> [BrowseEffect] { BrowseUpdate.update(&self, message) }
}

extension CacheScreenMessage: ScreenMessage {
    static func pointing(_ event: MouseEvent) -> CacheScreenMessage? { .mouse(event) }
    static func pasting(_ text: String) -> CacheScreenMessage? { .pasted(text) }
}

extension CacheScreenState: ScreenState {
    var frame: Frame { CacheScreenView.frame(self) }

    mutating func update(_ message: CacheScreenMessage) -> [CacheScreenEffect] {
        CacheScreenUpdate.update(&self, message)
    }
}
