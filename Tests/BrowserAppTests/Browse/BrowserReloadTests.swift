import AlcedoBrowserCore
import AlcedoScreen
import AlcedoTerminal
import Foundation
import ImageLoading
import ProgramTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

/// The config file read again while the browser runs.
@MainActor @Suite(.timeLimit(.minutes(1))) struct BrowserReloadTests {
    private let place: TemporaryFolder
    private let screen = FakeScreen()
    private let environment: [String: String]

    init() throws {
        place = try TemporaryFolder()
        screen.size = GridSize(columns: 160, rows: 24)
        environment = [
            "ALCEDO_CACHE_DIR": place / "cache", "XDG_CONFIG_HOME": place / "config", "LANG": "C.UTF-8",
        ]
        for name in ["a.png", "b.png"] { try place.write("pictures/\(name)", try Fixtures.png(width: 20, height: 20)) }
    }

    private func configure(_ text: String) throws { try place.write("config/alcedo/config.toml", text.utf8) }

    /// What the config file says, under what an option says.
    private func settings() async throws -> BrowserSettings {
        let contents = ConfigurationContents(environment: environment)
        var configuration = contents.configuration
        configuration[.transitions] = false
        var settings = try await BrowserSettings(configuration, of: contents, environment: environment)
        settings.lists = [place / "pictures"]
        return settings
    }

    /// Runs the browser while `body` uses its screen, and to its end.
    private func run(_ body: () async throws -> Void) async throws {
        let program = BrowserProgram(settings: try await settings()) { try await settings() }
        let running = Task { await program.run(on: screen) }
        defer { screen.happen(.signal(.terminate)) }
        await screen.shows("b.png")
        try await body()
        screen.happen(.signal(.terminate))
        _ = await running.value
    }

    private func reload() { screen.happen(.key(.control("r"))) }

    @Test func `a changed theme and changed keys take effect at once`() async throws {
        try configure("[browser]\ntheme = 'dark'\n")
        try await run {
            // When the file is changed and read again
            try configure("[browser]\ntheme = 'high-contrast'\n[keys]\nfilter = 'F'\n")
            reload()
            #expect(await screen.shows("configuration reloaded"))
            // Then the screen has its colours
            #expect(screen.themes == [.highContrast])
            // And its keys
            screen.type("Fb.png")
            #expect(await screen.comes { screen.frames.last?.text.contains("a.png") == false })
        }
    }

    @Test func `changed settings that need a restart are announced`() async throws {
        try await run {
            try configure("[browser]\nmouse = false\n[transfers]\njobs = 3\n")
            reload()
            #expect(await screen.shows("mouse, transfers, cache and retrying after a restart"))
            // What is read again unchanged waits for nothing more
            reload()
            #expect(
                await screen.comes {
                    let text = screen.frames.last?.text ?? ""
                    return text.contains("configuration reloaded") && !text.contains("restart")
                })
        }
    }

    @Test func `an invalid setting is reported with its position, and the others take effect`() async throws {
        try await run {
            try configure("[browser]\ntheme = 'high-contrast'\nprefetch = 3\n")
            reload()
            #expect(await screen.shows("config.toml 3:12   [browser] prefetch = 3"))
            #expect(screen.themes == [.highContrast])
            // When it is corrected
            try configure("[browser]\ntheme = 'high-contrast'\n")
            reload()
            #expect(await screen.comes { screen.frames.last?.text.contains("not used") == false })
        }
    }

    @Test func `a wrong line of a theme file is reported with its position, and the others take effect`() async throws {
        try place.write("config/alcedo/themes/mine.toml", "dim = 'gray'\naccent = 1".utf8)
        try await run {
            try configure("[browser]\ntheme = 'mine'\n")
            reload()
            #expect(await screen.shows("mine.toml 1:7   dim = 'gray'"))
            #expect(screen.themes == [ThemeChoice.auto.with([.accent: ThemeColor(number: 1)])])
        }
    }

    @Test func `a browser with a wrong config file starts with the rest and tells what it does not use`() async throws {
        try configure("[browser]\ntheme = 'hi-contrast'\nindicator = 'nosuch.gif'\n[keys]\nexprt = 'e'\nfilter = 'F'\n")
        try await run {
            #expect(await screen.shows("3 lines of the configuration are not used"))
            let text = screen.frames.last?.text ?? ""
            #expect(text.contains("no theme 'hi-contrast'; did you mean") && text.contains(" high-contrast?"))
            #expect(text.contains("indicator: cannot read nosuch.gif"))
            screen.type("Fb.png")
            #expect(await screen.comes { screen.frames.last?.text.contains("a.png") == false })
        }
    }

    @Test func `a theme and a picture file of an option end the browser`() async throws {
        var configuration = Configuration()
        configuration[.theme] = "nosuch"
        await #expect(throws: ConfigurationProblem.self) {
            _ = try await BrowserSettings(configuration, of: ConfigurationContents(), environment: environment)
        }
        configuration[.theme] = "auto"
        configuration[.indicator] = "nosuch.gif"
        await #expect(throws: ProgramProblem.self) {
            _ = try await BrowserSettings(configuration, of: ConfigurationContents(), environment: environment)
        }
    }

    @Test func `a wrong variable of the environment is told and not used`() async throws {
        var environment = environment
        environment["ALCEDO_CACHE_DIR"] = "relative"
        let contents = ConfigurationContents(environment: environment)
        let settings = try await BrowserSettings(contents.configuration, of: contents, environment: environment)
        #expect(settings.faults.map(\.file) == ["$ALCEDO_CACHE_DIR"])
        #expect(settings.environment["ALCEDO_CACHE_DIR"] == nil)
    }

    @Test func `reloading without a config file reports that there is nothing to reload`() async throws {
        let program = BrowserProgram(settings: try await settings())
        let running = Task { await program.run(on: screen) }
        await screen.shows("b.png")
        reload()
        #expect(await screen.shows("nothing to reload"))
        screen.happen(.signal(.terminate))
        _ = await running.value
    }
}
