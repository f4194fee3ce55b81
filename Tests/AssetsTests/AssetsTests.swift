import Foundation
import TestSupport
import Testing

@testable import AlcedoAssets

@Suite(.timeLimit(.minutes(1))) struct AssetsTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private var root: URL { place.url }

    private func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            at: root.appending(path: path), withIntermediateDirectories: true)
    }

    @Test(arguments: [
        "bin/alcedo_AlcedoAssets.resources/pictures", "share/alcedo/pictures", "alcedo_AlcedoAssets.resources/pictures",
    ])
    func `the pictures are found beside the program or where they are installed`(place: String) throws {
        // Given pictures in one of the places
        try makeFolder(place)
        // When a program in bin looks for them
        let found = Assets.picturesFolder(for: root.appending(path: "bin/alcedo"))
        // Then it finds them
        #expect(found?.standardizedFileURL.path == root.appending(path: place).standardizedFileURL.path)
    }

    @Test func `picturesFolder is nil when no pictures are installed`() {
        #expect(Assets.picturesFolder(for: root.appending(path: "bin/alcedo")) == nil)
    }
}
