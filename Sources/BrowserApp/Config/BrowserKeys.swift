import BrowserCore

/// The keys of the browser's list, for those who print them.
public enum BrowserKeys {
    /// An action by its name in the config file, its keys, and what it does.
    public struct Row: Sendable {
        public let action: String
        public let keys: [String]
        public let title: String
    }

    /// Every action with its standard keys.
    public static var standard: [Row] {
        KeyMap.standard.rows.map { Row(action: $0.action, keys: $0.keys, title: $0.title) }
    }
}
