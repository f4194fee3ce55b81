import Foundation
import TestSupport
import Testing

/// The manual page that `make install` puts in place.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ManualTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    private func page() async throws -> ProgramResult {
        let result = try await place.manual()
        #expect(result.code == 0 && result.errors.isEmpty)
        return result
    }

    /// A command as `--experimental-dump-help` describes it.
    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable { let kind, name: String }
            let names: [Name]?
            let shouldDisplay: Bool
            let abstract: String?
        }
        let commandName: String
        let superCommands: [String]?
        let shouldDisplay: Bool
        let subcommands: [Command]?
        let arguments: [Argument]?

        var all: [Command] { [self] + (subcommands ?? []).flatMap(\.all) }
    }

    private func commands() async throws -> [Command] {
        struct Dump: Decodable { let command: Command }
        let dump = try await place.run("--experimental-dump-help")
        let all = try JSONDecoder().decode(Dump.self, from: dump.bytes).command.all
        return all.dropFirst().filter { $0.shouldDisplay && $0.commandName != "help" }
    }

    /// As the page writes a text.
    private func written(_ text: String) -> String { text.replacing("-", with: "\\-") }

    @Test func `the manual page has the usual sections in order`() async throws {
        let sections = try await page().lines.filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(4) }
        #expect(
            sections == [
                "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "KEYS", "FILES", "ENVIRONMENT", "EXIT STATUS",
                "EXAMPLES",
            ])
    }

    @Test func `every command and every option is in the manual page`() async throws {
        let text = try await page().output
        let commands = try await commands()
        #expect(commands.count >= 13)
        for command in commands {
            let name = ((command.superCommands ?? []) + [command.commandName]).joined(separator: " ")
            #expect(text.contains("\n.SS \(written(name))\n"), "\(name)")
            for argument in command.arguments ?? [] where argument.shouldDisplay {
                for name in argument.names ?? [] {
                    let dashed = (name.kind == "long" ? "--" : "-") + name.name
                    #expect(text.contains("\\fB\(written(dashed))\\fR"), "\(dashed)")
                }
            }
        }
    }

    @Test func `the manual page is dated and reproducible`() async throws {
        let page = try await page()
        #expect(page.lines.first?.hasPrefix(".TH ALCEDO 1 \"1970-01-02\" \"alcedo ") == true)
        #expect(try await self.page().output == page.output)
    }

    @Test func `the manual page is ASCII`() async throws {
        #expect(try await page().bytes.allSatisfy { $0 < 0x80 })
    }

    @Test func `mandoc reports no problem`() async throws {
        let file = try place.write(try await page().output, to: "alcedo.1")
        let result = try await place.start([file], shell: "mandoc -T lint \"$1\"").end()
        #expect(result.code == 0 && result.everything.isEmpty, "\(result.everything)")
    }
}
