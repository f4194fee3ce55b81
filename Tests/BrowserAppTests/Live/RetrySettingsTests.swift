import Retrying
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1)))
struct RetrySettingsTests {
    @Test(arguments: [("full", Jitter.full), ("none", .none), ("decorrelated", .decorrelated())])
    func `a jitter is set by name`(name: String, jitter: Jitter) {
        var settings = RetrySettings()
        let isKnown = settings.setJitter(name)
        #expect(isKnown && settings.jitter == jitter)
    }

    @Test func `an unknown jitter name changes nothing`() {
        var settings = RetrySettings()
        let isKnown = settings.setJitter("some")
        #expect(!isKnown && settings == RetrySettings())
    }

    @Test func `hosts take their limits from the settings`() throws {
        var settings = RetrySettings()
        (settings.hostFailures, settings.budgetRatio, settings.budgetReserve) = (2, 0, 1)
        let hosts = settings.hosts()
        _ = try hosts.admit("a.example", isRetry: true)
        #expect(throws: HostRejection.retryBudgetExhausted) { try hosts.admit("a.example", isRetry: true) }
        for _ in 0..<2 { hosts.record(.failure, of: try hosts.admit("b.example")) }
        #expect(hosts.troubledHosts().map(\.host) == ["b.example"])
    }
}
