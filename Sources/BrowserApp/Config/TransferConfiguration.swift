/// `[transfers]`: how much is fetched at a time.
public struct TransferConfiguration: Sendable, Equatable {
    public var jobs: Int?
    public var perHost: Int?
    public var maximumBytes: Int?
}

extension ConfigurationSection {
    static let transfers = ConfigurationSection(
        name: "transfers", documentation: "How much is fetched at a time.",
        settings: [Setting<Int>.jobs, Setting<Int>.perHost, Setting<Int>.maximumBytes])
}

extension Setting<Int> {
    public static var jobs: Setting {
        Setting(
            "jobs", .number(in: 1...1024), at: \.transfers.jobs, default: LibrarySettings().jobs, "Transfers at a time."
        )
    }

    public static var perHost: Setting {
        Setting(
            "per-host", .number(in: 1...1024), at: \.transfers.perHost, default: LibrarySettings().perHost,
            "Transfers at a time to one host.")
    }

    public static var maximumBytes: Setting {
        Setting(
            "max-size", .bytes, at: \.transfers.maximumBytes, default: LibrarySettings().maximumBytes,
            "Largest body, with K, M or G.")
    }
}
