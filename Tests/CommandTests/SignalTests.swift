import FaultServer
import Foundation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct SignalTests {
    @Test func `one interrupt lets the running transfer finish and starts no other`() async throws {
        let place = try Workplace()
        let gate = FaultGate()
        let body = try Pictures.bytes()
        let server = try await FaultServer.start([
            "/a.webp": .pauseInBody(body, after: 1000, until: gate),
            "/b.webp": .picture(try Pictures.bytes("kelp.jpg")),
        ])
        let list = try place.write("\(server.url("/a.webp"))\n\(server.url("/b.webp"))\n", to: "list.txt")

        let program = try place.start(["prefetch", list, "--json", "--jobs", "1"])
        await server.arrival(of: "/a.webp")
        program.send(SIGINT)
        try await eventually("the second is given up") { program.output.contains("cancelled") }
        gate.open()
        let result = try await program.end()
        let listing = try await place.run("cache", "ls", "--json")
        let rerun = try await place.run("prefetch", list, "--json")
        await server.stop()

        #expect(result.code == 130)
        #expect(try listing.objects().map { $0["url"] } == [server.url("/a.webp")])
        #expect(try listing.objects().first?.number("bytes") == body.count)
        #expect(rerun.code == 0)
        #expect(Set(try rerun.objects("item").compactMap { $0["status"] }) == ["skipped", "fetched"])
    }

    @Test func `further interrupts stop at once and the cache stays readable`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start([
            "/a.webp": .picture(try Pictures.bytes()),
            "/b.webp": .stallInBody(try Pictures.bytes("kelp.jpg"), after: 1000),
        ])
        let list = try place.write("\(server.url("/a.webp"))\n\(server.url("/b.webp"))\n", to: "list.txt")

        let program = try place.start(["prefetch", list, "--json"])
        await server.arrival(of: "/b.webp")
        try await eventually("the first is fetched") { program.output.contains("fetched\"") }
        try await eventually("it ends") {
            program.send(SIGINT)
            return !program.isRunning
        }
        let result = try await program.end()
        let listing = try await place.run("cache", "ls", "--json")
        await server.stop()

        #expect(result.code == 130)
        #expect(try result.objects().last?["type"] == "summary")
        #expect(try listing.objects().map { $0["url"] } == [server.url("/a.webp")])
    }

    @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func `the exit code of other signals is 128 plus the signal number`(signal: Int32, code: Int32) async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .stall])

        let program = try place.start(["prefetch", server.url("/a.webp"), "--json"])
        await server.arrival(of: "/a.webp")
        try await eventually("it ends") {
            program.send(signal)
            return !program.isRunning
        }
        let result = try await program.end()
        await server.stop()

        #expect(result.code == code)
    }

    @Test func `after a killed run the next run continues with its cache`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start([
            "/a.webp": [.picture(try Pictures.bytes())],
            "/b.jpg": [
                .stallInBody(try Pictures.bytes("kelp.jpg"), after: 70_000), .picture(try Pictures.bytes("kelp.jpg")),
            ],
        ])
        let list = try place.write("\(server.url("/a.webp"))\n\(server.url("/b.jpg"))\n", to: "list.txt")

        let program = try place.start(["prefetch", list, "--json"])
        await server.arrival(of: "/b.jpg")
        program.send(SIGKILL)
        _ = try await program.end()
        let rerun = try await place.run("prefetch", list, "--json")
        let listing = try await place.run("cache", "ls", "--json")
        await server.stop()

        #expect(rerun.code == 0)
        #expect(try listing.objects().count == 2)
    }
}
