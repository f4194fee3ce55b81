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
        ("bin/alcedo", "share/alcedo/pictures"), (".build/debug/alcedo", "assets/pictures"),
        (".build/x/Tests.xctest/Contents/Tests", "assets/pictures"),
    ])
    func `the pictures are found where they are installed, or beside .build`(program: String, place: String) throws {
        // Given pictures in one of the places
        try makeFolder(place)
        // When the program looks for them
        let found = Assets.picturesFolder(for: root.appending(path: program))
        // Then it finds them
        #expect(found?.standardizedFileURL.path == root.appending(path: place).standardizedFileURL.path)
    }

    @Test func `picturesFolder is nil when no pictures are installed`() {
        #expect(Assets.picturesFolder(for: root.appending(path: "bin/alcedo")) == nil)
    }
}
