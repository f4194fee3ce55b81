import BrowserApp
import ImageLoading
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ImageServicesTests {
    private func settings(_ environment: [String: String]) -> LibrarySettings {
        var settings = LibrarySettings()
        settings.environment = environment
        return settings
    }

    @Test func `without a place for the cache the program goes on from memory`() async {
        let library = ImageServices(settings: settings([:]))
        #expect(library.diskProblem == .noHome)
        #expect(library.cache.disk == nil)
        await library.close()
    }

    @Test func `the cache lies where the environment says`() async throws {
        let place = try TemporaryFolder()
        let library = ImageServices(settings: settings(["ALCEDO_CACHE_DIR": place / "cache"]))
        #expect(library.diskProblem == nil)
        #expect(library.cache.disk?.folder.path == place / "cache")
        await library.close()
    }

    @Test func `a transfer is tried three times more unless told otherwise`() async {
        var fewer = settings([:])
        fewer.retry.retries = 0
        let standard = ImageServices(settings: settings([:]))
        let patient = ImageServices(settings: fewer)
        #expect(standard.attempts == 4 && patient.attempts == 1)
        #expect(standard.options().download.retryStrategy != nil)
        await standard.close()
        await patient.close()
    }
}
