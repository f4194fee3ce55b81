import BrowserCore

/// The key bindings of the browser's list, for printing.
public enum BrowserKeys {
    /// An action by its name in the config file, with its keys and its description.
    public struct Row: Sendable {
        public let action: String
        public let keys: [String]
        public let title: String
    }

    /// All actions with their default keys.
    public static var standard: [Row] {
        KeyMap.standard.rows.map { Row(action: $0.action, keys: $0.keys, title: $0.title) }
    }
}
