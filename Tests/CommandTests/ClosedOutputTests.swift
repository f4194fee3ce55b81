import FaultServer
import Foundation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ClosedOutputTests {
    /// Runs a pipeline whose reader leaves after a line; the program's exit code comes last on standard error.
    static let reader = #"{ "$0" "$@"; echo $? >&2; } | head -n 1 > /dev/null"#

    @Test(arguments: [
        ["doctor"], ["--help"], ["prefetch", "many.txt", "--json"], ["show", "--format", "ppm", "picture"],
    ])
    func `a reader that closes the pipe early does not crash the program`(arguments: [String]) async throws {
        let place = try Workplace()
        try place.write((0..<2000).map { "/nowhere/\($0).png" }.joined(separator: "\n"), to: "many.txt")
        try place.write(Data(try Pictures.bytes("eclipse.png")), to: "picture")

        let result = try await place.start(arguments, shell: Self.reader).end()

        let code = try #require(result.errors.split(separator: "\n").last.flatMap { Int($0) })
        #expect(code < 128, "killed by signal \(code - 128)")
    }

    @Test func `prefetch fails if its output is closed early`() async throws {
        let place = try Workplace()
        try place.write((0..<2000).map { "https://host.example/\($0).png" }.joined(separator: "\n"), to: "many.txt")

        let result = try await place.start(
            ["prefetch", "many.txt", "--json", "--dry-run"], shell: Self.reader
        ).end()

        #expect(result.errors.contains("standard output was closed before its end"))
        #expect(result.errors.hasSuffix("\n1\n"))
    }

    @Test func `a run stops when its output is closed`() async throws {
        let picture = FaultScript.picture(try Pictures.bytes("eclipse.png"))
        let paths = (0..<200).map { "/\($0).png" }
        let server = try await FaultServer.start(Dictionary(uniqueKeysWithValues: paths.map { ($0, [picture]) }))
        let place = try Workplace()
        try place.write(paths.map(server.url).joined(separator: "\n"), to: "many.txt")

        let result = try await place.start(
            ["prefetch", "many.txt", "--json", "--rate", "50/s"], shell: Self.reader
        ).end()

        #expect(result.errors.contains("the run ended with it"))
        #expect(await server.requests.count < 200)
        await server.stop()
    }

    @Test(arguments: [["doctor"], ["prefetch", "/nowhere.png", "--json"], ["cache", "stats"]])
    func `output to a full device is a failure`(arguments: [String]) async throws {
        let place = try Workplace()

        let result = try await place.start(arguments, shell: #""$0" "$@" > /dev/full; echo $? >&2"#).end()

        let code = try #require(result.errors.split(separator: "\n").last.flatMap { Int($0) })
        #expect(code > 0 && code < 128, "ended with \(code)")
        #expect(result.errors.contains("standard output is incomplete: No space left on device"))
    }

    @Test func `closed standard streams do not leak output into the cache`() async throws {
        let place = try Workplace()
        let body = try Pictures.bytes()
        let server = try await FaultServer.start(["/a.webp": .picture(body)])

        let run = try await place.start(
            ["prefetch", server.url("/a.webp"), "--json"], shell: #""$0" "$@" <&- >&- 2>&-"#
        ).end()
        await server.stop()
        let shown = try await place.run("show", "--format", "ppm", "--size", "30x30", server.url("/a.webp"))

        #expect(run.code == 1, "its lines were not written")
        #expect(shown.code == 0 && shown.bytes.starts(with: Array("P6\n".utf8)))
    }
}
