/// The section `[retrying]`: retries of failed transfers.
public struct RetryConfiguration: Sendable, Equatable {
    public var retries: Int?
    public var delay: Duration?
    public var maximumDelay: Duration?
    public var jitter: String?
    public var serverDelayLimit: Duration?
    public var budgetRatio: Double?
    public var budgetReserve: Int?
    public var hostFailures: Int?
    public var hostPatience: Duration?
}

extension ConfigurationSection {
    static let retrying = ConfigurationSection(
        name: "retrying", documentation: "How failed downloads are retried, and when a host is paused.",
        settings: [
            Setting<Int>.retries, Setting<Duration>.retryDelay, Setting<Duration>.retryMaximumDelay,
            Setting<String>.retryJitter, Setting<Duration>.serverDelayLimit, Setting<Double>.retryBudget,
            Setting<Int>.retryReserve, Setting<Int>.hostFailures, Setting<Duration>.hostPatience,
        ])
}

extension RetrySettings {
    /// Creates the settings from a configuration.
    public init(_ configuration: Configuration) {
        self.init()
        retries = configuration[.retries]
        delay = configuration[.retryDelay]
        maximumDelay = configuration[.retryMaximumDelay]
        _ = setJitter(configuration[.retryJitter])
        serverDelayLimit = configuration[.serverDelayLimit]
        budgetRatio = configuration[.retryBudget]
        budgetReserve = configuration[.retryReserve]
        hostFailures = configuration[.hostFailures]
        hostPatience = configuration[.hostPatience] > .zero ? configuration[.hostPatience] : nil
    }
}

extension Setting<Int> {
    public static var retries: Setting {
        Setting(
            "retries", .number(in: 0...100), at: \.retrying.retries, default: RetrySettings().retries,
            "Attempts after the first failed one.")
    }

    public static var retryReserve: Setting {
        Setting(
            "budget-reserve", .number(in: 0...1_000_000), at: \.retrying.budgetReserve,
            default: RetrySettings().budgetReserve, "Retries per host that do not count against the budget.")
    }

    public static var hostFailures: Setting {
        Setting(
            "host-failures", .number(in: 1...1_000_000), at: \.retrying.hostFailures,
            default: RetrySettings().hostFailures,
            "Pause a host after this many failures in a row.")
    }
}

extension Setting<Duration> {
    public static var retryDelay: Setting {
        Setting(
            "delay", .duration, at: \.retrying.delay, default: RetrySettings().delay,
            "Delay before the first retry; doubled each time.")
    }

    public static var retryMaximumDelay: Setting {
        Setting(
            "max-delay", .duration, at: \.retrying.maximumDelay, default: RetrySettings().maximumDelay,
            "Longest retry delay.")
    }

    public static var serverDelayLimit: Setting {
        Setting(
            "retry-after-max", .duration, at: \.retrying.serverDelayLimit, default: RetrySettings().serverDelayLimit,
            "Longest Retry-After that is honoured.")
    }

    public static var hostPatience: Setting {
        Setting(
            "host-patience", .duration, at: \.retrying.hostPatience, default: .zero,
            "How long items wait for a failing host; 0 for as long as it had worked before, 20s to 3m.")
    }
}

extension Setting<String> {
    public static var retryJitter: Setting {
        let kind = SettingKind.text("full, none or decorrelated") { name in
            var settings = RetrySettings()
            return settings.setJitter(name)
        }
        return Setting(
            "jitter", kind, at: \.retrying.jitter, default: "full",
            "Jitter of the retry delays: full, none or decorrelated.")
    }
}

extension Setting<Double> {
    public static var retryBudget: Setting {
        Setting(
            "budget", .percentage, at: \.retrying.budgetRatio, default: RetrySettings().budgetRatio,
            "Failed retries per host, as a share of its requests; \(RetrySettings().budgetReserve) more are free by default."
        )
    }
}
