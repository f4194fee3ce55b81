import TestSupport
import Testing

/// The command `alcedo config`.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ConfigCommandTests {
    private let place: Workplace
    private let path: String

    init() throws {
        place = try Workplace()
        path = place.path("home/.config/alcedo/config.toml")
    }

    private func configure(_ text: String) throws { try place.write(text, to: "home/.config/alcedo/config.toml") }

    @Test func `the printed default is a config file that changes nothing`() async throws {
        let printed = try await place.run("config", "--default")
        try configure(printed.output)

        let check = try await place.run("config", "--check")
        let settings = try await place.run("config")

        #expect(printed.code == 0 && printed.errors.isEmpty)
        #expect(printed.output.contains("# Transfers at a time.\njobs = 32\n"))
        #expect(check.code == 0 && check.output == "\(path): ok\n")
        #expect(settings.output == printed.output)
    }

    @Test func `the path is that of the environment`() async throws {
        let home = try await place.run("config", "--path")
        let xdg = try await place.run("config", "--path", environment: ["XDG_CONFIG_HOME": "/xdg"])
        let relative = try await place.run("config", "--path", environment: ["XDG_CONFIG_HOME": "xdg"])
        let own = try await place.run("config", "--path", "--json", environment: ["ALCEDO_CONFIG": "/own.toml"])
        let none = try await place.run("config", "--path", environment: ["HOME": nil])

        #expect(home.output == path + "\n" && relative.output == home.output)
        #expect(xdg.output == "/xdg/alcedo/config.toml\n")
        #expect(try own.objects().first?["path"] == "/own.toml")
        #expect(none.code == 1 && none.errors.contains("ALCEDO_CONFIG"))
    }

    @Test func `without a file the check says that the defaults hold`() async throws {
        let result = try await place.run("config", "--check")

        #expect(result.code == 0)
        #expect(result.output.contains("defaults"))
    }

    @Test func `every fault is told with file, line and column, and the way out`() async throws {
        try configure("[transfers]\njobs = 0\nper-hots = 3\n")

        let result = try await place.run("config", "--check")

        #expect(result.code == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("\(path):2:8: jobs takes a number from 1 to 1024, not 0\n"))
        #expect(result.errors.contains("\(path):3:1: "))
        #expect(result.errors.contains("'per-host'") && result.errors.contains("--no-config"))
    }

    @Test func `the check speaks JSON`() async throws {
        try configure("[transfers]\njobs = 0\n")

        let result = try await place.run("config", "--check", "--json")

        #expect(result.code == 2 && result.errors.isEmpty && result.lines.count == 1)
        #expect(result.output.contains("\"column\":8,\"line\":2,"))
        #expect(result.output.contains("\"ok\":false"))
    }

    @Test func `the settings speak JSON, one a line`() async throws {
        try configure("[retrying]\nmax-delay = \"120s\"\n")

        let rows = try await place.run("config", "--json").objects()

        let row = try #require(rows.first { $0["section"] == "retrying" && $0["name"] == "max-delay" })
        #expect(row["value"] == "2m" && row["default"] == "30s" && row.number("v") == 1)
    }

    @Test func `two requests at once are one too many`() async throws {
        let result = try await place.run("config", "--path", "--check")

        #expect(result.code == 2)
        #expect(result.output.isEmpty)
    }
}
