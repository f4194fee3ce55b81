import AlcedoBrowserCore
import AlcedoLists
import AlcedoScreen
import Foundation
import Raster
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

/// Ten thousand rows of what must not reach a terminal, or must not be seen.
@MainActor @Suite(.timeLimit(.minutes(5))) struct HostileListTests {
    private let place: TemporaryFolder
    private static let secrets = ["hunter2", "s3cr3t-t0ken", "AKIAHUSH"]

    init() throws { place = try TemporaryFolder() }

    private static let names = [
        "\u{1B}[2J\u{1B}]0;owned\u{7}.png", "\u{9B}31mred.png", "\u{202E}gnp.exe", "a\u{200B}b\u{FEFF}c.png",
        "e\u{301}\u{302}\u{303}\u{304}.png", String(repeating: "\u{301}", count: 40), "夜の港と灯台.png", "👩‍👩‍👧‍👦🇦🇶👋🏿.gif",
        "\u{2066}x\u{2069}\u{200F}.jpg", "\u{8}\u{8}\u{7F}.png", "tab\tin\u{B}it.png", "\u{E000}\u{F8FF}.png",
        "%1B%5B2J%07.png", "%E2%80%AEgnp.exe", "..", "?", "#", String(repeating: "ﷺ", count: 200),
    ]

    private static func line(_ number: Int) -> String {
        let name = names[number % names.count]
        switch number % 7 {
        case 0: return "http://user:hunter2@127.0.0.1:1/\(number)/\(name)"
        case 1: return "http://127.0.0.1:1/\(number)/\(name)?token=s3cr3t-t0ken&X-Amz-Signature=AKIAHUSH"
        case 2: return "/nowhere/\(number)/\(name)"
        case 3: return "http://[::1]:1/\(number)/" + String(repeating: "x", count: number % 700 == 3 ? 60 << 10 : 300)
        case 4: return "http://xn--\(number).\(String(repeating: "wide", count: 30)).example:1/\(name)"
        case 5: return name
        default: return "http://127.0.0.1:1/\(number)/\(name) \u{202E} \(name)"
        }
    }

    private func list() throws -> String {
        try place.write("list.txt", (0..<10_000).map(Self.line).joined(separator: "\n").utf8)
    }

    /// The items of the list as the browser has them.
    private func browser(columns: Int) async throws -> BrowseState {
        let inbox = Inbox<BrowseMessage>()
        var state = BrowseState(title: "list.txt", options: BrowseOptions(prefetches: false))
        _ = state.update(.resized(GridSize(columns: columns, rows: 30), CellSize(width: 10, height: 20)))
        let listLoader = BrowserListLoader(lists: [try list()], inbox: inbox)
        let reading = Task { await listLoader.readWithoutNetwork() }
        let messages = await inbox.messages { if case .listFinished = $0 { true } else { false } }
        await reading.value
        for message in messages { _ = state.update(message) }
        return state
    }

    private func check(_ state: BrowseState, _ moment: String) {
        let frame = state.frame
        let faults = frame.faults
        #expect(faults.isEmpty, "\(moment): \(faults.prefix(3))")
        for secret in Self.secrets { #expect(!frame.text.contains(secret), "\(moment) shows \(secret)") }
    }

    @Test(arguments: [37, 80, 161])
    func `hostile names stay within their cells and secrets stay hidden`(columns: Int) async throws {
        // Given the list, read to its end
        var state = try await browser(columns: columns)
        check(state, "first")
        #expect(state.frame.text.contains("list.txt"))
        // When every page of it is looked at, with all that is known of its rows
        for key in ["i", "\u{6}", "t", "\u{6}", "t"] { press(key, &state) }
        for page in 0..<380 {
            press("\u{6}", &state)
            check(state, "page \(page)")
            for failure in ["\u{1B}[31m404", "s\u{301}\u{202E}o"] {
                if let item = state.selected { _ = state.update(.statusChanged(item, .failed(reason: failure))) }
            }
        }
        // Then nothing did; nor in the tasks, the command line, the grid and full screen
        for key in ["w", "w", ":", "\u{1B}", "t", "j", "\r", "k"] {
            press(key, &state)
            check(state, "after \(key.debugDescription)")
        }
    }

    @Test func `a filter finds a name with wide characters in the hostile list`() async throws {
        var state = try await browser(columns: 120)
        for key in ["/", "灯", "台"] { press(key, &state) }
        check(state, "filtered")
        #expect(state.frame.text.contains("夜の港と灯台.png"))
    }

    private func press(_ key: String, _ state: inout BrowseState) {
        switch key {
        case "\u{6}": _ = state.update(.key(.control("f")))
        case "\u{1B}": _ = state.update(.key(.escape))
        case "\r": _ = state.update(.key(.enter))
        default: for character in key { _ = state.update(.key(.character(character))) }
        }
    }
}
