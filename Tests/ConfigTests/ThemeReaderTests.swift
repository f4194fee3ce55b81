import AlcedoBrowserCore
import AlcedoScreen
import AlcedoTerminal
import Testing

@testable import AlcedoConfig

@Suite(.timeLimit(.minutes(1))) struct ThemeReaderTests {
    /// What is wrong with a text, each as `LINE:COLUMN: text`.
    private func faults(_ text: String) -> [String] { ThemeReader.read(text).1.map(\.description) }

    @Test func `colours missing in a theme are those of its base`() throws {
        #expect(try ThemeChoice.read("") == .auto)
        #expect(try ThemeChoice.read("base = 'high-contrast'") == .highContrast)
        let red = ThemeColor(number: 1)
        #expect(
            try ThemeChoice.read("accent = 'red'\nbase = 'light'") == ThemeChoice(.paintedLight).with([.accent: red]))
    }

    @Test func `every role accepts every notation of colours`() throws {
        let tokens = ThemeToken.allCases
        let values = ["\"#5fd7d7\"", "80", "'bright-cyan'", "\"default\""]
        let colors: [ThemeColor?] = [
            ThemeColor("#5fd7d7"), ThemeColor(number: 80), ThemeColor("bright-cyan"), .terminal,
        ]
        for (value, color) in zip(values, colors) {
            let theme = try ThemeChoice.read(tokens.map { "\($0.rawValue) = \(value)\n" }.joined())
            for token in tokens { #expect(theme.onDark.colors[token] == color && theme.onLight.colors[token] == color) }
        }
    }

    @Test func `all faults are reported with their places and what is expected`() throws {
        let told = faults("base = 'drk'\n  dim = \"#12\"\nok = 256\nwarn = 'gren'\n\nacent = 1")
        #expect(told.count == 5)
        let expected = [
            ("1:8: base takes auto, dark, light, high-contrast, monochrome, not 'drk'", "did you mean dark?"),
            ("2:9: dim takes a colour such as \"#5fd7d7\", a number from 0 to 255, a name such as red ", "not '#12'"),
            ("3:6: ok takes a colour ", "not 256"), ("4:8: warn takes a colour ", "did you mean green?"),
            ("6:1: there is no role 'acent'", "did you mean accent?"),
        ]
        for (fault, (start, rest)) in zip(told, expected) {
            #expect(fault.hasPrefix(start) && fault.dropFirst(start.count).contains(rest), "\(fault)")
        }
    }

    @Test(arguments: ["-1", "1.5", "true", "[1]", "{ a = 1 }", "''", "' red'"])
    func `a value that is not a colour is refused`(value: String) { #expect(faults("accent = \(value)").count == 1) }

    @Test func `invalid TOML is reported with its position`() throws {
        #expect(try #require(faults("accent = ").first).hasPrefix("1:10: invalid TOML: "))
        #expect(faults("a\0b") == ["1:2: a theme is text, without zero bytes"])
    }
}
