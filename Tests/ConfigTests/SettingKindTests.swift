import Testing

@testable import AlcedoConfig

@Suite(.timeLimit(.minutes(1))) struct SettingKindTests {
    private func read<Value>(_ kind: SettingKind<Value>, _ text: String) -> Value? { try? kind.read(.text(text)) }

    @Test(arguments: [
        ("500ms", Duration.milliseconds(500)), ("30s", .seconds(30)), ("5m", .seconds(300)), ("2h", .seconds(7200)),
        ("7", .seconds(7)), ("0", .zero), ("1.5s", .milliseconds(1500)), ("365h", .seconds(1_314_000)),
    ])
    func `durations are parsed`(text: String, duration: Duration) { #expect(read(.duration, text) == duration) }

    @Test(arguments: ["", "s", "-1s", "5 moons", "1e9h", "8761h", "nan", "infinity", "0x10s", "1..5s", "٣s", "5S"])
    func `an invalid duration is refused`(text: String) { #expect(read(.duration, text) == nil) }

    @Test(arguments: [("0s", false), ("0", false), ("99ms", false), ("100ms", true), ("24h", true), ("25h", false)])
    func `a time outside its range is refused with the range`(text: String, isGood: Bool) {
        let kind = Setting<Duration>.slideTime.kind
        #expect((read(kind, text) != nil) == isGood)
        #expect(kind.expected == "a time from 100ms to 24h")
    }

    @Test(arguments: [("0s", true), ("2s", true), ("2001ms", false), ("-1s", false), ("3h", false)])
    func `a transition is short`(text: String, isGood: Bool) {
        let kind = Setting<Duration>.transitionTime.kind
        #expect((read(kind, text) != nil) == isGood)
        #expect(kind.expected == "a time from 0s to 2s")
    }

    @Test func `a slideshow without time is refused in the config file`() {
        #expect(throws: (any Error).self) { try Configuration.read("[browser]\nslide-time = \"0s\"") }
        #expect(throws: Never.self) { try Configuration.read("[browser]\nslide-time = \"2s\"") }
    }

    @Test func `a number without a unit is a duration in seconds`() throws {
        #expect(try SettingKind<Duration>.duration.read(.number(3)) == .seconds(3))
        #expect(throws: SettingProblem.self) { try SettingKind<Duration>.duration.read(.number(-3)) }
    }

    @Test(arguments: ["500ms", "1500ms", "30s", "90s", "1m", "3m", "1h", "0s", "36h"])
    func `durations are written in the largest whole unit`(text: String) throws {
        let kind = SettingKind<Duration>.duration
        #expect(kind.write(try kind.read(.text(text))) == .text(text))
    }

    @Test(arguments: [
        ("1", 1), ("500K", 512_000), ("64M", 64 << 20), ("5G", 5 << 30), ("2k", 2048), ("1T", 1 << 40),
        ("1.5M", 3 << 19),
        ("2MiB", 2 << 20), ("1mb", 1 << 20),
    ])
    func `sizes are parsed`(text: String, bytes: Int) { #expect(read(.bytes, text) == bytes) }

    @Test(arguments: ["", "0", "0.1", "-1", "K", "1.5.5M", "9999999999G", "1X", "1BB", "99999999999999999999"])
    func `an invalid size is refused`(text: String) { #expect(read(.bytes, text) == nil) }

    @Test(arguments: ["1", "1000", "500K", "64M", "5G"])
    func `sizes are written in the largest whole unit`(text: String) throws {
        let kind = SettingKind<Int>.bytes
        #expect(kind.write(try kind.read(.text(text))) == .text(text))
    }

    @Test(arguments: [("10%", 0.1), ("0%", 0), ("12.5%", 0.125), ("10000%", 100)])
    func `percentages are parsed and written`(text: String, factor: Double) {
        #expect(read(.percentage, text) == factor)
        #expect(SettingKind<Double>.percentage.write(factor) == .text(text))
    }

    @Test(arguments: ["", "%", "10", "-1%", "nan%", "10001%", "1e2%"])
    func `an invalid percentage is refused`(text: String) { #expect(read(.percentage, text) == nil) }

    @Test func `a number outside its range is refused`() {
        let kind = SettingKind<Int>.number(in: 1...3)
        #expect((try? kind.read(.number(3))) == 3)
        for value in [ConfigurationValue.number(0), .number(4), .number(.max), .text("2"), .flag(true)] {
            #expect((try? kind.read(value)) == nil)
        }
    }

    @Test func `the expected values of a choice are its words`() {
        let kind = SettingKind<ProgressMode>.choice
        #expect(kind.expected == "auto, always, never or plain")
        #expect(read(kind, "never") == .never && read(kind, "Never") == nil)
    }

    @Test func `an error tells the expected and the actual value`() {
        #expect(throws: SettingProblem("takes true or false, not ''")) { try SettingKind<Bool>.flag.read(.text("")) }
        #expect(throws: SettingProblem("takes true or false, not a list")) {
            try SettingKind<Bool>.flag.read(.other("a list"))
        }
    }

    @Test(arguments: ["", "/absolute/folder"])
    func `a cache folder is absolute or empty`(path: String) {
        #expect(read(Setting<String>.cacheFolder.kind, path) == path)
        #expect(read(Setting<String>.cacheFolder.kind, "relative" + path) == nil)
    }
}
