import ArgumentParser
import BrowserApp

/// The retry options of all commands that transfer.
struct RetryFlags: ParsableArguments {
    @Option(name: .long, help: .of(.retries)) var retries: Int?
    @Option(name: .long, help: .of(.retryDelay)) var retryDelay: String?
    @Option(name: .long, help: .of(.retryMaximumDelay)) var retryMaxDelay: String?
    @Option(name: .long, help: .of(.retryJitter), completion: .list(RetrySettings.jitterNames)) var retryJitter: String?
    @Option(name: .long, help: .of(.serverDelayLimit)) var retryAfterMax: String?
    @Option(name: .long, help: .of(.retryBudget)) var retryBudget: String?
    @Option(name: .long, help: .of(.retryReserve)) var retryReserve: Int?
    @Option(name: .long, help: .of(.hostFailures)) var hostFailures: Int?
    @Option(name: .long, help: .of(.hostPatience)) var hostPatience: String?

    func write(to configuration: inout Configuration) throws {
        try configuration.set(.retries, to: retries, of: "--retries")
        try configuration.set(.retryDelay, to: retryDelay, of: "--retry-delay")
        try configuration.set(.retryMaximumDelay, to: retryMaxDelay, of: "--retry-max-delay")
        try configuration.set(.retryJitter, to: retryJitter, of: "--retry-jitter")
        try configuration.set(.serverDelayLimit, to: retryAfterMax, of: "--retry-after-max")
        try configuration.set(.retryBudget, to: retryBudget, of: "--retry-budget")
        try configuration.set(.retryReserve, to: retryReserve, of: "--retry-reserve")
        try configuration.set(.hostFailures, to: hostFailures, of: "--host-failures")
        try configuration.set(.hostPatience, to: hostPatience, of: "--host-patience")
    }
}
