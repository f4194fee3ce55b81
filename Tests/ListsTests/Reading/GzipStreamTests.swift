import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct GzipStreamTests {
    private func unpacked(_ packed: [[UInt8]]) async throws -> (bytes: [UInt8], error: ListError?) {
        var stream = try GzipStream(PieceSource(packed))
        return await stream.drain()
    }

    @Test func `gzip data is unpacked with any piece boundaries`() async throws {
        let packed = gzip(Array("a.png\nb.png\n".utf8))
        for cut in packed.indices.dropFirst() {
            let found = try await unpacked([Array(packed[..<cut]), Array(packed[cut...])])
            #expect(found.bytes == Array("a.png\nb.png\n".utf8))
            #expect(found.error == nil)
        }
    }

    @Test func `several gzip members are concatenated and trailing zeros ignored`() async throws {
        let packed = gzip(Array("a".utf8)) + gzip([]) + gzip(Array("b".utf8)) + [0, 0, 0]
        let found = try await unpacked(packed.map { [$0] })
        #expect(found.bytes == Array("ab".utf8))
        #expect(found.error == nil)
    }

    @Test func `truncated gzip data gives its contents and then an error`() async throws {
        var state: UInt32 = 1
        let bytes = (0..<50_000).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: state >> 24)
        }
        let packed = gzip(bytes)
        let found = try await unpacked([Array(packed.prefix(packed.count / 2))])
        #expect(found.bytes.count > 10_000)
        #expect(bytes.starts(with: found.bytes))
        #expect(found.error == .unreadable(file: "pieces", line: nil, reason: "the gzip data ends early"))
    }

    @Test func `damaged gzip data is an error after its contents`() async throws {
        var packed = gzip(Array("a.png\n".utf8))
        packed[packed.count - 6] ^= 1
        let found = try await unpacked([packed])
        #expect(found.bytes == Array("a.png\n".utf8))
        #expect(found.error?.description.contains("the gzip data is damaged: incorrect data check") == true)
    }

    @Test func `trailing garbage is an error`() async throws {
        let found = try await unpacked([gzip(Array("a".utf8)) + Array("rubbish".utf8)])
        #expect(found.bytes == Array("a".utf8))
        #expect(found.error?.description.contains("damaged") == true)
    }

    @Test func `a gzip bomb is unpacked in pieces of bounded size`() async throws {
        let packed = gzip([UInt8](repeating: 0x61, count: 5_000_000))
        #expect(packed.count < 30_000)
        var stream = try GzipStream(PieceSource([packed]))
        var total = 0
        while case let count = try await stream.read(line: 0).count, count > 0 {
            #expect(count <= ByteStream.chunkSize)
            total += count
        }
        #expect(total == 5_000_000)
    }
}
