import BrowserCore
import Raster

/// A screen as a value: its messages, its effects and its frame.
protocol ScreenState {
    associatedtype Message: ScreenMessage
    associatedtype Effect
    /// Milliseconds until the next tick that changes the frame; nil when nothing moves.
    var tickInterval: Int? { get }
    var frame: Frame { get }
    mutating func update(_ message: Message) -> [Effect]
}

/// The messages that every screen understands.
protocol ScreenMessage: Sendable {
    static var resumed: Self { get }
    static func key(_ key: Key) -> Self
    static func resized(_ size: GridSize, _ cell: CellSize) -> Self
    static func tick(milliseconds: Int) -> Self
    /// Returns nil, the default, if the screen accepts no pasted text.
    static func pasting(_ text: String) -> Self?
    /// Returns nil, the default, if the screen ignores the mouse.
    static func pointing(_ event: MouseEvent) -> Self?
    /// Returns nil, the default, if the screen does not care whether its window has the focus.
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
