/// Key names in configuration files: `j`, `G`, `space`, `enter`, `esc`, `ctrl-d`, `alt-x`, `f1`.
package enum KeyName {
    private static let named: [(name: String, key: Key)] = [
        ("space", .character(" ")), ("enter", .enter), ("esc", .escape), ("tab", .tab), ("shift-tab", .backTab),
        ("backspace", .backspace), ("delete", .delete), ("shift-delete", .shiftDelete), ("insert", .insert),
        ("up", .up), ("down", .down),
        ("left", .left), ("right", .right), ("home", .home), ("end", .end), ("page-up", .pageUp),
        ("page-down", .pageDown),
    ]

    package static var names: [String] { named.map(\.name) }

    /// Returns the key with a name, or nil if there is none.
    package static func key(_ name: String) -> Key? {
        if let known = named.first(where: { $0.name == name }) { return known.key }
        if name.count == 1 { return name.first.map { .character($0) } }
        if let key = modified(name, "ctrl-") { return .control(Character(key.lowercased())) }
        if let key = modified(name, "alt-") { return .alt(key) }
        guard name.first == "f", let number = Int(name.dropFirst()), (1...12).contains(number) else { return nil }
        return .function(number)
    }

    /// Returns the keys of a text: one key, or two characters pressed in sequence, such as `gg`.
    package static func keys(_ text: String) -> [Key]? {
        if let key = key(text) { return [key] }
        return text.count == 2 ? text.map { .character($0) } : nil
    }

    /// Returns a key's name.
    package static func name(_ key: Key) -> String {
        if let known = named.first(where: { $0.key == key }) { return known.name }
        return switch key {
        case .character(let character): String(character)
        case .control(let character): "ctrl-\(character)"
        case .alt(let character): "alt-\(character)"
        case .function(let number): "f\(number)"
        default: "?"
        }
    }

    /// Returns a key's short form for hints.
    package static func sign(_ key: Key, _ glyphs: GlyphSet) -> String {
        switch key {
        case .character(" "): glyphs.space
        case .enter: glyphs.enter
        case .up where !glyphs.isASCII: "↑"
        case .down where !glyphs.isASCII: "↓"
        case .left where !glyphs.isASCII: "←"
        case .right where !glyphs.isASCII: "→"
        case .pageDown: "PgDn"
        case .pageUp: "PgUp"
        case .backTab: "S-Tab"
        case .shiftDelete: "S-Del"
        case .character, .control, .alt: name(key)
        default: name(key).prefix(1).uppercased() + name(key).dropFirst()
        }
    }

    private static func modified(_ name: String, _ prefix: String) -> Character? {
        guard name.hasPrefix(prefix), name.count == prefix.count + 1 else { return nil }
        return name.last
    }
}

/// A key that the user pressed, whatever bytes the terminal sent.
package enum Key: Hashable, Sendable {
    case character(Character)
    case control(Character)
    case alt(Character)
    case enter, escape, tab, backTab, backspace, delete, shiftDelete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)

    /// The keys to handle if an Alt key is not bound: Esc and another key in one read look like Alt and that key.
    package var splitAlt: [Key] {
        if case .alt(let character) = self { [.escape, .character(character)] } else { [self] }
    }

    /// The key at the same place of a Latin keyboard if this is a Cyrillic, Greek or Hebrew letter; else the key itself.
    ///
    /// A terminal without kitty's keyboard protocol sends the letter of the layout, not the place.
    package var latin: Key {
        guard case .character(let letter) = self, let place = Self.latinLetters[letter] else { return self }
        return .character(place)
    }

    // The layouts of Russian, Ukrainian and Belarusian, of Greek, and of Hebrew beside that of the United States.
    private static let latinLetters = Dictionary(
        uniqueKeysWithValues: zip(
            "йцукенгшщзхъфывапролджэячсмитьбюёіїєґў" + "ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮЁІЇЄҐЎ"
                + "ςερτυθιοπασδφγηξκλζχψωβνμ" + "ΕΡΤΥΘΙΟΠΑΣΔΦΓΗΞΚΛΖΧΨΩΒΝΜ" + "קראטוןםפשדגכעיחלךזסבהנמצתץ",
            #"qwertyuiop[]asdfghjkl;'zxcvbnm,.`s]'`o"# + #"QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>~S}"~O"#
                + "wertyuiopasdfghjklzxcvbnm" + "ERTYUIOPASDFGHJKLZXCVBNM" + "ertyuiopasdfghjklzxcvbnm,."))
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
        (self.action, self.button, self.position) = (action, button, position)
    }
}
