/// `[transfers]`: how much is fetched, and how fast.
public struct TransferConfiguration: Sendable, Equatable {
    public var jobs: Int?
    public var perHost: Int?
    public var maximumBytes: Int?
    public var timeout: Duration?
    public var requestsPerSecond: Double?
    public var bytesPerSecond: Int?
}

extension ConfigurationSection {
    static let transfers = ConfigurationSection(
        name: "transfers", documentation: "How much is fetched, and how fast.",
        settings: [
            Setting<Int>.jobs, Setting<Int>.perHost, Setting<Int>.maximumBytes, Setting<Duration>.timeout,
            Setting<Double>.requestRate, Setting<Int>.limitRate,
        ])
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

    public static var limitRate: Setting {
        Setting(
            "limit-rate", .bytesOrNone, at: \.transfers.bytesPerSecond, default: LibrarySettings().bytesPerSecond,
            "Bytes a second of all transfers together, with K, M or G; 0 for any number.")
    }
}

extension Setting<Duration> {
    public static var timeout: Setting {
        Setting(
            "timeout", .duration, at: \.transfers.timeout, default: LibrarySettings().timeout,
            "Longest silence of a server; 0s for 10 s to connect, 15 s to answer and 30 s between bytes.")
    }
}

extension Setting<Double> {
    public static var requestRate: Setting {
        Setting(
            "rate", .rate, at: \.transfers.requestsPerSecond, default: LibrarySettings().requestsPerSecond,
            "Requests to one host in a time, as 10/s or 30/m; 0 for any number.")
    }
}
