/// A key as the user pressed it, whatever bytes the terminal sent.
public enum Key: Hashable, Sendable {
    case character(Character)
    case control(Character)
    case alt(Character)
    case enter, escape, tab, backTab, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)

    /// What to take it for where it means nothing: Esc and a key that came at once are the bytes of Alt and that key.
    var splitAlt: [Key] {
        if case .alt(let character) = self { [.escape, .character(character)] } else { [self] }
    }
}
