import ImageLoading
import Retrying
import Testing

@testable import AlcedoConfig

@Suite(.timeLimit(.minutes(1))) struct LibrarySettingsTests {
    @Test(arguments: [("full", Jitter.full), ("none", .none), ("decorrelated", .decorrelated())])
    func `a jitter is set by name`(name: String, jitter: Jitter) throws {
        var settings = LibrarySettings()
        try settings.set("retrying.jitter", to: name)
        #expect(settings[.retryJitter].jitter == jitter)
    }

    @Test func `settings are set by path and text`() throws {
        var settings = LibrarySettings()
        try settings.set("transfers.jobs", to: "8")
        try settings.set("browser.mouse", to: "false")
        try settings.set("cache.max-size", to: "3G")
        #expect(settings[.jobs] == 8 && !settings[.mouse] && settings[.cacheBytes] == 3 << 30)
    }

    @Test(arguments: [
        ("transfers.jobs", "many", "transfers.jobs takes a number from 1 to 1024, not 'many'"),
        ("transfers.speed", "8", "transfers.speed is no setting"), ("jobs", "8", "jobs is no setting"),
    ])
    func `an unknown setting or value changes nothing and is named`(path: String, text: String, problem: String) {
        var settings = LibrarySettings()
        let error = #expect(throws: SettingProblem.self) { try settings.set(path, to: text) }
        #expect(error?.description == problem)
        #expect(settings == LibrarySettings())
    }

    @Test func `hosts take their limits from the settings`() throws {
        var settings = LibrarySettings()
        (settings[.hostFailures], settings[.retryBudget], settings[.retryReserve]) = (2, 0, 1)
        let hosts = settings.hosts
        _ = try hosts.admit("a.example", isRetry: true)
        #expect(throws: HostRejection.retryBudgetExhausted) { try hosts.admit("a.example", isRetry: true) }
        for _ in 0..<2 { hosts.record(.failure, of: try hosts.admit("b.example")) }
        #expect(hosts.troubledHosts().map(\.host) == ["b.example"])
    }

    @Test func `a file that may be downloaded may be decoded`() {
        var settings = LibrarySettings()
        #expect(settings.decode == .standard)
        (settings[.maximumBytes], settings[.megapixels], settings[.frames]) = (1 << 40, 7, 3)
        settings[.decodeTime] = .seconds(9)
        #expect(settings.decode.bytes == 1 << 40 && settings.decode.pixels == 7_000_000)
        #expect(settings.decode.frames == 3 && settings.decode.processorTime == .seconds(9))
    }
}
