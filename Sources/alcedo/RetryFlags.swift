import ArgumentParser
import BrowserApp

/// The retry options of all commands that transfer.
struct RetryFlags: ParsableArguments {
    @Option(name: .long, help: .of(.retries)) var retries: Int?
    @Option(name: .long, help: .of(.retryDelay)) var retryDelay: String?
    @Option(name: .long, help: .of(.retryMaximumDelay)) var retryMaxDelay: String?

    func write(to configuration: inout Configuration) throws {
        try configuration.set(.retries, to: retries, of: "--retries")
        try configuration.set(.retryDelay, to: retryDelay, of: "--retry-delay")
        try configuration.set(.retryMaximumDelay, to: retryMaxDelay, of: "--retry-max-delay")
    }
}
