import FaultServer
import Foundation
import TestSupport
import Testing

/// Machines that share what they fetch, as `docs/shared-cache.md` describes it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SharedCacheTests {
    /// So many that chance leaves none of three parts empty: 3 x (2/3)^96, whatever the port is that their hash depends on.
    private static let count = 96

    /// A server with pictures that say nothing of their life.
    private func origin() async throws -> FaultServer {
        let picture = try Pictures.bytes()
        return try await FaultServer.start { _, _ in .picture(picture, type: "image/webp") }
    }

    private func list(_ base: String, in place: Workplace) throws -> String {
        try place.write((0..<Self.count).map { "\(base)/\($0).webp?w=640\n" }.joined(), to: "list.txt")
    }

    /// Three processes share the list, each with a part of it; then one on another machine does all of it.
    private func prefetch(_ base: String, _ options: [String] = []) async throws -> (first: [Int], second: Int?) {
        let (first, second) = (try Workplace(), try Workplace())
        let list = try list(base, in: first)
        let parts = try (1...3).map { try first.start(["prefetch", list, "--json", "--shard", "\($0)/3"] + options) }
        var fetched: [Int] = []
        for part in parts {
            let result = try await part.end()
            #expect(result.code == 0, "\(result.errors)")
            fetched.append(try result.objects("summary").first?.number("fetched") ?? 0)
        }
        let whole = try await second.start(["prefetch", try self.list(base, in: second), "--json"] + options).end()
        #expect(whole.code == 0, "\(whole.errors)")
        return (fetched, try whole.objects("summary").first?.number("fetched"))
    }

    private func expectOnce(_ origin: FaultServer) async {
        let paths = await origin.requests.map(\.path)
        #expect(paths.count == Self.count && Set(paths).count == Self.count)
    }

    @Test func `through squid the server receives every address once`() async throws {
        let origin = try await origin()
        let squid = try await SharedCache.squid()

        let fetched = try await prefetch(origin.url(""), ["--proxy", "http://127.0.0.1:\(squid.port)"])
        let hits = squid.log.split(separator: "\n").filter { $0.contains("_HIT/200") || $0.contains("_HIT_") }
        await origin.stop()

        #expect(fetched.first.reduce(0, +) == Self.count)
        #expect(fetched.first.allSatisfy { $0 > 0 }, "\(fetched.first)")
        #expect(fetched.second == Self.count)
        #expect(hits.count == Self.count, "\(squid.log)")
        await expectOnce(origin)
    }

    @Test func `through nginx the server receives every address once`() async throws {
        let origin = try await origin()
        let nginx = try await SharedCache.nginx(before: origin)

        let fetched = try await prefetch("http://127.0.0.1:\(nginx.port)")
        let hits = nginx.log.split(separator: "\n").filter { $0.hasSuffix(" HIT") }
        await origin.stop()

        #expect(fetched.first.reduce(0, +) == Self.count)
        #expect(fetched.first.allSatisfy { $0 > 0 }, "\(fetched.first)")
        #expect(fetched.second == Self.count)
        #expect(hits.count == Self.count, "\(nginx.log)")
        await expectOnce(origin)
    }

    @Test(arguments: [true, false]) func `simultaneous requests cost the server one request`(isProxy: Bool) async throws
    {
        let place = try Workplace()
        let gate = FaultGate()
        let picture = try Pictures.bytes()
        let origin = try await FaultServer.start { _, _ in .pauseInBody(picture, after: 1000, until: gate) }
        let cache = isProxy ? try await SharedCache.squid() : try await SharedCache.nginx(before: origin)
        let address = isProxy ? origin.url("/a.webp") : "http://127.0.0.1:\(cache.port)/a.webp"
        let options = isProxy ? ["--proxy", "http://127.0.0.1:\(cache.port)"] : []

        let machines = try (0..<4).map { number in
            try place.start(
                ["prefetch", address] + options, environment: ["ALCEDO_CACHE_DIR": place.path("cache-\(number)")])
        }
        await origin.arrival(of: "/a.webp")
        try await eventually("all are connected") { cache.connections >= 4 }
        gate.open()
        for machine in machines { #expect(try await machine.end().code == 0) }
        await origin.stop()

        #expect(await origin.requests.count == 1)
    }
}
