import FaultServer
import Foundation
import TestSupport
import Testing

/// The cache screen in a terminal, as a person uses it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CacheScreenStoryTests {
    /// Fills the cache with two pictures and opens its screen, in one go as a shell would.
    private func open() async throws -> FakeTerminal {
        let place = try Workplace.withPictures()
        let server = try await FaultServer.start([
            "/one.png": .picture(QuadrantPicture.one.png), "/two.png": .picture(QuadrantPicture.two.png),
        ])
        let script = #""$0" prefetch --quiet "$@" && echo filled && exec "$0" cache"#
        let terminal = try FakeTerminal(
            [server.url("/one.png"), server.url("/two.png")], in: place, columns: 120, shell: script)
        try await eventually("rows and totals") {
            ["one.png", "two.png", "2 entries"].allSatisfy(terminal.screen.contains)
        }
        await server.stop()
        return terminal
    }

    @Test func `the cache screen shows its entries and q quits`() async throws {
        let terminal = try await open()

        let screen = terminal.screen
        #expect(screen.contains("cache") && screen.contains("2 entries"))
        #expect(screen.contains("120×80") && screen.contains("127.0.0.1"))
        terminal.type("q")
        try await eventually("the end") { terminal.status != nil }

        #expect(terminal.status == 0)
        try await eventually("the screen is given back") {
            !terminal.screen.modes.contains(1049) && terminal.screen.modes.contains(25)
        }
    }

    @Test func `d asks and then deletes the selected entry`() async throws {
        let terminal = try await open()

        terminal.type("d")
        try await eventually("a question") { terminal.screen.contains("Esc keep") }
        terminal.type("\u{1B}")
        try await eventually("no question") { !terminal.screen.contains("Esc keep") }
        #expect(terminal.screen.contains("2 entries"))
        terminal.type("dy")
        try await eventually("a question that pasted text does not answer") { terminal.screen.contains("Esc keep") }
        #expect(terminal.screen.contains("2 entries"))

        try await eventually("one is left") {
            if terminal.screen.contains("Esc keep") { terminal.type("y") }
            return terminal.screen.contains("1 entry") || terminal.screen.contains("1 entries")
        }
    }

    @Test func `a filter narrows the rows`() async throws {
        let terminal = try await open()

        terminal.type("/two\r")

        try await eventually("one row") { !terminal.screen.contains("one.png") && terminal.screen.contains("two.png") }
    }
}
