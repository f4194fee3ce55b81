import Testing

@testable import Lists

@Suite(.timeLimit(.minutes(1))) struct TextLayersTests {
    private func text(_ pieces: [[UInt8]]) async throws -> String {
        var stream = try await PeekedStream.text(of: PieceSource(pieces))
        return String(decoding: await stream.drain().bytes, as: UTF8.self)
    }

    private func bytes(_ text: String, isBig: Bool) -> [UInt8] {
        ("\u{FEFF}" + text).utf16.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isBig ? [high, low] : [low, high]
        }
    }

    @Test(arguments: [false, true])
    func `UTF-16 with its mark becomes UTF-8 wherever it is cut`(isBig: Bool) async throws {
        let bytes = bytes("grün 🐦\n", isBig: isBig)
        for cut in bytes.indices {
            #expect(
                try await text([Array(bytes[..<cut]), Array(bytes[cut...])].filter { !$0.isEmpty }) == "grün 🐦\n")
        }
    }

    @Test func `CR, CRLF and LF end lines alike wherever they are cut`() async throws {
        let bytes = Array("\ra\rb\r\nc\n\r\r\n\n\rd\r".utf8)
        for first in bytes.indices {
            for second in first..<bytes.endIndex {
                let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]].map { Array($0) }
                #expect(try await text(pieces.filter { !$0.isEmpty }) == "\na\nb\nc\n\n\n\n\nd\n")
            }
        }
    }

    @Test(arguments: [
        "./a b.png\0./c.png\0", "p\0p/a\0p/b.jpg\0", "a.png\0b.png\0", "https://a.org/1\0https://a.org/2\0",
    ])
    func `NUL separates the lines of find -print0, however small the pieces are`(list: String) async throws {
        #expect(try await text([Array(list.utf8)]) == list.replacing("\0", with: "\n"))
        let words = list.split(separator: "\0").map { Array($0.utf8) + [0] }
        #expect(try await text(words) == list.replacing("\0", with: "\n"))
    }

    @Test(arguments: ["http://a/1\0x.png\nhttp://a/2\n", "SQLite format 3\0\u{1}", "\0\0\0 ftypavif", "u\0r\0l\0"])
    func `other NUL bytes stay`(text: String) async throws {
        #expect(try await self.text([Array(text.utf8)]) == text)
    }

    @Test func `half a unit at the end is shown`() async throws {
        #expect(try await text([bytes("a", isBig: false) + [0x62]]) == "a\u{FFFD}")
    }

    @Test func `mark of UTF-8 is dropped once and within gzip`() async throws {
        #expect(try await text([[0xEF], [0xBB], Array("\u{FEFF}".utf8.suffix(1)), [0x61]]) == "a")
        #expect(try await text([gzip(Array("\u{FEFF}a".utf8))]) == "a")
        #expect(try await text([gzip(bytes("a", isBig: true))]) == "a")
    }

    @Test func `plain bytes stay as they are`() async throws {
        #expect(try await text([[0x61]]) == "a")
        #expect(try await text([]) == "")
    }

    @Test func `error while looking ahead comes after the bytes`() async throws {
        let failure = ListError.unreadable(file: "x", line: nil, reason: "gone")
        var stream = try await PeekedStream.text(of: PieceSource([[0x61, 0x62]], failure: failure))
        let found = await stream.drain()
        #expect(found.bytes == [0x61, 0x62])
        #expect(found.error == failure)
    }
}
