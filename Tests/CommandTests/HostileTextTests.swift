import FaultServer
import Foundation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct HostileTextTests {
    static let hostile = [
        "http://127.0.0.1:1/\u{1B}[2J\u{1B}]0;owned\u{7}.png", "http://127.0.0.1:1/\u{202E}gnp.exe",
        "http://127.0.0.1:1/\u{9B}31m.png", "http://127.0.0.1:1/a\u{200B}b\u{FEFF}.png", "/tmp/\u{1B}P0;1q\u{1B}\\.png",
        "nowhere/\u{8}\u{8}\u{7F}.png", "ftp://host/\u{2066}x\u{2069}",
    ]

    @Test(arguments: [["--progress", "plain"], ["--json"], ["--quiet"], ["--progress", "never"]])
    func `control characters of a list do not reach the terminal`(options: [String]) async throws {
        let place = try Workplace()
        let list = try place.write(Self.hostile.joined(separator: "\n"), to: "list.txt")

        let result = try await place.start(["prefetch", list, "--retries", "0"] + options).end()

        #expect([3, 4].contains(result.code), "\(result.everything)")
        #expect(!result.everything.isEmpty)
        expectSafe(result.everything)
    }

    @Test(arguments: Self.hostile)
    func `control characters of an argument do not reach the terminal`(argument: String) async throws {
        let place = try Workplace()

        for command in [
            ["prefetch", "--retries", "0"], ["show", "--size", "9x9"], ["browse"], ["cache", "rm", "--yes"],
        ] {
            let result = try await place.start(command + [argument]).end()

            #expect(result.code >= 0, "\(command): killed by a signal")
            expectSafe(result.everything)
        }
    }

    @Test func `control characters of a response do not reach the terminal`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start([
            "/a.png": FaultScript([.send("HTTP/1.1 404 \u{1B}[2JNo\u{7}\r\nContent-Length: 0\r\n\r\n")]),
            "/b.png": .redirect(to: "http://127.0.0.1:1/%1B[2J"),
        ])

        for options in [["--json"], ["--progress", "plain"]] {
            let addresses = [server.url("/a.png"), server.url("/b.png")]
            let result = try await place.start(["prefetch", "--retries", "0"] + options + addresses).end()

            #expect(result.code == 4)
            expectSafe(result.everything)
        }
        await server.stop()
    }

    @Test(arguments: [["--json"], ["--progress", "plain"]])
    func `passwords and tokens are never shown`(options: [String]) async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp?token=s3cret": .picture(try Pictures.bytes())])
        let host = "127.0.0.1:\(server.port)"
        let list = try place.write(
            """
            http://someone:hunter2@\(host)/a.webp?token=s3cret
            http://someone:hunter2@\(host)/gone.webp?token=s3cret
            http://someone:hunter2@[broken/?token=s3cret
            """, to: "list.txt")

        let run = try await place.start(["prefetch", list] + options).end()
        let single = try await place.start(["prefetch", "http://someone:hunter2@\(host)/x?token=s3cret"] + options)
            .end()
        let shown = try await place.run("show", "--size", "9x9", "http://someone:hunter2@\(host)/x?token=s3cret")
        let cached = try await place.run("cache", "ls")
        let cachedJSON = try await place.run("cache", "ls", "--json")
        await server.stop()

        #expect(cached.output.contains(host))
        for result in [run, single, shown, cached, cachedJSON] {
            #expect(!result.everything.contains("hunter2"), "\(result.everything)")
            #expect(!result.everything.contains("s3cret"), "\(result.everything)")
        }
    }
}
