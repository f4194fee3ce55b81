import TestSupport
import Testing

@testable import FaultServer

/// The server of HTTP/2 as the program `curl` sees it.
@Suite(.timeLimit(.minutes(1))) struct HTTP2ServerTests {
    private let body = [UInt8](repeating: 97, count: 300_000)
    private let tls: ServerTLS

    init() throws { tls = try TestIdentity().serverTLS() }

    /// Runs curl with some paths, and returns its exit code and what it prints.
    private func curl(
        _ server: HTTP2Server, paths: [String] = ["/x"], _ options: [String] = []
    ) async throws -> (code: Int32, output: String) {
        let format = "\n%{http_version} %{http_code} %{size_download} %{num_connects} %{exitcode}\n"
        let outputs = paths.flatMap { ["-o", "/dev/null", server.url($0)] }
        return try await Program.run(
            ["curl", "-q", "-s", "-k", "--noproxy", "*", "-m", "50", "-w", format] + options + outputs)
    }

    private func outcome(
        _ paths: [String] = ["/x"], _ options: [String] = ["--http2"],
        _ responder: @escaping HTTP2Server.Responder
    ) async throws -> [String] {
        let server = try await HTTP2Server.start(tls: tls, responder: responder)
        let output = try await curl(server, paths: paths, options).output
        await server.stop()
        return output.split(separator: "\n").map(String.init)
    }

    @Test func `bodies arrive over TLS and the connection is reused`() async throws {
        let server = try await HTTP2Server.start(tls: tls) { [body] _ in
            HTTP2Answer(body: body)
        }
        let result = try await curl(server, paths: ["/x?1", "/y"], ["-H", "X-Key: ä k", "--http2"])
        await server.stop()
        #expect(result.output == "\n2 200 300000 1 0\n\n2 200 300000 0 0\n")
        #expect(server.connections.all.count == 1)
        #expect(server.requests.all.map(\.path) == ["/x?1", "/y"])
        #expect(server.requests.all.map(\.stream) == [1, 3])
        #expect(server.fields.all.allSatisfy { $0["x-key"] == ["ä k"] && $0["x-none"] == [] })
    }

    @Test func `one connection carries many concurrent streams`() async throws {
        let arrived = Recorder<Int>()
        let gate = FaultGate()
        let server = try await HTTP2Server.start(tls: tls) { [body] request in
            arrived.add(request.turn)
            // The first tells curl that there are streams.
            if request.turn > 0 { await gate.wait() }
            return HTTP2Answer(body: body)
        }
        async let result = curl(server, paths: (0..<12).map { "/\($0)" }, ["--http2", "-Z"])
        await arrived.until(count: 12)
        gate.open()
        let lines = try await result.output.split(separator: "\n")
        await server.stop()
        #expect(lines.count == 12)
        #expect(lines.allSatisfy { $0.hasPrefix("2 200 300000 ") && $0.hasSuffix(" 0") })
        #expect(server.open.largest >= 11)
    }

    @Test func `requests can be held back`() async throws {
        let server = try await HTTP2Server.start(tls: tls) { _ in HTTP2Answer(body: [1]) }
        let gate = FaultGate()
        server.hold { await gate.wait() }
        async let result = curl(server, ["--http2"])
        await server.requests.until(count: 1)
        #expect(server.open.largest == 1)
        gate.open()
        #expect(try await result.output == "\n2 200 1 1 0\n")
        await server.stop()
    }

    @Test func `streams and connections end with their error codes`() async throws {
        let reset = try await outcome { _ in HTTP2Answer(fault: .reset(.enhanceYourCalm)) }
        #expect(reset.first?.hasSuffix(" 000 0 1 92") == true)
        let broken = try await outcome { [body] _ in HTTP2Answer.broken(body, after: 1000, .reset(.internalError)) }
        #expect(broken.first?.hasSuffix(" 92") == true)
        let gone = try await outcome { _ in HTTP2Answer(fault: .goAway(.enhanceYourCalm)) }
        #expect(gone.first?.contains(" 000 0 1 ") == true && gone.first?.hasSuffix(" 0") == false)
    }

    @Test func `a refused stream is retried by the client`() async throws {
        let lines = try await outcome { [body] request in
            request.turn < 1 ? HTTP2Answer(fault: .reset(.refusedStream)) : HTTP2Answer(body: body)
        }
        #expect(lines.first?.contains(" 200 300000 ") == true)
    }

    @Test func `HTTP_1_1_REQUIRED makes the client fall back to HTTP/1.1`() async throws {
        let server = try await HTTP2Server.start(
            tls: try TestIdentity().serverTLS(protocols: ["h2", "http/1.1"])
        ) { [body] request in
            request.isHTTP2 ? HTTP2Answer(fault: .reset(.http11Required)) : HTTP2Answer(body: body)
        }
        let result = try await curl(server, ["--http2"])
        await server.stop()
        #expect(result.output.hasPrefix("\n1.1 200 300000 "))
        #expect(server.requests.all.map(\.isHTTP2) == [true, false])
        #expect(server.requests.all.last?.path == "/x")
    }

    @Test func `a connection ends cleanly after its stream limit`() async throws {
        let server = try await HTTP2Server.start(tls: tls, streamsPerConnection: 2) { [body] _ in
            HTTP2Answer(body: body)
        }
        let paths = (0..<5).map { "/\($0)" }
        let lines = try await curl(server, paths: paths, ["--http2"]).output.split(separator: "\n")
        await server.stop()
        #expect(lines.count == 5)
        #expect(lines.allSatisfy { $0.hasPrefix("2 200 300000 ") && $0.hasSuffix(" 0") })
        #expect(server.connections.all.count == 3)
        #expect(server.requests.all.map(\.connection) == [1, 1, 2, 2, 3])
    }

    @Test func `trailers have the requested size`() async throws {
        let server = try await HTTP2Server.start(tls: tls) { [body] _ in HTTP2Answer.trailers(of: 50_000, body: body) }
        let result = try await curl(server, ["--http2", "-D", "-"])
        await server.stop()
        let hasTrailer = result.output.contains("x-long: " + String(repeating: "a", count: 50_000))
        #expect(hasTrailer)
        let isWhole = result.output.hasSuffix("\n2 200 300000 1 0\n")
        #expect(isWhole)
    }

    @Test func `an endless body ends when the client disconnects`() async throws {
        let server = try await HTTP2Server.start(tls: tls) { [body] _ in .endless(body) }
        let command = "curl -q -s -k --noproxy '*' --http2 \(server.url) | head -c 5000000 | wc -c"
        let output = try await Program.run(["sh", "-c", command]).output
        await server.stop()
        #expect(output == "5000000\n")
    }

    @Test func `disconnecting ends running streams`() async throws {
        let server = try await HTTP2Server.start(tls: tls) { [body] _ in
            HTTP2Answer.broken(body, after: 1000, .stall)
        }
        async let result = curl(server, ["--http2"])
        await server.requests.until(count: 1)
        await server.disconnect()
        let code = try await result.code
        await server.stop()
        #expect(code != 0)
    }
}

extension HTTP2ServerTests {
    private func curl(_ server: HTTP2Server, _ options: [String]) async throws -> (code: Int32, output: String) {
        try await curl(server, paths: ["/x"], options)
    }
}
