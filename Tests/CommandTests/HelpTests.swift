import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct HelpTests {
    @Test(arguments: [
        "", "browse", "show", "export", "prefetch", "cache", "cache dir", "cache stats", "cache ls", "cache show",
        "cache get", "cache rm", "cache prune", "cache verify", "cache pin", "cache unpin", "cache clear", "config",
        "doctor", "demo",
    ])
    func `help of each command is as recorded`(command: String) async throws {
        let words = command.split(separator: " ").map(String.init)

        let result = try await Workplace().start(words + ["--help"]).end()

        #expect(result.code == 0)
        #expect(result.errors.isEmpty)
        #expect(try Golden.mismatch(of: result.output, with: "help\(words.map { "-" + $0 }.joined())") == nil)
    }

    @Test func `help asked for by name equals the help option`() async throws {
        let place = try Workplace()

        let byName = try await place.run("help", "prefetch")
        let byOption = try await place.run("prefetch", "--help")

        #expect(byName.code == 0)
        #expect(byName.output == byOption.output)
    }

    @Test func `version is three numbers on a line`() async throws {
        let result = try await Workplace().run("--version")

        #expect(result.code == 0)
        #expect(result.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
        #expect(result.errors.isEmpty)
    }
}
