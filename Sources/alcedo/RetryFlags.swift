import ArgumentParser
import BrowserApp

/// How failed transfers are tried again, for every command that transfers.
struct RetryFlags: ParsableArguments {
    @Option(name: .long, help: "Attempts after the first failed one.") var retries = 3
    @Option(name: .long, help: "First delay before another attempt; doubled each time.") var retryDelay = "500ms"
    @Option(name: .long, help: "Longest such delay.") var retryMaxDelay = "30s"
    @Option(name: .long, help: "Chance in the delays: full, none or decorrelated.") var retryJitter = "full"
    @Option(name: .long, help: "Longest Retry-After that is waited for.") var retryAfterMax = "60s"
    @Option(name: .long, help: "Retries to a host, as a part of its requests; 10 more are free.") var retryBudget =
        "10%"
    @Option(name: .long, help: "Failures in a row after which a host is left alone but for probes.") var hostFailures =
        5
    @Option(name: .long, help: "How long a failing host is waited for.") var hostPatience = "3m"

    func settings() throws -> RetrySettings {
        var settings = RetrySettings()
        settings.retries = try OptionText.number(retries, of: "--retries", in: 0...100)
        settings.delay = try OptionText.duration(retryDelay, of: "--retry-delay")
        settings.maximumDelay = try OptionText.duration(retryMaxDelay, of: "--retry-max-delay")
        guard settings.setJitter(retryJitter) else {
            throw UsageProblem(text: "--retry-jitter takes full, none or decorrelated, not '\(retryJitter)'")
        }
        settings.serverDelayLimit = try OptionText.duration(retryAfterMax, of: "--retry-after-max")
        settings.budgetRatio = try OptionText.percentage(retryBudget, of: "--retry-budget")
        settings.hostFailures = try OptionText.number(hostFailures, of: "--host-failures", in: 1...1_000_000)
        settings.hostPatience = try OptionText.duration(hostPatience, of: "--host-patience")
        return settings
    }
}
