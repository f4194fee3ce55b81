import Foundation
import TestSupport
import Testing

@testable import AlcedoConfig

@MainActor @Suite(.timeLimit(.minutes(1))) struct ExportBatchTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    @Test func `files with the same name are numbered`() async throws {
        var batch = ExportBatch(of: 3, to: place / "new/")
        for text in ["a", "b", "c"] { await batch.add("1.png") { _ in Data(text.utf8) } }
        #expect(batch.outcome == "exported 3 pictures to \(place / "new")" && !batch.hasFailed)
        #expect(try place.read("new/1.png") == "a")
        #expect(try place.read("new/1-2.png") == "b")
        #expect(try place.read("new/1-3.png") == "c")
    }

    @Test func `a number is never given that a file in the folder has`() async throws {
        for name in ["1.png", "1-2.png"] { try place.write(name, "old".utf8) }
        var batch = ExportBatch(of: 2, to: place.path)
        // Only the file with the name itself is replaced.
        for text in ["a", "b"] { await batch.add("1.png", mayReplace: true) { _ in Data(text.utf8) } }
        #expect(!batch.hasFailed)
        #expect(try place.read("1.png") == "a" && place.read("1-2.png") == "old")
        #expect(try place.read("1-3.png") == "b")
    }

    @Test func `an existing file is kept and the other files are still exported`() async throws {
        try place.write("1.png", "old".utf8)
        var batch = ExportBatch(of: 2, to: place.path)
        for name in ["1.png", "2.png"] { await batch.add(name) { _ in Data("new".utf8) } }
        #expect(batch.outcome == "exported 1 of 2; 1 failed: \(place / "1.png") exists: name another file")
        #expect(batch.hasFailed)
        #expect(try place.read("1.png") == "old")
        #expect(try place.read("2.png") == "new")
    }

    @Test func `of several failures the first is reported`() async throws {
        for name in ["1.png", "3.png"] { try place.write(name, "old".utf8) }
        var batch = ExportBatch(of: 3, to: place.path)
        for name in ["1.png", "2.png", "3.png"] { await batch.add(name) { _ in Data("new".utf8) } }
        #expect(batch.outcome == "exported 1 of 3; 2 failed: \(place / "1.png") exists: name another file …")
    }

    @Test func `files are exported into an existing folder`() async throws {
        var batch = ExportBatch(of: 1, to: place.path)
        await batch.add("1.png") { _ in Data("a".utf8) }
        #expect(batch.outcome == "exported 1 picture to \(place.path)")
        #expect(try place.read("1.png") == "a")
    }

    @Test func `a leading tilde is expanded to the home folder`() async throws {
        var batch = ExportBatch(of: 1, to: "~/nowhere-\(UUID().uuidString)/1.png")
        await batch.add("1.png") { _ in Data() }
        #expect(batch.outcome.hasPrefix("cannot write \(NSHomeDirectory())/nowhere-"))
    }
}
