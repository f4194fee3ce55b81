import ImageLoading
import TestSupport
import Testing

@testable import AlcedoConfig

/// Every setting reaches what it is about.
@Suite(.timeLimit(.minutes(1))) struct ConfigurationSettingsTests {
    private let configuration: Configuration

    init() throws {
        configuration = try Configuration.read(
            """
            [transfers]
            jobs = 5
            per-host = 2
            max-size = "3K"
            [retrying]
            retries = 9
            delay = "10ms"
            max-delay = "20s"
            jitter = "none"
            retry-after-max = "4m"
            budget = "50%"
            budget-reserve = 3
            host-failures = 8
            host-patience = 6
            [cache]
            folder = "/somewhere"
            max-size = "1G"
            """)
    }

    @Test func `settings of transfers and the cache are taken from the file`() {
        let settings = LibrarySettings(configuration, environment: ["A": "b"])
        #expect(settings[.jobs] == 5 && settings[.perHost] == 2 && settings[.maximumBytes] == 3072)
        #expect(settings[.cacheFolder] == "/somewhere" && settings[.cacheBytes] == 1 << 30)
        #expect(settings.environment == ["A": "b"])
    }

    @Test func `settings of retrying are taken from the file`() {
        let settings = LibrarySettings(configuration)
        #expect(settings[.retries] == 9 && settings[.retryDelay] == .milliseconds(10))
        #expect(settings[.retryMaximumDelay] == .seconds(20) && settings[.retryJitter] == .none)
        #expect(settings[.serverDelayLimit] == .seconds(240) && settings[.hostPatience] == .seconds(6))
        #expect(settings[.retryBudget] == 0.5 && settings[.retryReserve] == 3 && settings[.hostFailures] == 8)
    }

    @Test func `ALCEDO_CACHE_DIR overrides the folder in the file`() throws {
        let alone = LibrarySettings(configuration, environment: ["HOME": "/home/x", "XDG_CACHE_HOME": "/xdg"])
        let named = LibrarySettings(configuration, environment: ["ALCEDO_CACHE_DIR": "/own"])
        let unset = LibrarySettings(Configuration(), environment: ["XDG_CACHE_HOME": "/xdg"])
        #expect(try alone.diskFolder().path == "/somewhere")
        #expect(try named.diskFolder().path == "/own")
        #expect(try unset.diskFolder().path == "/xdg/alcedo")
    }

    @Test func `the disk cache uses the size limit of the file`() throws {
        let place = try TemporaryFolder()
        var configuration = configuration
        configuration[.cacheFolder] = place / "cache"
        let disk = try ImageServices.openDisk(LibrarySettings(configuration, environment: [:]))
        #expect(disk.configuration.sizeLimit == 1 << 30 && disk.folder.path == place / "cache")
    }
}
