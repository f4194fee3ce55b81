import Testing

@testable import BrowserCore

@Suite("Which keys do what")
struct KeyMapTests {
    @Test("No two actions share a key, and every action has one")
    func unambiguous() {
        var owners: [String: BrowseAction] = [:]
        for action in BrowseAction.allCases {
            #expect(!action.standardKeys.isEmpty)
            for key in action.standardKeys {
                #expect(KeyName.keys(key) != nil, "\(key)")
                #expect(owners.updateValue(action, forKey: key) == nil, "\(key)")
            }
        }
    }

    @Test("A key means its action, the first of two waits for the second")
    func meanings() {
        let map = KeyMap.standard
        #expect(map.meaning(of: .character("j"), after: nil) == .action(.down))
        #expect(map.meaning(of: .character("g"), after: nil) == .strokeStart)
        #expect(map.meaning(of: .character("g"), after: .character("g")) == .action(.top))
        #expect(map.meaning(of: .character("j"), after: .character("g")) == .action(.down))
        #expect(map.meaning(of: .character("%"), after: nil) == .nothing)
    }

    @Test(
        "A name is read as the key that it is written for",
        arguments: ["j", "G", "space", "ctrl-d", "f1", "page-down", "gg"])
    func names(name: String) throws {
        let keys = try #require(KeyName.keys(name))
        #expect(keys.map(KeyName.name).joined() == name)
    }

    @Test("What is no key", arguments: ["", "ctrl-", "f13", "hello", "ctrl-ab"])
    func noNames(name: String) { #expect(KeyName.keys(name) == nil) }

    @Test("A chosen key goes over from the action that had it, and that one keeps its others")
    func bind() throws {
        var map = KeyMap.standard
        try map.bind(["k", "x"], to: "down")
        #expect(map.meaning(of: .character("k"), after: nil) == .action(.down))
        #expect(map.meaning(of: .character("j"), after: nil) == .nothing)
        #expect(map.meaning(of: .up, after: nil) == .action(.up))
        #expect(map.names(of: .cancel) == [])
    }

    @Test("A key that begins a chosen stroke is free for it")
    func beginnings() throws {
        var map = KeyMap.standard
        try map.bind(["gj"], to: "down")
        #expect(map.meaning(of: .character("j"), after: .character("g")) == .action(.down))
        #expect(map.meaning(of: .character("g"), after: .character("g")) == .action(.top))
        #expect(throws: KeyMapError.alreadyBound(key: "g", by: "down")) { try map.bind(["g"], to: "grid") }
    }

    @Test("Two chosen actions cannot share a key")
    func taken() throws {
        var map = KeyMap.standard
        try map.bind(["k"], to: "down")
        #expect(throws: KeyMapError.alreadyBound(key: "k", by: "down")) { try map.bind(["k"], to: "quit") }
        #expect(throws: KeyMapError.unknownAction("fly")) { try map.bind(["k"], to: "fly") }
        #expect(throws: KeyMapError.unknownKey("ctrl-nothing")) { try map.bind(["ctrl-nothing"], to: "up") }
    }

    @Test("The palette shows the keys that hold")
    func palette() throws {
        var options = BrowseOptions()
        try options.keyMap.bind(["ctrl-o"], to: "export")
        var browser = Browser(options: options)
        browser.add(count: 3)
        browser.press(.character("?"))
        browser.type("export")
        #expect(browser.frame.text.contains("ctrl-o"))
    }
}
