/// The key bindings of the browser's list.
package struct KeyMap: Sendable, Equatable {
    /// The effect of a key.
    enum Meaning: Equatable {
        case action(BrowseAction)
        /// The key is the first of two.
        case strokeStart
        case nothing
    }

    /// The keys of every action; a stroke is one key or a sequence of two.
    private var strokes: [BrowseAction: [[Key]]]
    private var actions: [[Key]: BrowseAction]
    private var beginnings: Set<Key>
    /// Actions whose keys the user configured.
    private var customized: Set<BrowseAction> = []

    /// The default bindings.
    package static let standard = KeyMap(BrowseAction.allCases.map { ($0, $0.traits.keys) })

    private init(_ table: [(BrowseAction, [String])]) {
        strokes = Dictionary(uniqueKeysWithValues: table.map { ($0, $1.compactMap(KeyName.keys)) })
        (actions, beginnings) = ([:], [])
        index()
    }

    /// Binds an action to other keys: names such as `j`, `G`, `space`, `ctrl-d`, `f1`, or two characters such as `gg`.
    ///
    /// Removes these keys from actions that have them by default.
    /// - Throws: `KeyMapError` if the action or a key is unknown, or the key is already bound to another action.
    package mutating func bind(_ keys: [String], to name: String) throws(KeyMapError) {
        guard let action = BrowseAction.allCases.first(where: { $0.name == name }) else { throw .unknownAction(name) }
        var bound: [[Key]] = []
        for key in keys {
            guard let stroke = KeyName.keys(key) else { throw .unknownKey(key) }
            if let other = customized.subtracting([action]).first(where: { clashes(stroke, $0) }) {
                throw .alreadyBound(key: key, by: other.name)
            }
            bound.append(stroke)
        }
        customized.insert(action)
        strokes[action] = bound
        for other in strokes.keys where !customized.contains(other) {
            strokes[other]?.removeAll { old in bound.contains { Self.clash(old, $0) } }
        }
        index()
    }

    /// Returns the effect of a key, alone or after the first key of a stroke.
    func meaning(of key: Key, after first: Key?) -> Meaning {
        if let first { return actions[[first, key]].map { .action($0) } ?? meaning(of: key, after: nil) }
        if let action = actions[[key]] { return .action(action) }
        return beginnings.contains(key) ? .strokeStart : .nothing
    }

    /// Whether two keys form a stroke.
    func isStroke(_ first: Key, _ second: Key) -> Bool { actions[[first, second]] != nil }

    /// Whether the user bound a key, alone or as the first of a stroke.
    func isCustomized(_ key: Key) -> Bool {
        customized.contains { action in strokes[action]?.contains { $0.first == key } == true }
    }

    /// Returns the first of an action's keys that is pressed alone.
    func firstKey(of action: BrowseAction) -> Key? { strokes[action]?.first { $0.count == 1 }?.first }

    /// Returns the names of an action's keys, as `bind` accepts them.
    func names(of action: BrowseAction) -> [String] {
        (strokes[action] ?? []).map { $0.map(KeyName.name).joined() }
    }

    private func clashes(_ stroke: [Key], _ action: BrowseAction) -> Bool {
        strokes[action]?.contains { Self.clash($0, stroke) } == true
    }

    /// Whether two strokes are equal, or one is a prefix of the other, so that the longer could never be typed.
    private static func clash(_ one: [Key], _ other: [Key]) -> Bool {
        zip(one, other).allSatisfy { $0 == $1 }
    }

    private mutating func index() {
        actions = [:]
        for action in BrowseAction.allCases { for stroke in strokes[action] ?? [] { actions[stroke] = action } }
        beginnings = Set(actions.keys.filter { $0.count == 2 }.map { $0[0] })
    }
}

extension KeyMap {
    /// An action and its keys, for printing.
    package struct Row: Sendable, Equatable {
        /// The action's name, as `bind` accepts it.
        package let action: String
        /// The names of its keys, as `bind` accepts them.
        package let keys: [String]
        /// A description in a few words.
        package let title: String
    }

    /// Every action with its keys, in the order of the help.
    package var rows: [Row] {
        BrowseAction.allCases.map { Row(action: $0.name, keys: names(of: $0), title: $0.traits.title) }
    }

    /// The names of keys longer than one character; `ctrl-`, `alt-` and `f1` to `f12` exist besides them.
    package static var keyNames: [String] { KeyName.names }
}

/// The reason why keys cannot be bound.
package enum KeyMapError: Error, Sendable, Equatable {
    case unknownAction(String)
    case unknownKey(String)
    case alreadyBound(key: String, by: String)
}

/// Key names in configuration files: `j`, `G`, `space`, `enter`, `esc`, `ctrl-d`, `alt-x`, `f1`.
enum KeyName {
    private static let named: [(name: String, key: Key)] = [
        ("space", .character(" ")), ("enter", .enter), ("esc", .escape), ("tab", .tab), ("shift-tab", .backTab),
        ("backspace", .backspace), ("delete", .delete), ("insert", .insert), ("up", .up), ("down", .down),
        ("left", .left), ("right", .right), ("home", .home), ("end", .end), ("page-up", .pageUp),
        ("page-down", .pageDown),
    ]

    static var names: [String] { named.map(\.name) }

    /// Returns the key with a name, or nil if there is none.
    static func key(_ name: String) -> Key? {
        if let known = named.first(where: { $0.name == name }) { return known.key }
        if name.count == 1 { return name.first.map { .character($0) } }
        if let key = modified(name, "ctrl-") { return .control(Character(key.lowercased())) }
        if let key = modified(name, "alt-") { return .alt(key) }
        guard name.first == "f", let number = Int(name.dropFirst()), (1...12).contains(number) else { return nil }
        return .function(number)
    }

    /// Returns the keys of a text: one key, or two characters pressed in sequence, such as `gg`.
    static func keys(_ text: String) -> [Key]? {
        if let key = key(text) { return [key] }
        return text.count == 2 ? text.map { .character($0) } : nil
    }

    /// Returns a key's name.
    static func name(_ key: Key) -> String {
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
    static func sign(_ key: Key, _ glyphs: GlyphSet) -> String {
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
