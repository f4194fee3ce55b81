import FaultServer
import Foundation
import FoundationXML
import Glibc
import TestSupport
import Testing

/// The forms of results for CI servers, and the ways to watch a run from outside.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CheckFormatTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    /// Runs a command on a list with a picture, a missing one with odd characters in its address, and a bad line.
    private func run(_ arguments: String...) async throws -> (result: ProgramResult, list: String, host: String) {
        let server = try await FaultServer.start([
            "/a.webp": .picture(try Pictures.bytes()), "/b,c.webp?x=%22%3C&y=1": .status(404),
        ])
        let list = try place.write(
            "\(server.url("/a.webp"))\n\(server.url("/b,c.webp?x=%22%3C&y=1"))\nftp://h/x.png\n", to: "l,1.txt")
        let result = try await place.start(arguments + [list]).end()
        await server.stop()
        return (result, list, server.url(""))
    }

    @Test func `JUnit has a test case for each address`() async throws {
        let result = try await run("check", "--format", "junit").result
        let document = try XMLDocument(xmlString: result.output)
        let cases = try document.nodes(forXPath: "/testsuites/testsuite/testcase")
        let failures = try document.nodes(forXPath: "//failure/@type").compactMap(\.stringValue)
        #expect(result.code == 3 && cases.count == 3 && failures.sorted() == ["line", "status"])
    }

    @Test func `GitHub gets an annotation for each failure, with file and line`() async throws {
        let (result, list, host) = try await run("check", "--format", "github")
        let lines = result.output.split(separator: "\n").sorted()
        let file = list.replacing(",", with: "%2C")
        #expect(result.code == 3 && lines.count == 2)
        #expect(lines.contains("::error file=\(file),line=2::\(host)/b,c.webp?x=%2522%253C&y=1: 404 Not Found"))
        #expect(lines.contains { $0.hasPrefix("::error file=\(file),line=3::") })
    }

    @Test func `TAP numbers the results and ends with their count`() async throws {
        let result = try await run("check", "--format", "tap").result
        let lines = result.output.split(separator: "\n")
        #expect(lines.first == "TAP version 13" && lines.last == "1..3")
        #expect(lines.count { $0.hasPrefix("ok ") } == 1 && lines.count { $0.hasPrefix("not ok ") } == 2)
    }

    @Test func `--where prints the pictures that it selects`() async throws {
        let (result, _, host) = try await run("check", "--where", "status:failed")
        #expect(result.output == "failed  line 2  \(host)/b,c.webp?x=%22%3C&y=1  404 Not Found\n")
    }

    @Test func `a cached picture hides no dead link, unless it is young enough`() async throws {
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])
        let address = server.url("/a.webp")
        _ = try await place.run("prefetch", address)
        await server.stop()
        let asked = try await place.run("check", address, "--retries", "0")
        let trusted = try await place.run("check", address, "--retries", "0", "--max-age", "1h")
        let wrong = try await place.run("check", address, "--max-age", "soon")
        #expect([asked.code, trusted.code, wrong.code] == [4, 0, 2])
    }

    @Test func `a log has the JSON lines, and the metrics are whole at the end`() async throws {
        let (log, metrics) = (place.path("run.log"), place.path("alcedo.prom"))
        let result = try await run("prefetch", "--log", log, "--metrics", metrics).result
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(result.code == 3 && result.output.isEmpty)
        #expect(lines.first?.contains("\"type\":\"start\"") == true)
        #expect(lines.last?.contains("\"type\":\"summary\"") == true)
        let text = try String(contentsOfFile: metrics, encoding: .utf8)
        #expect(text.contains("alcedo_items_total{status=\"fetched\"} 1\n"))
        #expect(text.contains("alcedo_items_total{status=\"failed\"} 1\n") && text.contains("alcedo_inflight 0\n"))
        let refused = try await run("prefetch", "--metrics", place.path("none/x.prom")).result
        #expect(refused.code == 1 && refused.errors.contains("cannot write"))
    }

    @Test func `SIGUSR1 tells the progress and ends nothing`() async throws {
        let server = try await FaultServer.start([
            "/a.webp": .picture(try Pictures.bytes()), "/b.webp": FaultScript([.stall]),
        ])
        let list = try place.write("\(server.url("/a.webp"))\n\(server.url("/b.webp"))\n", to: "l.txt")
        let program = try place.start(["prefetch", list, "-q"])
        try await eventually("the first is done") { try await place.run("cache", "ls").output.contains("a.webp") }
        program.send(SIGUSR1)
        try await eventually("it tells") { program.errors.contains("1 of 2") }
        program.send(SIGTERM)
        program.send(SIGTERM)
        let result = try await program.end()
        await server.stop()
        #expect(result.code == 128 + SIGTERM)
    }

    @Test func `the file of an entry can be asked for`() async throws {
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])
        let address = server.url("/a.webp")
        _ = try await place.run("prefetch", address)
        await server.stop()
        let path = try await place.run("cache", "path", address).output.dropLast()
        #expect(try Array(Data(contentsOf: URL(filePath: String(path)))) == Pictures.bytes())
        #expect(try await place.run("cache", "ls", "--json").output.contains("\"path\":\"\(path)\""))
        #expect(try await place.run("cache", "path", "https://h/none").code != 0)
    }
}
