extension KeyMap {
    /// An action for those who print keys.
    public struct Row: Sendable, Equatable {
        /// As `bind` takes it.
        public let action: String
        /// Its keys, likewise.
        public let keys: [String]
        /// What it does, in a few words.
        public let title: String
    }

    /// Every action, in the order of the palette.
    public var rows: [Row] {
        BrowseAction.allCases.map { Row(action: $0.name, keys: names(of: $0), title: $0.title) }
    }

    /// The names of keys that are more than one character; besides them, `ctrl-`, `alt-` and `f1` to `f12`.
    public static var keyNames: [String] { KeyName.names }
}
