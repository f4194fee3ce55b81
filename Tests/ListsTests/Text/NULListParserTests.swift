import AlcedoSupport
import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct NULListParserTests {
    private func events(_ list: String, pieces: Int = .max) async throws -> [ListEvent] {
        try await events(Array(list.utf8), pieces: pieces)
    }

    private func events(_ bytes: [UInt8], pieces: Int = .max) async throws -> [ListEvent] {
        let size = min(pieces, bytes.count)
        let parts = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min(bytes.count, $0 + size)]) }
        var reader = ListTextReader(base: .folder("/base")) { PieceSource(parts) }
        var events: [ListEvent] = []
        while let next = try await reader.next() { events += next }
        return events
    }

    private func locations(_ events: [ListEvent]) -> [String] {
        events.compactMap { if case .entry(let entry) = $0 { entry.location } else { nil } }
    }

    @Test(arguments: [1, 7, Int.max]) func `each name is one entry whatever it contains`(pieces: Int) async throws {
        let list = "/p\0/p/a b.png\0/p/#1\tx.png\0/p/new\nline.png\0https://a.org/1\0"
        #expect(
            locations(try await events(list, pieces: pieces)) == [
                "/p", "/p/a b.png", "/p/#1\tx.png", "/p/new\nline.png", "https://a.org/1",
            ])
    }

    @Test func `relative names are resolved against the base, and the last one may lack its NUL`() async throws {
        #expect(locations(try await events("a.png\0./c/b.png")) == ["/base/a.png", "/base/c/b.png"])
    }

    @Test func `names that are not UTF-8 keep their bytes`() async throws {
        let names =
            [[0x2F, 0xE9], Array("/ok.png".utf8), Array("/caf".utf8) + [0xE9, 0x0A] + Array(".png".utf8)] as [[UInt8]]
        #expect(locations(try await events(Array(names.joined(separator: [0])))).map(\.pathBytes) == names)
    }

    @Test func `a name that is too long is rejected with its number`() async throws {
        let events = try await events("/p/a.png\0/" + String(repeating: "x", count: 70_000) + "\0/p/b.png\0")
        #expect(locations(events) == ["/p/a.png", "/p/b.png"])
        #expect(events.contains { if case .rejected(2, _) = $0 { true } else { false } })
    }

    @Test(arguments: [
        "http://a/1\0x.png\nhttp://a/2\n", "SQLite format 3\0\u{1}", "\0\0\0 ftypavif", "u\0r\0l\0", "/\0t\0m\0p\0",
        "one line\n\0",
    ])
    func `other lists with a NUL are not NUL-separated`(text: String) {
        #expect(ListFormat.detect(Array(text.utf8), isComplete: true) != .nulSeparated)
    }
}
