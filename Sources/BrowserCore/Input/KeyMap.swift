/// Which keys do what in the browser's list.
public struct KeyMap: Sendable, Equatable {
    /// What comes of a key.
    enum Meaning: Equatable {
        case action(BrowseAction)
        /// The first of two keys.
        case begins
        case nothing
    }

    /// Every action's keys, in the order of the palette; a stroke is one key, or two after each other.
    private var strokes: [BrowseAction: [[Key]]]
    private var actions: [[Key]: BrowseAction]
    private var beginnings: Set<Key>
    /// Actions whose keys someone chose.
    private var chosen: Set<BrowseAction> = []

    /// The keys that everyone begins with.
    public static let standard = KeyMap(BrowseAction.allCases.map { ($0, $0.standardKeys) })

    /// The names of all actions, as `bind` takes them.
    public static var actionNames: [String] { BrowseAction.allCases.map(\.name) }

    private init(_ table: [(BrowseAction, [String])]) {
        strokes = Dictionary(uniqueKeysWithValues: table.map { ($0, $1.compactMap(KeyName.keys)) })
        (actions, beginnings) = ([:], [])
        index()
    }

    /// Gives an action other keys: names such as `j`, `G`, `space`, `ctrl-d`, `f1`, or two characters such as `gg`.
    ///
    /// Keys that an action has had by default go over to this one. Throws when an action or a key has no such name, or
    /// the key was already chosen for another action.
    public mutating func bind(_ keys: [String], to name: String) throws(KeyMapError) {
        guard let action = BrowseAction.allCases.first(where: { $0.name == name }) else { throw .unknownAction(name) }
        var bound: [[Key]] = []
        for key in keys {
            guard let stroke = KeyName.keys(key) else { throw .unknownKey(key) }
            if let other = chosen.subtracting([action]).first(where: { clashes(stroke, $0) }) {
                throw .taken(key: key, by: other.name)
            }
            bound.append(stroke)
        }
        chosen.insert(action)
        strokes[action] = bound
        for other in strokes.keys where !chosen.contains(other) {
            strokes[other]?.removeAll { old in bound.contains { Self.clash(old, $0) } }
        }
        index()
    }

    /// What a key means, after one that began a stroke or by itself.
    func meaning(of key: Key, after first: Key?) -> Meaning {
        if let first { return actions[[first, key]].map { .action($0) } ?? meaning(of: key, after: nil) }
        if let action = actions[[key]] { return .action(action) }
        return beginnings.contains(key) ? .begins : .nothing
    }

    /// Whether two keys make a stroke.
    func isStroke(_ first: Key, _ second: Key) -> Bool { actions[[first, second]] != nil }

    /// Whether the user chose a key for some action, or a stroke that it begins.
    func isChosen(_ key: Key) -> Bool {
        chosen.contains { action in strokes[action]?.contains { $0.first == key } == true }
    }

    /// An action's keys as they are shown.
    func signs(of action: BrowseAction, _ glyphs: GlyphSet) -> [String] {
        (strokes[action] ?? []).map { $0.map { KeyName.sign($0, glyphs) }.joined() }
    }

    /// The first of an action's keys that is pressed alone.
    func firstKey(of action: BrowseAction) -> Key? { strokes[action]?.first { $0.count == 1 }?.first }

    /// An action's keys by name, as `bind` takes them.
    func names(of action: BrowseAction) -> [String] {
        (strokes[action] ?? []).map { $0.map(KeyName.name).joined() }
    }

    private func clashes(_ stroke: [Key], _ action: BrowseAction) -> Bool {
        strokes[action]?.contains { Self.clash($0, stroke) } == true
    }

    /// Equal, or one begins the other, so that it could never be reached.
    private static func clash(_ one: [Key], _ other: [Key]) -> Bool {
        zip(one, other).allSatisfy { $0 == $1 }
    }

    private mutating func index() {
        actions = [:]
        for action in BrowseAction.allCases { for stroke in strokes[action] ?? [] { actions[stroke] = action } }
        beginnings = Set(actions.keys.filter { $0.count == 2 }.map { $0[0] })
    }
}

/// Why keys cannot be bound.
public enum KeyMapError: Error, Sendable, Equatable {
    case unknownAction(String)
    case unknownKey(String)
    case taken(key: String, by: String)
}
