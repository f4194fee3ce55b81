import BrowserApp
import Foundation
import ImageLoading
import Testing

@Suite struct LibraryTests {
    private func settings(_ environment: [String: String]) -> LibrarySettings {
        var settings = LibrarySettings()
        settings.environment = environment
        return settings
    }

    @Test func withoutAPlaceForTheCacheItGoesOnFromMemory() async {
        let library = Library(settings: settings([:]))
        #expect(library.diskProblem == .noHome)
        #expect(library.cache.disk == nil)
        await library.close()
    }

    @Test func theCacheLiesWhereTheEnvironmentSays() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "alcedo-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path(percentEncoded: false)
        let library = Library(settings: settings(["ALCEDO_CACHE_DIR": path]))
        #expect(library.diskProblem == nil)
        #expect(library.cache.disk?.folder.path == path)
        await library.close()
    }

    @Test func aTransferIsTriedThreeTimesMoreUnlessToldOtherwise() async {
        var fewer = settings([:])
        fewer.retry.retries = 0
        let standard = Library(settings: settings([:]))
        let patient = Library(settings: fewer)
        #expect(standard.attempts == 4 && patient.attempts == 1)
        #expect(standard.options().download.retryStrategy != nil)
        await standard.close()
        await patient.close()
    }
}
