/// What the mouse did, and in which cell.
public struct MouseEvent: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        case press, release, drag, scrollUp, scrollDown
    }

    public enum Button: Hashable, Sendable {
        case left, middle, right, other
    }

    public var action: Action
    public var button: Button
    public var position: Position

    public init(action: Action, button: Button, position: Position) {
        self.action = action
        self.button = button
        self.position = position
    }
}
