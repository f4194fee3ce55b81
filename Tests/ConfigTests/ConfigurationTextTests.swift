import Testing

@testable import AlcedoConfig

@Suite(.timeLimit(.minutes(1))) struct ConfigurationTextTests {
    @Test func `the printed default file reads back as the defaults`() throws {
        let configuration = try Configuration.read(ConfigurationText.text())
        #expect(configuration != Configuration(), "it says something")
        #expect(ConfigurationText.text(configuration) == ConfigurationText.text())
        for setting in ConfigurationSection.all.flatMap(\.settings) {
            #expect(setting.value(in: configuration) == setting.standardValue, "\(setting.name)")
        }
    }

    @Test func `every setting has a line and a comment`() {
        let lines = ConfigurationText.text().split(separator: "\n").map(String.init)
        for section in ConfigurationSection.all {
            #expect(lines.contains("[\(section.name)]"))
            for setting in section.settings {
                #expect(lines.contains { $0.hasPrefix("\(setting.name) = ") }, "\(setting.name)")
                #expect(lines.contains("# \(setting.documentation)"), "\(setting.name)")
            }
        }
    }

    @Test func `setting and section names are unique`() {
        for section in ConfigurationSection.all {
            #expect(Set(section.settings.map(\.name)).count == section.settings.count)
        }
        #expect(Set(ConfigurationSection.all.map(\.name)).count == ConfigurationSection.all.count)
    }

    @Test func `printed settings read back unchanged`() throws {
        var configuration = Configuration()
        configuration[.jobs] = 9
        configuration[.retryDelay] = .milliseconds(1500)
        configuration[.retryBudget] = 0.075
        configuration[.cacheFolder] = "/with \"quotes\" and \\ and \u{1}"
        let copy = try Configuration.read(ConfigurationText.text(configuration))
        #expect(copy[.jobs] == 9)
        #expect(copy[.retryDelay] == .milliseconds(1500))
        #expect(copy[.retryBudget] == 0.075)
        #expect(copy[.cacheFolder] == configuration[.cacheFolder])
    }
}
