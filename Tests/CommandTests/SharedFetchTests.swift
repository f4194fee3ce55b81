import FaultServer
import Foundation
import TestSupport
import Testing

/// Several programs that share one cache: the other half of row H31 of the fault matrix.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SharedFetchTests {
    @Test func `of four programs that want the same address one fetches it and the others wait`() async throws {
        // Given a server that holds its answer back.
        let place = try Workplace()
        let gate = FaultGate()
        let body = try Pictures.bytes()
        let server = try await FaultServer.start(["/a.webp": .pauseInBody(body, after: 1000, until: gate)])
        let address = server.url("/a.webp")

        // When four programs prefetch the same address into the same cache.
        let programs = try (0..<4).map { _ in try place.start(["prefetch", address, "--json"]) }
        await server.arrival(of: "/a.webp", count: 1)
        gate.open()
        var results: [ProgramResult] = []
        for program in programs { results.append(try await program.end()) }

        // Then one has fetched it, the others have it from the cache, and one whole copy is left.
        #expect(results.map(\.code) == [0, 0, 0, 0])
        #expect(
            try results.flatMap { try $0.objects("item").compactMap { $0["status"] } }.sorted()
                == ["fetched", "hit", "hit", "hit"])
        #expect(await server.count(of: "/a.webp") == 1)
        let listing = try await place.run("cache", "ls", "--json")
        #expect(try listing.objects().map { $0["url"] } == [address])
        #expect(try listing.objects().first?.number("bytes") == body.count)
        let copy = place.path("copy.webp")
        #expect(try await place.run("cache", "get", address, "-o", copy).code == 0)
        #expect(try Data(contentsOf: URL(filePath: copy)) == Data(body))

        // And nobody asks the server again.
        let again = try await place.run("prefetch", address, "--json")
        #expect(try again.objects("item").map { $0["status"] } == ["hit"])
        #expect(await server.count(of: "/a.webp") == 1)
        await server.stop()
    }
}
