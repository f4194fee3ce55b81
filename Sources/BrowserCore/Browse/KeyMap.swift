import AlcedoScreen

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
        guard let action = BrowseAction.named[name] else { throw .unknownAction(name) }
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

    /// The keys that follow the first one of a stroke, with their actions, in the order of the help.
    func strokes(after first: Key) -> [(key: Key, action: BrowseAction)] {
        BrowseAction.allCases.flatMap { action in
            (strokes[action] ?? []).filter { $0.count == 2 && $0[0] == first }.map { ($0[1], action) }
        }
    }

    /// Whether the user bound a key, alone or as the first of a stroke.
    func isCustomized(_ key: Key) -> Bool {
        customized.contains { action in strokes[action]?.contains { $0.first == key } == true }
    }

    /// Returns the first of an action's keys that is pressed alone.
    func firstKey(of action: BrowseAction) -> Key? { strokes[action]?.first { $0.count == 1 }?.first }

    /// Returns the names of an action's keys, as `bind` accepts them.
    func names(of action: BrowseAction) -> [String] { (strokes[action] ?? []).map { $0.map(KeyName.name).joined() } }

    /// Returns an action's keys in their short form.
    func signs(of action: BrowseAction, _ glyphs: GlyphSet) -> [String] {
        (strokes[action] ?? []).map { $0.map { KeyName.sign($0, glyphs) }.joined() }
    }

    private func clashes(_ stroke: [Key], _ action: BrowseAction) -> Bool {
        strokes[action]?.contains { Self.clash($0, stroke) } == true
    }

    /// Whether two strokes are equal, or one is a prefix of the other, so that the longer could never be typed.
    private static func clash(_ one: [Key], _ other: [Key]) -> Bool { zip(one, other).allSatisfy { $0 == $1 } }

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
