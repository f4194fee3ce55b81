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
