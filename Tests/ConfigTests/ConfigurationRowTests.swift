import Testing

@testable import AlcedoConfig

@Suite(.timeLimit(.minutes(1))) struct ConfigurationRowTests {
    private var configuration: Configuration {
        var configuration = Configuration()
        configuration[.retryMaximumDelay] = .seconds(120)
        configuration[.cacheFolder] = "/file"
        return configuration
    }

    private func row(_ name: String, _ environment: [String: String] = [:]) throws -> ConfigurationRow {
        try #require(ConfigurationRow.all(configuration, environment: environment).first { $0.name == name })
    }

    @Test func `every setting has a row`() {
        let rows = ConfigurationRow.all(configuration, environment: [:])
        #expect(rows.count == ConfigurationSection.all.map(\.settings.count).reduce(0, +))
    }

    @Test func `a row shows the effective value, the default and the source`() throws {
        let row = try row("max-delay")
        #expect(row.section == "retrying" && row.value == "2m" && row.standard == "30s" && row.source == "file")
        #expect(try self.row("jobs").source == "default")
    }

    @Test func `environment variables override the file`() throws {
        #expect(try row("folder").source == "file" && row("folder").value == "/file")
        let named = try row("folder", ["ALCEDO_CACHE_DIR": "/own"])
        #expect(named.source == "$ALCEDO_CACHE_DIR" && named.value == "/own")
        #expect(try row("folder", ["ALCEDO_CACHE_DIR": ""]).source == "file")
        #expect(try row("theme", ["NO_COLOR": "1"]).value == "monochrome")
    }

    @Test func `the printed rows are a config file with the effective values`() throws {
        let lines = ConfigurationRow.lines(ConfigurationRow.all(configuration, environment: ["NO_COLOR": "1"]))
        let copy = try Configuration.read(lines.joined(separator: "\n"))
        #expect(copy[.retryMaximumDelay] == .seconds(120) && copy[.theme] == "monochrome")
        #expect(lines.contains { $0.hasPrefix("max-delay = \"2m\" ") && $0.hasSuffix(" # file") })
        #expect(lines.contains { $0.hasPrefix("jobs = 32 ") && $0.hasSuffix(" # default") })
    }
}
