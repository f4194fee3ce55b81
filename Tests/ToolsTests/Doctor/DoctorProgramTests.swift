import AlcedoTerminal
import ProgramTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools

@Suite(.timeLimit(.minutes(1))) struct DoctorProgramTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private func facts(_ settings: LibrarySettings, terminal: TerminalReport? = nil) async -> [String: String] {
        let facts = await DoctorProgram(settings: settings).facts(of: terminal)
        return Dictionary(facts.map { ("\($0.topic)/\($0.name)", $0.value) }) { first, _ in first }
    }

    @Test func `facts of the terminal come first`() async {
        let report = TerminalReport(
            capabilities: TerminalCapabilities(), size: GridSize(columns: 80, rows: 24), lines: [("sixel", "yes")])
        let facts = await DoctorProgram(settings: Fixtures.library(in: place)).facts(of: report)
        #expect(facts.first?.topic == "Terminal" && facts.first?.name == "sixel" && facts.first?.value == "yes")
    }

    @Test func `without a terminal the fact is none`() async {
        #expect(await facts(Fixtures.library(in: place))["Terminal/terminal"] == "none")
    }

    @Test func `the limits are those of the settings`() async {
        var settings = Fixtures.library(in: place)
        (settings[.jobs], settings[.perHost], settings[.retries]) = (9, 4, 2)
        let facts = await facts(settings)
        #expect(facts["Limits/transfers"] == "9, 4 to one host")
        #expect(facts["Limits/retries"] == "2")
    }

    @Test func `the config file is listed with its faults`() async throws {
        let path = try place.write("config.toml", "a = 1\nb = 2\n".utf8)
        let report = ConfigurationReport(ConfigurationFile(path: path, isOptional: true))
        let facts = await DoctorProgram(settings: Fixtures.library(in: place), config: report).facts(of: nil)
        let config = facts.filter { $0.topic == "Config" }
        #expect(config.map(\.name) == ["file", "state", ""])
        #expect(config.first?.value == path)
        #expect(config.last?.value.hasPrefix("\(path):2:1: ") == true)
    }

    @Test func `the facts contain folder and entries of the cache`() async throws {
        _ = try await Fixtures.disk(in: place, sizes: [10, 20])
        let facts = await facts(Fixtures.library(in: place))
        #expect(facts["Cache/folder"] == place / "cache")
        #expect(facts["Cache/entries"] == "2")
    }

    @Test func `an unusable cache is reported as a problem`() async {
        var settings = LibrarySettings()
        settings.environment = ["ALCEDO_CACHE_DIR": "relative/path"]
        #expect(await facts(settings)["Cache/problem"]?.contains("relative/path") == true)
    }

    @Test func `lines have a heading for each topic`() {
        let facts = [("A", "one"), ("A", "two"), ("B", "three")].map {
            DoctorFact(topic: $0.0, name: $0.1, value: "1")
        }
        let lines = DoctorProgram.lines(facts).map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines == ["A", "one 1", "two 1", "", "B", "three 1"])
    }
}
