import AlcedoDemoServer
import Testing

@testable import FaultServer

@Suite(.timeLimit(.minutes(1))) struct FaultServerTests {
    private let body: [UInt8] = Array("0123456789".utf8)

    /// What a client gets for one request to a server with the script.
    private func outcome(_ script: FaultScript) async throws -> (text: String, end: RawClient.End) {
        let server = try await FaultServer.start(["/x": script])
        let (bytes, end) = try await RawClient.exchange(RawClient.get("/x"), port: server.port)
        await server.stop()
        return (String(decoding: bytes, as: UTF8.self), end)
    }

    @Test func `the scripts of a path are used in turn and the last one repeats`() async throws {
        let server = try await FaultServer.start(["/x": [.unavailable(retryAfter: "1"), .picture(body).then(.close)]])
        let requests = RawClient.get("/x") + RawClient.get("/x")
        let (bytes, _) = try await RawClient.exchange(requests, port: server.port)
        let (again, _) = try await RawClient.exchange(RawClient.get("/x"), port: server.port)
        let counted = await server.count(of: "/x")
        await server.stop()
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 503 "))
        #expect(text.contains("Retry-After: 1\r\n"))
        #expect(text.hasSuffix("\r\n\r\n0123456789"))
        #expect(String(decoding: again, as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
        #expect(counted == 3)
    }

    @Test func `request heads and connections are recorded`() async throws {
        let server = try await FaultServer.start(["/x": .hangUp])
        for _ in 0..<2 {
            _ = try await RawClient.exchange(RawClient.get("/x", headers: "Cookie: a=b\r\n"), port: server.port)
        }
        let requests = await server.requests
        let connections = await server.connections
        await server.stop()
        #expect(requests.map(\.connection) == [1, 2])
        #expect(requests[0].method == "GET")
        #expect(requests[0].values(of: "cookie") == ["a=b"])
        #expect(connections == 2)
    }

    @Test func `a path without a script is not found`() async throws {
        let server = try await FaultServer.start([:] as [String: FaultScript])
        let bytes = try await RawClient.beginning(RawClient.get("/none"), port: server.port, count: 12)
        await server.stop()
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 404 "))
    }

    @Test func `a reset aborts the connection`() async throws {
        #expect(try await outcome(.reset).end == .reset)
        #expect(try await outcome(.hangUp).end == .closed)
        let whole = try await outcome(.resetInBody(body, after: 4))
        #expect(whole.end == .reset)
    }

    @Test func `a reset on accept precedes any request`() async throws {
        let server = try await FaultServer.start(["/x": [.picture(body)]], onAccept: .reset)
        let result = try? await RawClient.exchange(RawClient.get("/x"), port: server.port)
        let count = await server.count(of: "/x")
        await server.stop()
        #expect(result?.bytes ?? [] == [])
        #expect(count == 0)
    }

    @Test func `a short body closes the connection cleanly before its length`() async throws {
        let (text, end) = try await outcome(.shortBody(body, sent: 4))
        #expect(text.contains("Content-Length: 10\r\n"))
        #expect(text.hasSuffix("\r\n\r\n0123"))
        #expect(end == .closed)
    }

    @Test func `a long body sends more than its length`() async throws {
        let (text, _) = try await outcome(.longBody(body, extra: Array("more".utf8)))
        #expect(text.contains("Content-Length: 10\r\n"))
        #expect(text.hasSuffix("0123456789more"))
    }

    @Test func `declared lengths are sent unchanged`() async throws {
        let (text, _) = try await outcome(.contentLengths(["10", "-1", "18446744073709551616"], body: body))
        #expect(text.contains("Content-Length: 10\r\nContent-Length: -1\r\nContent-Length: 18446744073709551616\r\n"))
    }

    @Test func `chunked bodies are framed or broken`() async throws {
        let whole = try await outcome(.chunked(body, size: 4, trailers: [("X-Sum", "1")]).then(.close)).text
        #expect(whole.hasSuffix("4\r\n0123\r\n4\r\n4567\r\n2\r\n89\r\n0\r\nX-Sum: 1\r\n\r\n"))
        #expect(try await outcome(.chunkedWithoutEnd(body)).text.hasSuffix("a\r\n0123456789\r\n"))
        #expect(try await outcome(.chunkSize("nonsense", body: body)).text.contains("\r\n\r\nnonsense\r\n"))
    }

    @Test func `a body without length ends with the connection`() async throws {
        let (text, end) = try await outcome(.withoutLength(body))
        #expect(!text.contains("Content-Length"))
        #expect(end == .closed)
    }

    @Test func `a huge body is sent in pieces`() async throws {
        let (text, _) = try await outcome(.hugeBody(300_001, declared: true))
        #expect(text.utf8.count { $0 == 0 } == 300_001)
    }

    @Test func `large heads have the requested size`() async throws {
        #expect(try await outcome(.longField(100_000)).text.utf8.count > 100_000)
        let fields = try await outcome(.manyFields(257)).text
        #expect(fields.contains("X-Field-256: 1\r\n"))
        let flood = try await outcome(.informational(50, body: body).then(.close)).text
        #expect(flood.split(separator: "HTTP/1.1 103 ").count == 50)
    }

    @Test func `the target of a redirect is sent unchanged`() async throws {
        let (text, _) = try await outcome(.redirect(to: "file:///etc/passwd").then(.close))
        #expect(text.contains("HTTP/1.1 302 Found\r\n"))
        #expect(text.contains("\r\nLocation: file:///etc/passwd\r\n"))
    }

    @Test func `a gate holds the rest of a body until it opens`() async throws {
        let gate = FaultGate()
        let server = try await FaultServer.start(["/x": .pauseInBody(body, after: 4, until: gate).then(.close)])
        async let exchange = RawClient.exchange(RawClient.get("/x"), port: server.port)
        await server.arrival(of: "/x")
        gate.open()
        let bytes = try await exchange.bytes
        await server.stop()
        #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("\r\n\r\n0123456789"))
    }

    @Test(arguments: ["stall", "gate", "endless", "drip"])
    func `stopping ends every waiting script`(kind: String) async throws {
        let steps: [String: FaultStep] = [
            "stall": .stall, "gate": .wait(FaultGate()), "endless": .endless(body),
            "drip": .drip(body, every: .seconds(3600)),
        ]
        let step = try #require(steps[kind])
        let server = try await FaultServer.start(["/x": FaultScript([.send("HTTP/1.1 200 OK\r\n"), step])])
        async let exchange = RawClient.exchange(RawClient.get("/x"), port: server.port)
        await server.arrival(of: "/x")
        await server.stop()
        let bytes = try await exchange.bytes
        #expect(!String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n"))
    }

    @Test func `a stall ends when the client disconnects`() async throws {
        let server = try await FaultServer.start(["/x": .stallInBody(body, after: 3)])
        let bytes = try await RawClient.beginning(RawClient.get("/x"), port: server.port, count: 20)
        await server.stop()
        #expect(!bytes.isEmpty)
    }

    @Test func `nothing listens on a closed port`() async throws {
        let port = try FaultServer.closedPort()
        await #expect(throws: (any Error).self) { try await RawClient.connect(port) }
    }

    @Test func `a tunnel carries bytes in both directions`() async throws {
        let server = try await FaultServer.start(["/x": .picture(body).then(.close)])
        let proxy = try await FaultServer.start(["server:1": FaultScript([.tunnel(port: server.port)])])
        let client = try await RawClient.connect(proxy.port)
        try await client.write(Array("CONNECT server:1 HTTP/1.1\r\n\r\n".utf8))
        let established = try await client.read()
        try await client.write(Array(RawClient.get("/x").utf8))
        let text = String(decoding: established + (await RawClient.everything(client)).bytes, as: UTF8.self)
        let requests = await server.requests
        await proxy.stop()
        await server.stop()
        #expect(text.hasPrefix("HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 OK\r\n"))
        #expect(text.hasSuffix("0123456789"))
        #expect(requests.map(\.path) == ["/x"])
    }

    @Test func `pipelined requests are answered one by one`() async throws {
        let server = try await FaultServer.start(["/x": .picture(body), "/y": .hangUp])
        let requests = RawClient.get("/x") + RawClient.get("/x") + RawClient.get("/y") + RawClient.get("/x")
        let (bytes, end) = try await RawClient.exchange(requests, port: server.port)
        let counts = (await server.count(of: "/x"), await server.connections)
        await server.stop()
        #expect(String(decoding: bytes, as: UTF8.self).ranges(of: "0123456789").count == 2)
        #expect(end == .closed)
        #expect(counts == (2, 1))
    }

    @Test func `a stalled script ends with its client although bytes are unread`() async throws {
        let server = try await FaultServer.start(["/x": FaultScript([.send("x"), .stall]), "/y": .hangUp])
        // The second request is not read: the stall waits for the end, not for bytes.
        for _ in 0..<3 { _ = try await RawClient.beginning(RawClient.get("/x") + "more", port: server.port, count: 1) }
        _ = try await RawClient.exchange(RawClient.get("/y"), port: server.port)
        await server.stop()
        #expect(await server.requests.map(\.path) == ["/x", "/x", "/x", "/y"])
    }
}
