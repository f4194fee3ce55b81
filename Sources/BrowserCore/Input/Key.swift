/// A key as the user pressed it, whatever bytes the terminal sent.
public enum Key: Hashable, Sendable {
    case character(Character)
    case control(Character)
    case alt(Character)
    case enter, escape, tab, backTab, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)
}
