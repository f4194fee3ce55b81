/// The contents of the config file, by section; settings that it leaves out are nil.
///
/// Command-line options overwrite its values, so that one value passes all settings to the programs.
package struct Configuration: Sendable, Equatable {
    package var transfers = TransferConfiguration()
    package var retrying = RetryConfiguration()
    package var browser = BrowserConfiguration()
    package var prefetch = PrefetchConfiguration()
    package var cache = CacheConfiguration()
    package var keys = KeyConfiguration()

    package init() {}

    /// Returns the configured value of a setting, else its default.
    package subscript<Value>(_ setting: Setting<Value>) -> Value { self[keyPath: setting.field] ?? setting.standard }
}

/// A section of the config file with its settings.
struct ConfigurationSection: Sendable {
    let name: String
    /// One sentence for the comment above the section.
    let documentation: String
    let settings: [any AnySetting]

    /// All sections in the order of the printed file; a new section is one file and one entry here.
    static let all: [ConfigurationSection] = [.transfers, .retrying, .browser, .prefetch, .cache, .keys]

    func setting(_ name: String) -> (any AnySetting)? { settings.first { $0.name == name } }
}
