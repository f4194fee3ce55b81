import FaultServer
import Foundation
import TestSupport
import Testing

/// The library as the example `Examples/Gallery` uses it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct GalleryTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    private func gallery(_ arguments: String...) async throws -> ProgramResult {
        let environment = place.environment.merging(["GALLERY_CACHE": place.path("cache")]) { $1 }
        return try await RunningProgram(
            executable: BuiltProgram.url("GalleryExample"), arguments: arguments, environment: environment,
            place: place,
            input: ""
        ).end()
    }

    @Test func `a processed picture is shown, the second time without a transfer`() async throws {
        let picture = try Pictures.bytes("fjord.webp")
        let server = try await FaultServer.start(["/a.webp": [.respond(headers: [], body: picture)]])

        let first = try await gallery("show", server.url("/a.webp"))
        let second = try await gallery("show", server.url("/a.webp"))

        #expect(first.code == 0)
        #expect(first.output.hasPrefix("\u{1B}P"))
        #expect(second.bytes == first.bytes)
        #expect(await server.requests.count == 1)
        await server.stop()
    }

    @Test func `a list is prefetched with a custom retry policy, and the results are counted`() async throws {
        let picture = try Pictures.bytes("fjord.webp")
        let server = try await FaultServer.start([
            "/a.webp": [.status(503), .respond(headers: [], body: picture)], "/b.webp": [.status(404)],
        ])

        let first = try await gallery("prefetch", server.url("/a.webp"), server.url("/b.webp"))
        let second = try await gallery("prefetch", server.url("/a.webp"))

        #expect(first.output.contains("100 %\n"))
        #expect(first.output.hasSuffix("1 fetched, 0 known, 1 failed\n"))
        #expect(second.output == "0 fetched, 1 known, 0 failed\n")
        await server.stop()
    }

    @Test func `a custom data provider draws a letter`() async throws {
        let avatar = try await gallery("avatar", "Alcedo")
        try avatar.bytes.write(to: place.folder.appending(path: "avatar.png"))
        let shown = try await place.run("show", "--format", "ppm", place.path("avatar.png"))
        #expect(shown.bytes.starts(with: Array("P6\n120 120\n255\n".utf8)))
    }
}
