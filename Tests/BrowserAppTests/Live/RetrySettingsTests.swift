import Retrying
import Testing

@testable import BrowserApp

struct RetrySettingsTests {
    @Test(arguments: [("full", Jitter.full), ("none", .none), ("decorrelated", .decorrelated())])
    func aJitterIsSetByName(name: String, jitter: Jitter) {
        var settings = RetrySettings()
        let isKnown = settings.setJitter(name)
        #expect(isKnown && settings.jitter == jitter)
    }

    @Test func anUnknownNameChangesNothing() {
        var settings = RetrySettings()
        let isKnown = settings.setJitter("some")
        #expect(!isKnown && settings == RetrySettings())
    }

    @Test func hostsTakeTheirLimitsFromTheSettings() throws {
        var settings = RetrySettings()
        (settings.hostFailures, settings.budgetRatio, settings.budgetReserve) = (2, 0, 1)
        let hosts = settings.hosts()
        _ = try hosts.admit("a.example", isRetry: true)
        #expect(throws: HostRejection.retryBudgetExhausted) { try hosts.admit("a.example", isRetry: true) }
        for _ in 0..<2 { hosts.record(.failure, of: try hosts.admit("b.example")) }
        #expect(hosts.troubledHosts().map(\.host) == ["b.example"])
    }
}
