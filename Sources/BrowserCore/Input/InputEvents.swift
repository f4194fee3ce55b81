/// A key that the user pressed, whatever bytes the terminal sent.
package enum Key: Hashable, Sendable {
    case character(Character)
    case control(Character)
    case alt(Character)
    case enter, escape, tab, backTab, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)

    /// The keys to handle if an Alt key is not bound: Esc and another key in one read look like Alt and that key.
    var splitAlt: [Key] {
        if case .alt(let character) = self { [.escape, .character(character)] } else { [self] }
    }
}

/// A mouse action and its cell.
package struct MouseEvent: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        case press, release, drag, scrollUp, scrollDown
    }

    package enum Button: Hashable, Sendable {
        case left, middle, right, other
    }

    package var action: Action
    package var button: Button
    package var position: Position

    package init(action: Action, button: Button, position: Position) {
        self.action = action
        self.button = button
        self.position = position
    }
}
