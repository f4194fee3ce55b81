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
        let standard = try await place.run("config", "--default", "--json")
        let settings = try await place.run("config", "--json", environment: ["ALCEDO_CACHE_DIR": nil])

        #expect(printed.code == 0 && printed.errors.isEmpty)
        #expect(printed.output.contains("# Downloads at a time.\njobs = 32\n"))
        #expect(check.code == 0 && check.output == "\(path): ok\n")
        #expect(try settings.objects().map { $0["value"] } == standard.objects().map { $0["value"] })
    }

    @Test func `the environment decides the path of the config file`() async throws {
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

    @Test func `without a config file the check reports that the defaults apply`() async throws {
        let result = try await place.run("config", "--check")

        #expect(result.code == 0)
        #expect(result.output.contains("defaults"))
    }

    @Test func `every fault is reported with file, line and column, and with --no-config`() async throws {
        try configure("[transfers]\njobs = 0\nper-hots = 3\n")

        let result = try await place.run("config", "--check")

        #expect(result.code == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("\(path):2:8: jobs takes a number from 1 to 1024, not 0\n"))
        #expect(result.errors.contains("\(path):3:1: "))
        #expect(result.errors.contains("did you mean per-host?") && result.errors.contains("--no-config"))
    }

    @Test func `the check prints JSON`() async throws {
        try configure("[transfers]\njobs = 0\n")

        let result = try await place.run("config", "--check", "--json")

        #expect(result.code == 2 && result.errors.isEmpty && result.lines.count == 1)
        #expect(result.output.contains("\"column\":8,\"file\":\"\(path)\",\"line\":2,"))
        #expect(result.output.contains("\"source\":\"[transfers] jobs = 0\""))
        #expect(result.output.contains("\"ok\":false"))
    }

    @Test func `the settings are printed as JSON, one per line`() async throws {
        try configure("[retrying]\nmax-delay = \"120s\"\n")

        let rows = try await place.run("config", "--json").objects()

        let row = try #require(rows.first { $0["section"] == "retrying" && $0["name"] == "max-delay" })
        #expect(row["value"] == "2m" && row["default"] == "30s" && row["source"] == "file" && row.number("v") == 1)
    }

    @Test func `each value is printed with its source`() async throws {
        try configure("[transfers]\njobs = 7\n")

        let settings = try await place.run("config")
        try configure(settings.output)
        let check = try await place.run("config", "--check")

        #expect(settings.lines.first?.hasSuffix(path) == true)
        #expect(settings.output.contains(#/\njobs = 7 +# file\n/#))
        #expect(settings.output.contains(#/\nper-host = 6 +# default\n/#))
        #expect(settings.output.contains("# $ALCEDO_CACHE_DIR\n") && settings.output.contains(place.path("cache")))
        #expect(check.code == 0, "what holds is a config file too")
    }

    @Test func `only config --check takes a file`() async throws {
        let other = try place.write("[browser]\ntheme = 3\n", to: "other.toml")

        let check = try await place.run("config", "--check", other)
        let missing = try await place.run("config", "--check", "none.toml")
        let path = try await place.run("config", "--path", other)

        #expect(check.code == 2 && check.errors.contains("\(other):2:9: theme takes "))
        #expect(missing.code == 2 && missing.errors.contains("none.toml"))
        #expect(path.code == 2 && path.output.isEmpty)
    }

    @Test func `the check includes the theme of the config file`() async throws {
        try configure("[browser]\ntheme = \"mine\"\n")
        let none = try await place.run("config", "--check")
        try place.write("accent = 999\n", to: "home/.config/alcedo/themes/mine.toml")
        let faulty = try await place.run("config", "--check")
        try place.write("accent = 99\n", to: "home/.config/alcedo/themes/mine.toml")
        let good = try await place.run("config", "--check")

        #expect(none.code == 2 && none.errors.contains("config.toml:2:9: there is no theme 'mine'"))
        #expect(faulty.code == 2 && faulty.errors.contains("themes/mine.toml:1:10: accent takes "))
        #expect(good.code == 0)
    }

    @Test(arguments: ["lite", "theme.toml"])
    func `an invalid theme ends the browser with exit code 2`(theme: String) async throws {
        try place.write("", to: "list.txt")
        try place.write("dim = 'gray'\n", to: "theme.toml")

        let result = try await place.run("browse", "list.txt", "--theme", theme)

        #expect(result.code == 2 && result.output.isEmpty)
        #expect(
            result.errors.contains("there is no theme 'lite'") || result.errors.contains("theme.toml:1:7: dim takes "))
    }

    @Test func `two requests at once are a usage error`() async throws {
        let result = try await place.run("config", "--path", "--check")

        #expect(result.code == 2)
        #expect(result.output.isEmpty)
    }
}
