import BrowserCore

/// The key bindings of the browser's list, for printing.
package enum BrowserKeys {
    /// An action by its name in the config file, with its keys and its description.
    package struct Row: Sendable {
        package let action: String
        package let keys: [String]
        package let title: String
    }

    /// All actions with their default keys.
    package static var standard: [Row] {
        KeyMap.standard.rows.map { Row(action: $0.action, keys: $0.keys, title: $0.title) }
    }
}
