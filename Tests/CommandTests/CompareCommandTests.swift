import Foundation
import TestSupport
import Testing

/// Runs in a session of its own, so that no screen opens.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CompareCommandTests {
    @Test(arguments: ["a.webp", "./a.webp", "hard.webp", "link.webp"])
    func `two names of one file are told, and nothing is shown`(name: String) async throws {
        let place = try Workplace(files: ["a.webp": try Pictures.bytes()])
        let file = place.path("a.webp")
        try FileManager.default.linkItem(atPath: file, toPath: place.path("hard.webp"))
        try FileManager.default.createSymbolicLink(atPath: place.path("link.webp"), withDestinationPath: "a.webp")

        let result = try await place.start(["compare", file, place.path(name)], shell: NoTerminalTests.alone).end()

        #expect(result.code == 0)
        #expect(result.output.isEmpty)
        #expect(result.errors == "alcedo: \(file) and \(place.path(name)) are the same file\n")
    }

    @Test func `one address in two ways of writing is told without its secrets`() async throws {
        let place = try Workplace()
        let addresses = ["http://me:pw@a.example/%7Eb.png", "HTTP://me:pw@A.example:80/~b.png"]

        let result = try await place.start(["compare"] + addresses, shell: NoTerminalTests.alone).end()

        #expect(result.code == 0)
        #expect(result.errors.hasSuffix(" are the same address\n") && !result.errors.contains("pw"))
    }

    @Test func `two files with equal bytes are compared`() async throws {
        let place = try Workplace(files: ["a.webp": try Pictures.bytes(), "b.webp": try Pictures.bytes()])

        let result = try await place.start(
            ["compare", place.path("a.webp"), place.path("b.webp")], shell: NoTerminalTests.alone
        ).end()

        #expect(result.code == 1)
        #expect(result.errors.contains("terminal"))
    }
}
