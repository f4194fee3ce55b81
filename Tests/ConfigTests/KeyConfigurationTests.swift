import AlcedoBrowserCore
import Testing

@testable import AlcedoConfig

/// The section `[keys]`.
@Suite(.timeLimit(.minutes(1))) struct KeyConfigurationTests {
    private func faults(_ text: String) -> [String] { Configuration.faults(text) }

    private func keys(_ action: String, _ text: String) throws -> [String]? {
        try Configuration.read(text).keys.map.rows.first { $0.action == action }?.keys
    }

    @Test func `an action accepts one key or a list of keys`() throws {
        #expect(try keys("mark", "[keys]\nmark = 'm'") == ["m"])
        #expect(try keys("mark", "[keys]\nmark = ['m', 'ctrl-y', 'f5']") == ["m", "ctrl-y", "f5"])
        #expect(try keys("mark", "[keys]\nmark = []") == [])
        #expect(try keys("mark", "[transfers]\njobs = 3") == ["space"])
    }

    @Test func `assigning a key removes it from its default action`() throws {
        #expect(try keys("down", "[keys]\nmark = 'j'") == ["down"])
        #expect(try keys("mark", "[keys]\nmark = 'j'") == ["j"])
    }

    @Test func `an unknown action is reported with the nearest name`() {
        #expect(
            faults("[keys]\nhalf-pagedown = 'd'")
                == ["2:1: there is no action 'half-pagedown'; did you mean half-page-down?"])
    }

    @Test func `an unknown key is reported with the nearest name`() throws {
        #expect(
            faults("[keys]\nmark = ['m', 'spac', 'hom']") == [
                "2:8: mark takes 'spac', which is no key; did you mean space?; it also "
                    + "takes 'hom', which is no key; did you mean home?"
            ])
        #expect(faults("[keys]\nmark = 'ctrl-'").first?.hasPrefix("2:8: mark takes keys such as j, ") == true)
    }

    @Test func `one key for two actions is reported with both actions`() throws {
        let faults = faults("[keys]\nexport = 'X'\ncancel = 'X'\nmark = 'm'")
        #expect(faults.count == 1)
        let fault = try #require(faults.first)
        #expect(fault.hasPrefix("3:10: cancel takes 'X', which is already a key of export"))
    }

    @Test(arguments: ["1", "true", "{ a = 'b' }", "['m', 1]", "1.5"])
    func `a value that is not a key is refused`(value: String) { #expect(faults("[keys]\nmark = \(value)").count == 1) }

    @Test func `the default file lists every action and reads back as the standard key map`() throws {
        let text = ConfigurationText.text()
        for action in KeyMap.standard.rows.map(\.action) { #expect(text.contains("\n\(action) = ["), "\(action)") }
        #expect(text.contains("# Half a page down.\nhalf-page-down = [\"ctrl-d\"]\n"))
        #expect(try Configuration.read(text).keys.map.rows == KeyMap.standard.rows)
    }

    @Test func `each row shows the effective keys and their source`() throws {
        let configuration = try Configuration.read("[keys]\nmark = 'j'")
        let rows = ConfigurationRow.all(configuration, environment: [:])
        let mark = try #require(rows.first { $0.name == "mark" && $0.section == "keys" })
        let down = try #require(rows.first { $0.name == "down" })
        #expect(mark.value == "j" && mark.source == "file" && mark.standard == "space")
        #expect(down.value == "down" && down.standard == "j down")
        let copy = try Configuration.read(ConfigurationRow.lines(rows).joined(separator: "\n"))
        #expect(copy.keys.map.rows == configuration.keys.map.rows)
    }
}
