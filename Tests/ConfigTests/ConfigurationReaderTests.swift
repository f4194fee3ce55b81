import AlcedoBrowserCore
import Testing

@testable import AlcedoConfig

@Suite(.timeLimit(.minutes(1))) struct ConfigurationReaderTests {
    private func faults(_ text: String) -> [String] { Configuration.faults(text) }

    @Test(arguments: ["", "\n", "# nothing\n", "\u{FEFF}", "[transfers]\n", "[cache]\r\n[browser]\r\n"])
    func `an empty file sets nothing`(text: String) throws {
        #expect(try Configuration.read(text) == Configuration())
    }

    @Test func `settings in the file are set and the others stay unset`() throws {
        let configuration = try Configuration.read(
            """
            [transfers]
            jobs = 7
            [retrying]
            delay = "2s"   # a comment
            budget = '5%'
            [browser]
            transitions = false
            [prefetch]
            progress = "plain"
            """)
        var expected = Configuration()
        expected[.jobs] = 7
        expected[.retryDelay] = .seconds(2)
        expected[.retryBudget] = 0.05
        expected[.transitions] = false
        expected[.progress] = .plain
        #expect(configuration == expected)
        #expect(configuration[.jobs] == 7 && configuration[.perHost] == Setting<Int>.perHost.standard)
    }

    @Test(arguments: [
        "transfers = { jobs = 7 }", "transfers.jobs = 7", "\"transfers\".'jobs' = 0x7", "[ transfers ]\njobs=7",
    ])
    func `every TOML notation of a setting is read`(text: String) throws {
        #expect(try Configuration.read(text)[.jobs] == 7)
    }

    @Test func `all faults are reported in the order of the lines`() {
        let text = """
            [prefetch]
            progress = "loud"
            [browser]
              graphics = 3
            [transfers]
            jobs = 0
            max-size = "much"
            """
        #expect(
            faults(text) == [
                "2:12: progress takes auto, always, never or plain, not 'loud'",
                "4:14: graphics takes auto, kitty, sixel, iterm, blocks or sextants, not 3",
                "6:8: jobs takes a number from 1 to 1024, not 0",
                "7:12: max-size takes a size such as 500K or 64M, not 'much'",
            ])
    }

    @Test func `an unknown name is reported with the one that was probably meant`() {
        #expect(faults("[trasnfers]") == ["1:1: there is no section [trasnfers]; did you mean transfers?"])
        #expect(
            faults("[browser]\ngraphics = 'sixle'") == ["2:12: graphics does not take 'sixle'; did you mean sixel?"])
        #expect(
            faults("[transfers]\n\n per-hots = 3")
                == ["3:2: there is no setting 'per-hots' in [transfers]; did you mean per-host?"])
    }

    @Test func `an unknown name without a near match is reported without a list of names`() {
        #expect(faults("[transfers]\ncolour = 3") == ["2:1: there is no setting 'colour' in [transfers]"])
    }

    @Test func `a fault tells its line with the section`() {
        let text = "[keys]\n  exprt = \"e\"\n[cache]\nmax-size = 0 # much\n[a b]\nx = 1"
        let faults = ConfigurationContents(text: text).faults
        #expect(faults.map(\.source) == ["[keys] exprt = \"e\"", "[cache] max-size = 0 # much", "[a b]"])
        #expect(faults.first?.text == "there is no action 'exprt'; did you mean export?")
    }

    @Test func `the right settings are used beside wrong ones`() {
        let contents = ConfigurationContents(
            text: """
                [transfers]
                jobs = 7
                per-host = 0
                [nosuch]
                x = 1
                [keys]
                mark = ['m', 'spac', 'f5']
                quit = 'm'
                undo = 'Z'
                """)
        let keys = Dictionary(uniqueKeysWithValues: contents.configuration.keys.map.rows.map { ($0.action, $0.keys) })
        #expect(contents.configuration[.jobs] == 7)
        #expect(contents.configuration[.perHost] == Setting<Int>.perHost.standard)
        #expect(keys["mark"] == ["m", "f5"] && keys["quit"] == ["q", "ctrl-c"] && keys["undo"] == ["Z"])
        #expect(contents.faults.map(\.line) == [3, 4, 7, 8])
    }

    @Test(arguments: [
        "[transfers]\njobs = \nper-host = 3", "[transfers]\njobs 4\n\nper-host = 3",
        "[transfers]\njobs = 1 2\nper-host = 3", "[transfers]\njobs = [1,\n'a',\n\"b]\n]\nper-host = 3",
        "[cache\nx = 1\n[transfers]\nper-host = 3", "[transfers]\n# \u{1}\nper-host = 3",
        "[transfers]\nper-host = 3\nper-host = 4", "[transfers]\njobs = 1\n[transfers]\nper-host = 3",
        "[transfers]\njobs = '''\nper-host = 3",
    ])
    func `after invalid TOML the next statement is read`(text: String) {
        let contents = ConfigurationContents(text: text)
        #expect(contents.faults.count == 1, "\(contents.faults)")
        #expect(contents.faults.first?.text.hasPrefix("invalid TOML: ") == true)
        #expect(contents.configuration[.perHost] == 3)
    }

    @Test func `a setting in the wrong section is reported with the right one`() {
        #expect(
            faults("jobs = 3") == ["1:1: there is no setting 'jobs' outside the sections; it belongs in [transfers]"])
        #expect(
            faults("[browser]\nquiet = true")
                == ["2:1: there is no setting 'quiet' in [browser]; it belongs in [prefetch]"])
    }

    @Test(arguments: ["cache = 3", "cache = [1]"])
    func `a section must be a table`(text: String) {
        #expect(faults(text) == ["1:1: [cache] is a section; its settings go below it"])
    }

    @Test(arguments: [
        ("1.5", "1.5"), ("true", "true"), ("[1]", "a list"), ("{ a = 1 }", "a table"),
        ("2026-01-01", "2026-01-01, which has no quotes"), ("'8'", "'8'"), ("1025", "1025"),
    ])
    func `a value of the wrong type is reported with its type`(value: String, words: String) {
        #expect(faults("[transfers]\njobs = \(value)") == ["2:8: jobs takes a number from 1 to 1024, not \(words)"])
    }

    @Test func `a fault in a processor chain is reported with its column`() throws {
        let fault = try #require(faults("[browser]\nprocess = 'blur(6) |> swirl(3)'").first)
        #expect(fault.hasPrefix("2:11: process is not a processor chain: column 12: expected "))
    }

    @Test(arguments: [
        ("[transfers]\njobs = ", "2:8"), ("[transfers", "1:11"), ("[transfers]\njobs = 3\njobs = 4", "3:1"),
        ("ä = 1", "1:1"), ("# ä\n  x = \u{1}", "2:7"),
        ("up = [\"k\", }\"up\"]", "1:12"), ("a = [[1], [\n{b = 1}, }]]", "2:10"), ("a = 1979-05-27 07:32", "1:16"),
    ])
    func `invalid TOML is reported with its position`(text: String, position: String) throws {
        let faults = faults(text)
        #expect(faults.count == 1)
        #expect(try #require(faults.first).hasPrefix("\(position): invalid TOML: "), "\(faults)")
    }

    @Test(arguments: [
        "[ä]", "[.a]", "[[.a]]", "[]", "[\nx = 1\n]", "[[", "[ \t=", "[a.ä]", "[cache]\n\n[\r\n", "[[ä", "\u{FEFF}[ä]",
        "[[[a]]]",
    ])
    func `an invalid section header is one fault`(text: String) {
        #expect(faults(text).count == 1)
    }

    @Test func `text that only looks like an invalid header is parsed`() {
        #expect(faults("[browser]\nprocess = \"\"\"\n[ä]\"\"\"").allSatisfy { $0.contains("processor chain") })
        #expect(faults("[transfers]\njobs = [\n[5],\n]").count == 1)
    }

    @Test func `a zero byte is refused`() {
        #expect(faults("[transfers]\nä = \0") == ["2:5: a config file is text, without zero bytes"])
    }

    @Test func `an escaped zero byte in a key is an unknown name`() {
        #expect(faults("[transfers]\n\"a\\u0000b\" = 1").count == 1)
        #expect(faults("\"\\u0000\" = 1").count == 1)
    }

    @Test func `control characters of names are removed in faults`() {
        #expect(faults("\"\\u001b]0;x\\u0007\" = 1").allSatisfy { !$0.contains("\u{1B}") && !$0.contains("\u{7}") })
    }

    @Test func `very long lines and deep nesting are refused`() {
        let long = String(repeating: "a.", count: 300_000) + "a = 1"
        #expect(faults("x = 1\n\(long)") == ["2:1: the line is longer than 4096 bytes"])
        let deep = String(repeating: "a.", count: 2000) + "a = 1"
        #expect(faults("\(deep)\n!").count == 1)
        #expect(faults("a = " + String(repeating: "[", count: 4000)).count == 1)
    }

    @Test func `the number of reported faults is limited`() {
        let text = (1...5000).map { "x\($0) = \($0)" }.joined(separator: "\n")
        #expect(faults("[transfers]\n\(text)").count == FaultList.limit)
    }
}
