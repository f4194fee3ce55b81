/// A section of the config file and the settings in it.
struct ConfigurationSection: Sendable {
    let name: String
    /// A sentence, for the comment above it.
    let documentation: String
    let settings: [any AnySetting]

    /// The whole table, in the order of the printed file; a new section is one file and one word here.
    static let all: [ConfigurationSection] = [.transfers, .retrying, .browser, .prefetch, .cache, .keys]

    func setting(_ name: String) -> (any AnySetting)? { settings.first { $0.name == name } }
}
