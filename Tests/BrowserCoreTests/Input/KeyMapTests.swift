import AlcedoScreen
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("The key map", .timeLimit(.minutes(1)))
struct KeyMapTests {
    @Test
    func `no two actions share a key, and every action has one`() {
        var owners: [String: BrowseAction] = [:]
        for action in BrowseAction.allCases {
            #expect(!action.traits.keys.isEmpty)
            for key in action.traits.keys {
                #expect(KeyName.keys(key) != nil, "\(key)")
                #expect(owners.updateValue(action, forKey: key) == nil, "\(key)")
            }
        }
    }

    @Test
    func `a key maps to its action, and the first key of a sequence waits for the second`() {
        let map = KeyMap.standard
        #expect(map.meaning(of: .character("j"), after: nil) == .action(.down))
        #expect(map.meaning(of: .character("g"), after: nil) == .strokeStart)
        #expect(map.meaning(of: .character("g"), after: .character("g")) == .action(.top))
        #expect(map.meaning(of: .character("j"), after: .character("g")) == .action(.down))
        #expect(map.meaning(of: .character("%"), after: nil) == .nothing)
    }

    @Test(
        arguments: ["j", "G", "space", "ctrl-d", "f1", "page-down", "gg"])
    func `a key name is parsed and printed unchanged`(name: String) throws {
        let keys = try #require(KeyName.keys(name))
        #expect(keys.map(KeyName.name).joined() == name)
    }

    @Test(arguments: ["", "ctrl-", "f13", "hello", "ctrl-ab"])
    func `an invalid key name is refused`(name: String) { #expect(KeyName.keys(name) == nil) }

    @Test
    func `binding a key removes it from its old action, which keeps its other keys`() throws {
        var map = KeyMap.standard
        try map.bind(["k", "x"], to: "down")
        #expect(map.meaning(of: .character("k"), after: nil) == .action(.down))
        #expect(map.meaning(of: .character("j"), after: nil) == .nothing)
        #expect(map.meaning(of: .up, after: nil) == .action(.up))
        #expect(map.names(of: .cancel) == [])
    }

    @Test
    func `binding a sequence frees its first key`() throws {
        var map = KeyMap.standard
        try map.bind(["gj"], to: "down")
        #expect(map.meaning(of: .character("j"), after: .character("g")) == .action(.down))
        #expect(map.meaning(of: .character("g"), after: .character("g")) == .action(.top))
        #expect(throws: KeyMapError.alreadyBound(key: "g", by: "down")) { try map.bind(["g"], to: "grid") }
    }

    @Test
    func `binding a key to two actions, an unknown action or an unknown key is an error`() throws {
        var map = KeyMap.standard
        try map.bind(["k"], to: "down")
        #expect(throws: KeyMapError.alreadyBound(key: "k", by: "down")) { try map.bind(["k"], to: "quit") }
        #expect(throws: KeyMapError.unknownAction("fly")) { try map.bind(["k"], to: "fly") }
        #expect(throws: KeyMapError.unknownKey("ctrl-nothing")) { try map.bind(["ctrl-nothing"], to: "up") }
    }

    @Test
    func `the palette shows the configured keys`() throws {
        var options = BrowseOptions()
        try options.keyMap.bind(["ctrl-o"], to: "export")
        var browser = Browser(options: options)
        browser.add(count: 3)
        browser.press(.character("?"))
        browser.type("export")
        #expect(browser.frame.text.contains("ctrl-o"))
    }

    @Test(arguments: [
        ("й", "q"), ("Ж", ":"), ("ю", "."), ("і", "s"), ("Э", "\""), ("q", "q"), ("é", "é"), ("ξ", "j"), ("Ω", "V"),
        ("ח", "j"),
        ("ץ", "."),
    ])
    func `a Cyrillic, Greek or Hebrew letter has the key at its place of a Latin keyboard`(
        letter: Character, key: Character
    ) {
        #expect(Key.character(letter).latin == .character(key))
    }

    @Test
    func `in a Cyrillic layout keys act by their place, and letters that are typed stay text`() throws {
        var browser = Browser()
        browser.add(count: 9)
        // о is at the place of j, п of g
        browser.type("оо")
        #expect(browser.state.viewport.cursor == 2)
        browser.type("пп")
        #expect(browser.state.viewport.cursor == 0)
        browser.press(.character("/"))
        browser.type("оо")
        #expect(browser.state.filter.text == "оо" && browser.state.focus == .filter)
        browser.press(.escape)
        browser.type("Жоо")
        guard case .command(let field) = browser.state.focus else {
            Issue.record("no command line is open")
            return
        }
        #expect(field.field.text == "оо")
    }

    @Test
    func `a key that the user bound keeps its meaning in a Cyrillic layout`() throws {
        var options = BrowseOptions()
        try options.keyMap.bind(["о"], to: "bottom")
        var browser = Browser(options: options)
        browser.add(count: 9)
        browser.type("о")
        #expect(browser.state.viewport.cursor == 8)
    }
}
