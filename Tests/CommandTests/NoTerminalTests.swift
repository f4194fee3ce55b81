import Foundation
import TestSupport
import Testing

/// Runs in a session of its own, so that there is no terminal even when the tests have one.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NoTerminalTests {
    static let alone = #"exec setsid --wait "$0" "$@""#

    @Test(arguments: ["dumb", "xterm-256color", "", "no-such-terminal"])
    func `browse without a terminal says what to do and ends with 1`(term: String) async throws {
        let place = try Workplace()

        let result = try await place.start(
            ["browse", BuiltProgram.picture("fjord.webp").path], shell: Self.alone, environment: ["TERM": term]
        ).end()

        #expect(result.code == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("terminal") && result.errors.contains("try: alcedo prefetch"))
    }

    @Test func `the cache screen without a terminal suggests the subcommands`() async throws {
        let result = try await Workplace().start(["cache"], shell: Self.alone).end()

        #expect(result.code == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("alcedo cache ls"))
    }

    @Test func `doctor reports without a terminal, as text and as JSON`() async throws {
        let place = try Workplace()

        let text = try await place.start(["doctor"], shell: Self.alone).end()
        let json = try await place.start(["doctor", "--json"], shell: Self.alone).end()

        #expect(text.code == 0 && json.code == 0)
        #expect(text.lines.first == "Terminal")
        #expect(text.output.contains(place.path("cache")))
        let facts = try json.objects()
        #expect(
            Set(facts.compactMap { $0["topic"] }) == [
                "Terminal", "Limits", "Sandbox", "Formats", "HTTP", "Config", "State", "Cache",
            ])
        #expect(facts.first { $0["name"] == "terminal" }?["value"] == "none")
    }

    @Test func `doctor reports an unusable cache and the other facts`() async throws {
        let result = try await Workplace().start(
            ["doctor"], shell: Self.alone, environment: ["ALCEDO_CACHE_DIR": "/dev/null"]
        ).end()

        #expect(result.code == 0)
        #expect(result.output.contains("/dev/null is not a folder"))
        #expect(result.output.contains("Limits"))
    }

    @Test func `demo without a terminal prefetches and prints the statistics`() async throws {
        let place = try Workplace()

        let result = try await place.start(["demo", "--rate", "100M"], shell: Self.alone).end()
        let own = try await place.run("cache", "ls")

        #expect(result.code == 0)
        #expect(result.output.contains("entries    30"))
        #expect(result.errors.contains("fetched 30"))
        #expect(own.output.isEmpty)
    }

    @Test func `show as blocks needs no terminal`() async throws {
        let result = try await Workplace().start(
            ["show", "--format", "blocks", "--cells", "4x4", BuiltProgram.picture("fjord.webp").path],
            shell: Self.alone, environment: ["TERM": "dumb"]
        ).end()

        #expect(result.code == 0)
        #expect(!result.output.isEmpty)
    }
}
