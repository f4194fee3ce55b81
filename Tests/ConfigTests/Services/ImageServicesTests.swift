import AlcedoConfig
import ImageLoading
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ImageServicesTests {
    private func settings(_ environment: [String: String]) -> LibrarySettings {
        var settings = LibrarySettings()
        settings.environment = environment
        return settings
    }

    @Test func `without a cache folder only the memory cache is used`() async {
        let library = ImageServices(settings: settings([:]))
        #expect(library.diskProblem == .noHome)
        #expect(library.cache.disk == nil)
        await library.close()
    }

    @Test func `ALCEDO_CACHE_DIR decides the folder of the cache`() async throws {
        let place = try TemporaryFolder()
        let library = ImageServices(settings: settings(["ALCEDO_CACHE_DIR": place / "cache"]))
        #expect(library.diskProblem == nil)
        #expect(library.cache.disk?.folder.path == place / "cache")
        await library.close()
    }

    @Test func `a transfer is retried three times by default`() async {
        var fewer = settings([:])
        fewer[.retries] = 0
        let standard = ImageServices(settings: settings([:]))
        let patient = ImageServices(settings: fewer)
        #expect(standard.attempts == 4 && patient.attempts == 1)
        #expect(standard.options().download.retryStrategy != nil)
        await standard.close()
        await patient.close()
    }
}
