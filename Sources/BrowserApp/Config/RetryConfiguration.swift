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
    package init(_ configuration: Configuration) {
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
    package static var retries: Setting {
        Setting(
            "retrying.retries", .number(in: 0...100), default: RetrySettings().retries,
            "Attempts after the first failed one.")
    }

    package static var retryReserve: Setting {
        Setting(
            "retrying.budget-reserve", .number(in: 0...1_000_000), default: RetrySettings().budgetReserve,
            "Retries per host that do not count against the budget.")
    }

    package static var hostFailures: Setting {
        Setting(
            "retrying.host-failures", .number(in: 1...1_000_000), default: RetrySettings().hostFailures,
            "Pause a host after this many failures in a row.")
    }
}

extension Setting<Duration> {
    package static var retryDelay: Setting {
        Setting(
            "retrying.delay", .duration, default: RetrySettings().delay,
            "Delay before the first retry; doubled each time.")
    }

    package static var retryMaximumDelay: Setting {
        Setting(
            "retrying.max-delay", .duration, default: RetrySettings().maximumDelay,
            "Longest retry delay.")
    }

    package static var serverDelayLimit: Setting {
        Setting(
            "retrying.retry-after-max", .duration, default: RetrySettings().serverDelayLimit,
            "Longest Retry-After that is honoured.")
    }

    package static var hostPatience: Setting {
        Setting(
            "retrying.host-patience", .duration, default: .zero,
            "How long items wait for a failing host; 0 means as long as it has been known, 20s to 3m.")
    }
}

extension Setting<String> {
    package static var retryJitter: Setting {
        let kind = SettingKind.text("full, none or decorrelated") { name in
            var settings = RetrySettings()
            return settings.setJitter(name)
        }
        return Setting(
            "retrying.jitter", kind, default: "full",
            "Jitter of the retry delays: full, none or decorrelated.")
    }
}

extension Setting<Double> {
    package static var retryBudget: Setting {
        Setting(
            "retrying.budget", .percentage, default: RetrySettings().budgetRatio,
            "Failed retries per host, as a share of its requests; \(RetrySettings().budgetReserve) more are free by default."
        )
    }
}
