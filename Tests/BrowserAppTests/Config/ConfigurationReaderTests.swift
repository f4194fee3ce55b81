import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct ConfigurationReaderTests {
    /// What is wrong with a text, each as `LINE:COLUMN: text`.
    private func faults(_ text: String) -> [String] {
        do throws(TextFileProblem) {
            _ = try ConfigurationReader.read(text)
            return []
        } catch {
            return error.faults.map { "\($0.line):\($0.column): \($0.text)" }
        }
    }

    @Test(arguments: ["", "\n", "# nothing\n", "\u{FEFF}", "[transfers]\n", "[cache]\r\n[browser]\r\n"])
    func `an empty file sets nothing`(text: String) throws {
        #expect(try ConfigurationReader.read(text) == Configuration())
    }

    @Test func `what the file names is set and the rest stays unset`() throws {
        let configuration = try ConfigurationReader.read(
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
        #expect(configuration[.jobs] == 7 && configuration[.perHost] == LibrarySettings().perHost)
    }

    @Test(arguments: [
        "transfers = { jobs = 7 }", "transfers.jobs = 7", "\"transfers\".'jobs' = 0x7", "[ transfers ]\njobs=7",
    ])
    func `every way of TOML to write a setting works`(text: String) throws {
        #expect(try ConfigurationReader.read(text)[.jobs] == 7)
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

    @Test func `an unknown name is reported with the nearest one`() {
        #expect(faults("[trasnfers]") == ["1:1: there is no section [trasnfers]; the nearest is 'transfers'"])
        #expect(
            faults("[transfers]\n\n per-hots = 3")
                == ["3:2: there is no setting 'per-hots' in [transfers]; the nearest is 'per-host'"])
    }

    @Test func `a name that is near none is reported with all names`() {
        #expect(
            faults("[transfers]\ncolour = 3")
                == [
                    "2:1: there is no setting 'colour' in [transfers]; "
                        + "there are jobs, per-host, max-size, max-pixels, max-frames, sandbox, memory, timeout, max-time, "
                        + "max-decode-time, rate, "
                        + "limit-rate"
                ])
    }

    @Test func `a setting in the wrong place is reported with its own`() {
        #expect(
            faults("jobs = 3") == ["1:1: there is no setting 'jobs' outside the sections; it belongs in [transfers]"])
        #expect(
            faults("[browser]\nquiet = true")
                == ["2:1: there is no setting 'quiet' in [browser]; it belongs in [prefetch]"])
    }

    @Test(arguments: ["cache = 3", "[[cache]]\nfolder = \"/x\""])
    func `a section is a table`(text: String) {
        #expect(faults(text) == ["1:1: [cache] is a section; its settings go below it"])
    }

    @Test(arguments: [
        ("1.5", "the number 1.5"), ("true", "true"), ("[1]", "a list"), ("{ a = 1 }", "a table"),
        ("2026-01-01", "a date or time"), ("'8'", "'8'"), ("1025", "1025"),
    ])
    func `a value of another type is reported as what it is`(value: String, words: String) {
        #expect(faults("[transfers]\njobs = \(value)") == ["2:8: jobs takes a number from 1 to 1024, not \(words)"])
    }

    @Test func `a processor chain is reported where it goes wrong`() throws {
        let fault = try #require(faults("[browser]\nprocess = 'blur(6) |> swirl(3)'").first)
        #expect(fault.hasPrefix("2:11: process is not a processor chain: column 12: expected "))
    }

    @Test(arguments: [
        ("[transfers]\njobs = ", "2:8"), ("[transfers", "1:11"), ("[transfers]\njobs = 3\njobs = 4", "3:8"),
        ("ä = 1", "1:1"), ("# ä\n  x = \u{1}", "2:7"), ("a = 99999999999999999999", "1:25"),
        ("up = [\"k\", }\"up\"]", "1:12"), ("a = [[1], [\n{b = 1}, }]]", "2:10"), ("a = 1979-05-27Tinf", "1:15"),
    ])
    func `text that is no TOML is reported where reading ended`(text: String, position: String) throws {
        let faults = faults(text)
        #expect(faults.count == 1)
        #expect(try #require(faults.first).hasPrefix("\(position): invalid TOML: "), "\(faults)")
    }

    @Test(arguments: [
        "[ä]", "[.a]", "[[.a]]", "[]", "[\nx = 1\n]", "[[", "[ \t=", "[a.ä]", "[cache]\n\n[\r\n", "[[ä", "\u{FEFF}[ä]",
        "[[[a]]]",
    ])
    func `a header without a name does not reach the parser`(text: String) {
        #expect(faults(text).count == 1)
    }

    @Test func `what only looks like a broken header reaches it`() {
        #expect(faults("[browser]\nprocess = \"\"\"\n[ä]\"\"\"").allSatisfy { $0.contains("processor chain") })
        #expect(faults("[transfers]\njobs = [\n[.5],\n]").count == 1)
    }

    @Test func `a zero byte is no text`() {
        #expect(faults("[transfers]\nä = \0") == ["2:5: a config file is text, without zero bytes"])
    }

    @Test func `an escaped zero in a key is an unknown name`() {
        #expect(faults("[transfers]\n\"a\\u0000b\" = 1").count == 1)
        #expect(faults("\"\\u0000\" = 1").count == 1)
    }

    @Test func `names are made safe to show`() {
        #expect(faults("\"\\u001b]0;x\\u0007\" = 1").allSatisfy { !$0.contains("\u{1B}") && !$0.contains("\u{7}") })
    }

    @Test func `lines that nest without end are not parsed`() {
        let long = String(repeating: "a.", count: 300_000) + "a = 1"
        #expect(faults("x = 1\n\(long)") == ["2:1: the line is longer than 4096 bytes"])
        let deep = String(repeating: "a.", count: 2000) + "a = 1"
        #expect(faults("\(deep)\n!").count == 1)
        #expect(faults("a = " + String(repeating: "[", count: 4000)).count == 1)
    }

    @Test func `many faults are reported up to a limit`() {
        let text = (1...5000).map { "x\($0) = \($0)" }.joined(separator: "\n")
        #expect(faults("[transfers]\n\(text)").count == ConfigurationReader.mostFaults)
    }
}
