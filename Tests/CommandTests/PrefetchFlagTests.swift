import FaultServer
import Foundation
import ImageLoading
import TestSupport
import Testing

/// Flags of `prefetch` that change what is sent, and those that are used wrongly.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PrefetchFlagTests {
    @Test func `headers are sent to the server and never printed`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])
        let file = try place.write("X-Two: geheim-2\n\n", to: "headers.txt")

        let result = try await place.run(
            "prefetch", server.url("/a.webp"), "--header", "Authorization: Bearer geheim", "--header", "@\(file)",
            "--json",
            "-v")
        let request = try #require(await server.requests.first)
        await server.stop()

        #expect(request.values(of: "authorization") == ["Bearer geheim"])
        #expect(request.values(of: "x-two") == ["geheim-2"])
        #expect(!result.everything.contains("geheim"))
    }

    @Test func `--netrc sends the credentials of the file to their host`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])
        let file = try place.write("machine 127.0.0.1 login ann password geheim\n", to: "netrc")

        let with = try await place.run("prefetch", server.url("/a.webp"), "--netrc", environment: ["NETRC": file])
        let without = try await place.run("prefetch", server.url("/a.webp"), "--force", environment: ["NETRC": file])
        let missing = try await place.run("prefetch", server.url("/a.webp"), "--netrc")
        let fields = await server.requests.map { $0.values(of: "authorization") }
        await server.stop()

        #expect([with.code, without.code, missing.code] == [0, 0, 2])
        #expect(fields == [["Basic YW5uOmdlaGVpbQ=="], []])
    }

    @Test(arguments: [("1M", true), ("100M", false)])
    func `a list that outgrows the cache is said before it is read to its end`(size: String, isSaid: Bool) async throws
    {
        let place = try Workplace()
        let (body, paths) = (Array(try Pictures.noise(64, 64).pngData()), (0..<1500).map { "/\($0).png" })
        let server = try await FaultServer.start(Dictionary(uniqueKeysWithValues: paths.map { ($0, .picture(body)) }))
        let list = try place.write(paths.map { server.url($0) + "\n" }.joined(), to: "list.txt")
        let config = try place.write("[cache]\nmax-size = \"\(size)\"\n", to: "config.toml")
        let result = try await place.run(
            "prefetch", list, "--check", "framing", environment: ["ALCEDO_CONFIG": config])
        await server.stop()
        #expect(result.errors.contains("the lists need at least") == isSaid, "\(result.errors)")
        #expect(result.code == 0)
    }

    @Test func `cookies of a file are sent and never printed`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])
        let file = try place.write("127.0.0.1\tFALSE\t/\tFALSE\t0\tid\tgeheim\n", to: "cookies.txt")
        let bad = try place.write("id=geheim\n", to: "bad.txt")

        let with = try await place.run("prefetch", server.url("/a.webp"), "--cookies", file, "--json", "-v")
        let refused = try await place.run("prefetch", server.url("/a.webp"), "--cookies", bad)
        let fields = await server.requests.map { $0.values(of: "cookie") }
        await server.stop()

        #expect([with.code, refused.code] == [0, 2])
        #expect(fields == [["id=geheim"]])
        #expect(!(with.everything + refused.everything).contains("geheim"))
        #expect(refused.everything.contains("line 1 is not a cookie"))
    }

    @Test func `--proxy overrides the proxy of the environment`() async throws {
        let place = try Workplace()
        let body = try Pictures.bytes()
        let proxy = try await FaultServer.start { _, _ in .picture(body) }

        let result = try await place.run(
            "prefetch", "http://pictures.invalid/a.webp", "--proxy", "http://127.0.0.1:\(proxy.port)",
            environment: ["http_proxy": "http://127.0.0.1:1"])
        let paths = await proxy.requests.map(\.path)
        await proxy.stop()

        #expect(result.code == 0)
        #expect(paths == ["http://pictures.invalid/a.webp"])
    }

    @Test func `a silent server is a timeout after --timeout`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .stall])
        let result = try await place.run(
            "prefetch", server.url("/a.webp"), "--timeout", "200ms", "--retries", "0", "--json")
        await server.stop()

        #expect(result.code == 4)
        #expect(try result.objects("item").first?.object("error")?["kind"] == "timeout")
    }

    @Test func `a picture over the limit is a failure`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])
        let result = try await place.run("prefetch", server.url("/a.webp"), "--max-size", "1K", "--json")
        await server.stop()

        #expect(result.code == 4)
        #expect(try result.objects("item").first?.object("error")?.number("code") == 2103)
    }

    @Test func `--low-data fetches the small versions`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/small.webp": .picture(try Pictures.bytes())])
        let list = try place.write(
            "{\"url\": \"\(server.url("/a.webp"))\", \"low_data\": \"\(server.url("/small.webp"))\"}\n",
            to: "list.jsonl")
        let result = try await place.run("prefetch", list, "--low-data")
        await server.stop()

        #expect(result.code == 0)
        #expect(await server.requests.map(\.path) == ["/small.webp"])
    }

    @Test func `--verbose reports the outcome of each picture`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])
        let result = try await place.run("prefetch", server.url("/a.webp?token=hush"), "-v")
        await server.stop()

        #expect(result.errors.contains("failed  \(server.url("/a.webp?token=…"))  404 Not Found"))
        #expect(!result.everything.contains("hush"))
    }

    @Test(arguments: [
        ["--shard", "3/2"], ["--max-failures", "many"], ["--rate", "10"], ["--limit-rate", "fast"], ["--to", "memory"],
        ["--process", "sharpen"], ["--header", "no colon"], ["--header", "Content-Length: 3"],
        ["--header", "@/nowhere"],
        ["--proxy", "ftp://host"], ["--timeout", "soon"], ["--refresh", "--force"],
    ])
    func `an invalid option is an error with exit code 2`(arguments: [String]) async throws {
        let place = try Workplace()
        let result = try await place.start(["prefetch", "http://127.0.0.1:1/a.png"] + arguments).end()
        #expect(result.code == 2)
        #expect(!result.errors.isEmpty)
    }

    @Test func `--max-failures stops the run`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start([String: FaultScript]())
        let list = try place.write((0..<200).map { server.url("/\($0).png") }.joined(separator: "\n"), to: "list.txt")
        let result = try await place.run("prefetch", list, "--max-failures", "10", "--jobs", "2", "--per-host", "2")
        let count = await server.requests.count
        await server.stop()

        #expect(result.code == 4)
        #expect(count < 50)
        #expect(result.errors.contains("--max-failures"))
    }
}
