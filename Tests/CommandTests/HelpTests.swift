import FaultServer
import Foundation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct HelpTests {
    @Test(arguments: [
        "", "browse", "show", "compare", "export", "prefetch", "download", "check", "dups", "report", "sheet", "cache",
        "cache dir",
        "cache stats",
        "cache ls", "cache dups", "cache show", "cache get", "cache path", "cache export", "cache import", "cache rm",
        "cache prune",
        "cache verify",
        "cache pin",
        "cache unpin", "cache clear", "config",
        "doctor", "demo",
    ])
    func `the help of each command matches its snapshot`(command: String) async throws {
        let words = command.split(separator: " ").map(String.init)

        let result = try await Workplace().start(words + ["--help"]).end()

        #expect(result.code == 0)
        #expect(result.errors.isEmpty)
        #expect(try Golden.mismatch(of: result.output, with: "help\(words.map { "-" + $0 }.joined())") == nil)
    }

    @Test func `help asked for by name equals the help option`() async throws {
        let place = try Workplace()

        let byName = try await place.run("help", "prefetch")
        let byOption = try await place.run("prefetch", "--help")

        #expect(byName.code == 0)
        #expect(byName.output == byOption.output)
    }

    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: ["browse", "show", "compare", "export", "prefetch", "download", "check", "dups", "sheet", "demo"])
    func `the help of a command with many options has the first ones, and --help-all has all`(command: String)
        async throws
    {
        let place = try Workplace()
        let short = try await place.run(command, "--help").output
        let whole = try await place.run(command, "--help-all").output
        func options(_ text: String) -> Set<Substring> {
            Set(text.matches(of: /\n  (?:-\w, )?(--[\w.-]+)/).map(\.output.1)).subtracting(["--help-all"])
        }
        let (first, all) = (options(short), options(whole))
        #expect(first.isSubset(of: all) && first.contains("--help") && (5...18).contains(first.count))
        #expect(all.count >= first.count * 2)
        #expect(short.contains("--help-all              Show all \(all.count) options."))
    }

    @Test func `help filters names each term of the guide, and help processors each processor`() async throws {
        let place = try Workplace()
        let guide = try String(contentsOf: Self.repository.appending(path: "docs/filters.md"), encoding: .utf8)
        let terms = try await place.run("help", "filters").output
        for term in Set(guide.matches(of: /`([a-z]+[:<>])/).map(\.output.1)) {
            #expect(terms.contains(term), "\(term)")
        }
        let processors = try await place.run("help", "processors").output
        let chapter = try String(contentsOf: Self.repository.appending(path: "docs/browsing.md"), encoding: .utf8)
        for step in chapter.matches(of: /\| `([a-z]+)\(/).map(\.output.1) {
            #expect(processors.contains("\(step)("), "\(step)")
        }
        #expect(try await place.run("help", "lists").output.contains("Metalink"))
    }

    @Test func `README and guides use options that their commands have`() async throws {
        let place = try Workplace()
        let guides = try FileManager.default.contentsOfDirectory(
            at: Self.repository.appending(path: "docs"), includingPropertiesForKeys: nil)
        var options: [String: String] = [:]
        var used = 0
        for page in guides.filter({ $0.pathExtension == "md" }) + [Self.repository.appending(path: "README.md")] {
            let text = try String(contentsOf: page, encoding: .utf8)
            for call in text.matches(of: /(?m)(?:^|[`;|'] ?)alcedo ([^`|;#\n]*)/).map(\.output.1) {
                let words = call.split(separator: " ").map(String.init)
                let names = words.filter { $0.hasPrefix("--") && $0 != "--" && $0 != "--generate-completion-script" }
                guard !names.isEmpty else { continue }
                // A source instead of a command is browsed.
                let first = words.prefix { !$0.hasPrefix("-") }.prefix(words.first == "cache" ? 2 : 1)
                let command = first.isEmpty ? ["browse"] : Array(first)
                let key = command.joined(separator: " ")
                if options[key] == nil {
                    let help = try await place.start(command + ["--help-all"]).end()
                    options[key] = help.output.replacing(/[\n\/]/, with: " ")
                }
                for name in names.map({ $0.prefix { $0 != "=" } }) {
                    #expect(options[key]?.contains(" \(name) ") == true, "\(page.lastPathComponent): \(call)")
                    used += 1
                }
            }
        }
        #expect(used > 50)
    }

    @Test func `version is the name, three numbers, and the commit where it is known`() async throws {
        let result = try await Workplace().run("--version")

        #expect(result.code == 0)
        #expect(result.output.wholeMatch(of: /alcedo \d+\.\d+\.\d+( \([0-9a-f]{7,}\+?\))?\n/) != nil)
        #expect(result.errors.isEmpty)
    }

    @Test func `the manual page and the user agent have the same version`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])

        let version = try await place.run("--version").output
        let page = try await place.manual().output
        _ = try await place.run("prefetch", server.url("/a.webp"))
        let agent = try #require(await server.requests.first).values(of: "user-agent")
        await server.stop()

        let numbers = try #require(version.firstMatch(of: /alcedo (\d+\.\d+)\.\d+/))
        #expect(page.contains("\"\(numbers.output.0)\""))
        #expect(agent == ["alcedo/\(numbers.output.1)"])
    }
}
