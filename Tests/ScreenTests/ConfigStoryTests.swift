import Foundation
import TestSupport
import Testing

/// Colours and keys as a person chooses them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ConfigStoryTests {
    private let place: Workplace

    init() throws { place = try Workplace.withPictures() }

    private func configure(_ text: String) throws { try place.write(text, to: "home/.config/alcedo/config.toml") }

    private func browse(_ options: String..., environment: [String: String] = [:]) async throws -> FakeTerminal {
        let terminal = try FakeTerminal(
            ["browse", "--no-transitions", place.pictures.path] + options, in: place, columns: 160, kind: .plain,
            environment: environment)
        try await eventually("the list") { terminal.screen.contains("two.png") }
        return terminal
    }

    private func text(_ terminal: FakeTerminal) -> String { String(decoding: terminal.transcript, as: UTF8.self) }

    @Test func `a custom theme is used, and another one after ctrl-r`() async throws {
        let theme = "home/.config/alcedo/themes/mine.toml"
        try place.write("base = 'dark'\naccent = 99\n", to: theme)
        try configure("[browser]\ntheme = 'mine'\n")
        let terminal = try await browse()
        #expect(text(terminal).contains("38;5;99"))

        try place.write("base = 'dark'\naccent = '#ff0000'\n", to: theme)
        terminal.type("\u{12}")

        try await eventually("the notice") { terminal.screen.contains("configuration reloaded") }
        try await eventually("the new colour") { text(terminal).contains("38;5;196") }
    }

    @Test func `an option overrides the file, also after reloading`() async throws {
        try place.write("accent = 99\n", to: "mine.toml")
        try configure("[browser]\ntheme = 'light'\n")
        let terminal = try await browse("--theme", place.path("mine.toml"))

        try configure("[browser]\ntheme = 'light'\n[keys]\nquit = 'Q'\n")
        terminal.type("\u{12}")
        try await eventually("the notice") { terminal.screen.contains("configuration reloaded") }
        #expect(!text(terminal).contains("38;5;24m"))
        terminal.type("Q")

        try await eventually("the end") { terminal.status != nil }
        #expect(terminal.status == 0)
    }

    @Test func `a fault in the file is reported with its position, and its other lines are used`() async throws {
        let terminal = try await browse()
        try configure("[keys]\nquit = 'Q'\nqit = 'Z'\n")

        terminal.type("\u{12}")

        try await eventually("the fault") { terminal.screen.contains("config.toml 3:1   [keys] qit = 'Z'") }
        try await eventually("the reason") { terminal.screen.contains("did you mean quit?") }
        terminal.type("\u{1B}")
        try await eventually("the list") { !terminal.screen.contains("config.toml 3:1") }
        terminal.type("Q")
        try await eventually("the end") { terminal.status != nil }
    }

    @Test func `a browser starts with a wrong config file and shows what it does not use`() async throws {
        try configure("[browser]\ntheme = 'hi-contrast'\n[keys]\nexprt = 'e'\n")
        let terminal = try await browse()
        #expect(terminal.screen.contains("2 lines of the configuration are not used"))
        #expect(terminal.screen.contains("[browser] theme = 'hi-contrast'"))
        terminal.type("j")
        try await eventually("the list") { !terminal.screen.contains("2 lines of") }
        terminal.type(":config\r")
        try await eventually("the sheet") { terminal.screen.contains("2 lines of") }
    }

    @Test(arguments: [["--theme", "monochrome"], []])
    func `monochrome and NO_COLOR use no colours`(options: [String]) async throws {
        let environment = options.isEmpty ? ["NO_COLOR": "1"] : [:]
        let terminal = try FakeTerminal(
            ["browse", "--no-transitions", "--graphics", "sixel", place.pictures.path] + options, in: place,
            environment: environment)
        try await eventually("the list") { terminal.screen.contains("two.png") }
        let text = text(terminal)

        #expect(!text.contains("38;5") && !text.contains("48;5"))
        #expect(text.contains("\u{1B}[0;1;7m"), "the selection is bold and reversed")
    }
}
