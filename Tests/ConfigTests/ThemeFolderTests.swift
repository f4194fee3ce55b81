import AlcedoBrowserCore
import AlcedoScreen
import AlcedoTerminal
import TestSupport
import Testing

@testable import AlcedoConfig

@Suite(.timeLimit(.minutes(1))) struct ThemeFolderTests {
    private let place: TemporaryFolder
    private let folder: ThemeFolder
    private let red = ThemeColor(number: 1)

    init() throws {
        place = try TemporaryFolder()
        folder = ThemeFolder(environment: ["XDG_CONFIG_HOME": place.path])
        try place.write("alcedo/themes/mine.toml", "accent = 'red'\n".utf8)
        try place.write("alcedo/themes/dark.toml", "accent = 'red'\n".utf8)
        try place.write("alcedo/themes/notes.txt", "".utf8)
        try place.write("alcedo/themes/bad.toml", "\naccent = 'rad'".utf8)
    }

    private func problem(_ name: String, in folder: ThemeFolder? = nil) -> [String] {
        do throws(ConfigurationProblem) {
            _ = try (folder ?? self.folder).theme(name)
            return []
        } catch {
            return error.lines
        }
    }

    @Test func `the theme folder lies in the standard config folder`() {
        #expect(folder.path == place / "alcedo/themes")
        #expect(ThemeFolder(environment: ["HOME": "/h", "ALCEDO_CONFIG": "/x"]).path == "/h/.config/alcedo/themes")
        #expect(ThemeFolder(environment: [:]).path == nil)
    }

    @Test func `built-in themes come first, and theme files are found by name`() throws {
        #expect(try folder.theme("dark") == ThemeChoice(.paintedDark))
        #expect(try folder.theme("mine") == ThemeChoice.auto.with([.accent: red]))
        #expect(folder.names == ThemeFolder.builtIn + ["bad", "mine"])
        #expect(ThemeFolder(environment: [:]).names == ThemeFolder.builtIn)
    }

    @Test func `a theme with a slash or an extension is read as a file path`() throws {
        let other = try place.write("other.toml", "base = 'light'".utf8)
        #expect(try folder.theme(other) == ThemeChoice(.paintedLight))
        #expect(problem("/nowhere/x") == ["/nowhere/x: the theme cannot be opened: No such file or directory"])
        #expect(problem("nowhere.toml").first?.hasPrefix("nowhere.toml: the theme cannot be opened") == true)
        #expect(problem(place.path) == ["\(place.path): the theme is not a plain file"])
    }

    @Test func `an unknown theme is reported with the nearest name`() {
        #expect(problem("minee") == ["there is no theme 'minee'; did you mean mine?"])
        #expect(problem("hi-contrast") == ["there is no theme 'hi-contrast'; did you mean high-contrast?"])
    }

    @Test func `an unknown theme without a near match is reported with the places of themes`() {
        #expect(
            problem("x") == [
                "there is no theme 'x'; alcedo config --default names the themes; "
                    + "your own belong in \(place / "alcedo/themes")"
            ])
        #expect(problem("x", in: ThemeFolder(environment: [:])).count == 1)
    }

    @Test func `faults in a theme contain file, line and column`() {
        let lines = problem("bad")
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("\(place / "alcedo/themes/bad.toml"):2:10: accent takes a colour") == true)
    }

    @Test func `the report on the config file includes faults of its theme`() throws {
        let file = ConfigurationFile(path: try place.write("config.toml", "[browser]\ntheme = 'bad'\n".utf8))
        let report = ConfigurationReport(file, themes: folder)
        #expect(!report.ok && report.exists && report.reason == nil)
        #expect(report.faults.map(\.line) == [2] && report.lines.last?.contains("bad.toml:2:10: ") == true)
        #expect(ConfigurationReport(file).ok)
    }
}
