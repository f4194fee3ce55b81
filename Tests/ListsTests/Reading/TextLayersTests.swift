import Testing

@testable import AlcedoLists

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
    func `UTF-16 with a byte order mark becomes UTF-8 at any piece boundary`(isBig: Bool) async throws {
        let bytes = bytes("grün 🐦\n", isBig: isBig)
        for cut in bytes.indices {
            #expect(
                try await text([Array(bytes[..<cut]), Array(bytes[cut...])].filter { !$0.isEmpty }) == "grün 🐦\n")
        }
    }

    @Test func `CR, CRLF and LF end lines at any piece boundary`() async throws {
        let bytes = Array("\ra\rb\r\nc\n\r\r\n\n\rd\r".utf8)
        for first in bytes.indices {
            for second in first..<bytes.endIndex {
                let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]].map { Array($0) }
                #expect(try await text(pieces.filter { !$0.isEmpty }) == "\na\nb\nc\n\n\n\n\nd\n")
            }
        }
    }

    @Test func `half a UTF-16 unit at the end becomes U+FFFD`() async throws {
        #expect(try await text([bytes("a", isBig: false) + [0x62]]) == "a\u{FFFD}")
    }

    @Test func `the UTF-8 byte order mark is removed once, also within gzip`() async throws {
        #expect(try await text([[0xEF], [0xBB], Array("\u{FEFF}".utf8.suffix(1)), [0x61]]) == "a")
        #expect(try await text([gzip(Array("\u{FEFF}a".utf8))]) == "a")
        #expect(try await text([gzip(bytes("a", isBig: true))]) == "a")
    }

    @Test func `plain bytes are unchanged`() async throws {
        #expect(try await text([[0x61]]) == "a")
        #expect(try await text([]) == "")
    }

    @Test func `an error while peeking comes after the bytes`() async throws {
        let failure = ListError.unreadable(file: "x", line: nil, reason: "gone")
        var stream = try await PeekedStream.text(of: PieceSource([[0x61, 0x62]], failure: failure))
        let found = await stream.drain()
        #expect(found.bytes == [0x61, 0x62])
        #expect(found.error == failure)
    }
}
