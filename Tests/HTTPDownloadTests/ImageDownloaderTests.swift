import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// What comes out of each thing that a server may do to us; the rows are those of the HTTP fault matrix.
@Suite(.timeLimit(.minutes(1))) struct ImageDownloaderTests {
    private let picture: [UInt8]

    init() throws { picture = Array(try Pictures.png(width: 40, height: 30)) }

    private func outcome(
        of script: FaultScript, _ limit: (inout DownloadLimits) -> Void = { _ in }
    ) async throws -> Result<Download, DownloadError> {
        let server = try await FaultServer.start(["/x": script])
        let result = await Self.download(server.url("/x"), with: Self.downloader(limit))
        await server.stop()
        return result
    }

    private func failure(
        of script: FaultScript, _ limit: (inout DownloadLimits) -> Void = { _ in }
    ) async throws -> DownloadError? {
        if case .failure(let error) = try await outcome(of: script, limit) { return error }
        return nil
    }

    private static func downloader(_ limit: (inout DownloadLimits) -> Void = { _ in }) -> ImageDownloader {
        var limits = DownloadLimits()
        limit(&limits)
        return ImageDownloader(limits: limits)
    }

    private static func download(
        _ address: String, headers: [(name: String, value: String)] = [], with downloader: ImageDownloader,
        onProgress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async -> Result<Download, DownloadError> {
        let result: Result<Download, DownloadError>
        do throws(DownloadError) {
            guard let url = URL(string: address) else { throw .request(.invalidURL(address)) }
            let request = DownloadRequest.picture(
                url, headers: headers.map { HeaderField(name: $0.name, value: $0.value) })
            result = .success(try await downloader.download(request, onProgress: onProgress))
        } catch {
            result = .failure(error)
        }
        downloader.shutdown()
        return result
    }

    // MARK: - In good order

    @Test func `a picture is downloaded with its headers and metrics`() async throws {
        let script = FaultScript.respond(headers: [("ETag", "\"1\""), ("Last-Modified", "then")], body: picture)
        let download = try await outcome(of: script).get()
        #expect(download.data == Data(picture))
        #expect(download.isProvenWhole)
        #expect(download.etag == "\"1\"")
        #expect(download.lastModified == "then")
        #expect(download.metrics.bytes == picture.count)
        #expect(download.metrics.version == "HTTP/1.1")
    }

    @Test(arguments: [1, 100, 100_000])
    func `a chunked picture is downloaded completely`(size: Int) async throws {
        let script = FaultScript.chunked(picture, size: size, trailers: [("X-Sum", "1")])
        let download = try await outcome(of: script).get()
        #expect(download.data == Data(picture))
        #expect(download.isProvenWhole)
    }

    @Test func `a body that ends with the connection is accepted as unproven`() async throws {
        let download = try await outcome(of: .withoutLength(picture)).get()
        #expect(download.data == Data(picture))
        #expect(!download.isProvenWhole)
    }

    @Test func `a reset after the last byte is ignored`() async throws {
        #expect(try await outcome(of: .resetAfterBody(picture)).get().data == Data(picture))
    }

    @Test func `informational responses are skipped`() async throws {
        #expect(try await outcome(of: .informational(50, body: picture)).get().data == Data(picture))
    }

    @Test func `the last progress report is complete`() async throws {
        let recorder = Recorder<DownloadProgress>()
        let server = try await FaultServer.start(["/x": .picture(picture)])
        _ = try await Self.download(server.url("/x"), with: Self.downloader(), onProgress: recorder.add).get()
        await server.stop()
        #expect(recorder.all.last?.received == picture.count && recorder.all.last?.total == picture.count)
        #expect(recorder.all.map(\.received) == recorder.all.map(\.received).sorted())
    }

    // MARK: - Connections that fail

    @Test func `a refused connection is reported as refused`() async throws {
        let port = try FaultServer.closedPort()
        let result = await Self.download("http://127.0.0.1:\(port)/x", with: Self.downloader())
        #expect(throws: DownloadError.response(.transport(.refused))) { try result.get() }
    }

    @Test func `an unknown host is reported as name not found`() async throws {
        let result = await Self.download("http://no-such-host.invalid/x", with: Self.downloader())
        #expect(throws: DownloadError.response(.transport(.nameNotFound))) { try result.get() }
    }

    @Test func `plain text instead of TLS is a TLS failure`() async throws {
        let server = try await FaultServer.start(
            ["/x": [.picture(picture)]], onAccept: FaultScript([.send("HTTP/1.1 400 \r\n\r\n")]))
        let address = server.url("/x").replacingOccurrences(of: "http:", with: "https:")
        let result = await Self.download(address, with: Self.downloader())
        await server.stop()
        guard case .failure(.response(.transport(.tls))) = result else {
            Issue.record("\(result)")
            return
        }
    }

    @Test(arguments: [FaultScript.reset, .hangUp, .resetInHead])
    func `a connection lost before the body is a retryable reset`(script: FaultScript) async throws {
        let error = try await failure(of: script)
        #expect(error == .response(.transport(.reset)))
        #expect(error?.isRetryable == true)
    }

    @Test func `a connection lost on accept is a reset`() async throws {
        let server = try await FaultServer.start(["/x": [.picture(picture)]], onAccept: .reset)
        let result = await Self.download(server.url("/x"), with: Self.downloader())
        await server.stop()
        #expect(throws: DownloadError.response(.transport(.reset))) { try result.get() }
    }

    @Test(arguments: [0, 1, 20, 200])
    func `a truncated body is reported with its received bytes`(count: Int) async throws {
        #expect(
            try await failure(of: .shortBody(picture, sent: count))
                == .response(.truncated(received: count, expected: picture.count)))
    }

    @Test func `received bytes are counted for every outcome`() async throws {
        let page = Array("<!DOCTYPE html><html><body>no picture</body></html>".utf8)
        let scripts = [
            "/a": [FaultScript.picture(picture)], "/page": [.picture(page)], "/cut": [.shortBody(picture, sent: 40)],
        ]
        let received = try await DownloadStage.play(scripts) { stage in
            for path in scripts.keys { _ = await stage.download(path) }
            return stage.downloader.receivedByteCount
        }
        #expect(received == picture.count + page.count + 40)
    }

    @Test func `a reset within the body truncates it`() async throws {
        guard case .response(.truncated(_, picture.count)) = try await failure(of: .resetInBody(picture, after: 50))
        else {
            Issue.record("not truncated")
            return
        }
    }

    @Test func `a missing last chunk truncates the body`() async throws {
        let error = try await failure(of: .chunkedWithoutEnd(picture))
        #expect(error == .response(.truncated(received: picture.count, expected: nil)))
    }

    // MARK: - Lengths

    @Test func `bytes beyond the declared length are not part of the picture`() async throws {
        let script = FaultScript.longBody(picture, extra: Array("HTTP/1.1 200 OK\r\n".utf8))
        switch try await outcome(of: script) {
        case .success(let download): #expect(download.data == Data(picture))
        case .failure(let error): #expect(error.isRetryable || error.title.hasPrefix("malformed"))
        }
    }

    @Test(arguments: [["-1"], ["12abc"], ["18446744073709551616"], ["5", "6"], ["9223372036854775808"]])
    func `an invalid length is an error`(values: [String]) async throws {
        let error = try #require(try await failure(of: .contentLengths(values, body: picture)))
        switch error {
        case .response(.transport), .response(.tooLarge): break
        default: Issue.record("\(error)")
        }
    }

    @Test func `a declared length above the limit is refused at the head`() async throws {
        let server = try await FaultServer.start(["/x": .stallInBody([UInt8](repeating: 0, count: 2_000), after: 0)])
        let result = await Self.download(server.url("/x"), with: Self.downloader { $0.bytes = 1_000 })
        await server.stop()
        #expect(throws: DownloadError.response(.tooLarge(limit: 1_000))) { try result.get() }
    }

    @Test func `a body is cut when it exceeds the limit`() async throws {
        let head = FaultScript.head(200, [("Connection", "close")])
        let script = FaultScript([.send(head), .send(picture), .endless([UInt8](repeating: 0, count: 4_096))])
        #expect(try await failure(of: script) { $0.bytes = 100_000 } == .response(.tooLarge(limit: 100_000)))
    }

    @Test(arguments: ["zz", "ffffffffffffffffff", "-5"])
    func `an invalid chunk size is malformed`(line: String) async throws {
        let error = try #require(try await failure(of: .chunkSize(line, body: picture)))
        #expect(error.title.hasPrefix("malformed answer"), "\(error)")
    }

    @Test func `a declared length of ten gigabytes is refused at the head`() async throws {
        let head = FaultScript.head(200, [("Content-Length", "\(10 << 30)")])
        let error = try await failure(of: FaultScript([.send(head), .stall]))
        #expect(error == .response(.tooLarge(limit: 100 << 20)))
        #expect(error?.isRetryable == false)
    }

    @Test func `a chunk extension of a megabyte does not change the picture`() async throws {
        let line = "\(String(picture.count, radix: 16));x=" + String(repeating: "a", count: 1_000_000)
        if case .success(let download) = try await outcome(of: .chunkSize(line, body: picture)) {
            #expect(download.data == Data(picture))
        }
    }

    @Test func `a body of a hundred thousand one-byte chunks is complete`() async throws {
        let long = picture + [UInt8](repeating: 0, count: 100_000)
        #expect(try await outcome(of: .chunked(long, size: 1)).get().data == Data(long))
    }

    @Test func `a response with length and chunks never gives wrong bytes`() async throws {
        if case .success(let download) = try await outcome(of: .lengthAndChunked(picture)) {
            #expect(download.data == Data(picture))
        }
    }

    // MARK: - Heads

    @Test(arguments: [
        FaultScript.longField(200_000), .headWithoutEnd(1_000_000), .headLine("X: a\u{0}b"), .headLine("no colon"),
    ])
    func `an oversized or endless response head is refused`(script: FaultScript) async throws {
        let error = try #require(
            try await failure(of: script) {
                $0.connect = .seconds(1)
                $0.head = .seconds(1)
            })
        guard case .response = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test(arguments: [202, 204, 304, 403, 404, 410, 416])
    func `a status other than 200 is a permanent error`(code: Int) async throws {
        let error = try await failure(of: .status(code))
        #expect(error == .response(.invalidHTTPStatusCode(code, retryAfter: nil)))
        #expect(error?.isRetryable == false)
    }

    @Test(arguments: [
        ("60", "429 Too Many Requests"), ("61", "429 Too Many Requests; asks to wait 2 min"),
        ("3600", "429 Too Many Requests; asks to wait 60 min"), ("86400", "429 Too Many Requests; asks to wait 24 h"),
        ("200000", "429 Too Many Requests; asks to wait 3 d"),
    ])
    func `a long Retry-After is part of the error title`(field: String, title: String) async throws {
        let error = try await failure(of: .status(429, headers: [("Retry-After", field)]))
        #expect(error?.title == title)
    }

    @Test func `a 304 with a target is not a redirect`() async throws {
        let server = try await FaultServer.start(["/x": .notModified(location: "/y"), "/y": .picture(picture)])
        let result = await Self.download(server.url("/x"), with: Self.downloader())
        #expect(await server.count(of: "/y") == 0)
        await server.stop()
        #expect(throws: DownloadError.response(.invalidHTTPStatusCode(304, retryAfter: nil))) { try result.get() }
    }

    @Test(arguments: [401, 403, 404, 410, 416, 451, 202, 204, 205, 300, 501])
    func `a permanent status is not retryable`(code: Int) async throws {
        #expect(try await failure(of: .status(code).then(.close))?.isRetryable == false)
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func `a temporary status is retryable`(code: Int) async throws {
        #expect(try await failure(of: .status(code))?.isRetryable == true)
    }

    @Test(
        arguments: [
            ("0", .zero), ("2", .seconds(2)), ("86400", .seconds(86_400)), ("-1", nil), ("1e30", nil), ("soon", nil),
            ("Sun, 06 Nov 1994 08:49:37 GMT", .zero), ("Sun, 06 Nov 1994", nil),
        ] as [(String, Duration?)], [429, 503])
    func `Retry-After is parsed or ignored`(wish: (field: String, delay: Duration?), code: Int) async throws {
        let error = try await failure(of: .status(code, headers: [("Retry-After", wish.field)]))
        #expect(error?.serverDelay == wish.delay)
    }

    @Test func `the Retry-After of a 503 is the server delay`() async throws {
        let error = try await failure(of: .unavailable(retryAfter: "7"))
        #expect(error?.serverDelay == .seconds(7))
        #expect(error?.isRetryable == true)
    }

    @Test(arguments: ["{\"error\": \"not found\"}", "Not found", "PK\u{3}\u{4} and so on"])
    func `data that is not a picture is refused whatever its type`(text: String) async throws {
        let error = try await failure(of: .picture(Array(text.utf8)))
        guard case .response(.notAnImage) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a picture is accepted whatever its type`() async throws {
        #expect(try await outcome(of: .picture(picture, type: "text/html")).get().data == Data(picture))
    }

    @Test(arguments: ["text/html", "image/png"])
    func `an HTML page is refused whatever its type`(type: String) async throws {
        let error = try await failure(of: .page(type: type))
        #expect(error == .response(.notAnImage("HTML")))
        #expect(error?.isRetryable == false)
    }

    @Test func `an empty body is a failure of the server that may pass`() async throws {
        let error = try await failure(of: .picture([]))
        #expect(error == .response(.truncated(received: 0, expected: 0)))
        #expect(error?.isRetryable == true)
    }

    @Test func `data that is not a picture is refused at its first bytes`() async throws {
        let page = Array("<!DOCTYPE html><title>a page that goes on for ever".utf8)
        let script = FaultScript([.send(FaultScript.head(200, [])), .send(page), .stall])
        #expect(try await failure(of: script) == .response(.notAnImage("HTML")))
    }

    // MARK: - Redirects

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is followed`(status: Int) async throws {
        let server = try await FaultServer.start(["/x": .redirect(to: "/y", status: status), "/y": .picture(picture)])
        let download = try await Self.download(server.url("/x"), with: Self.downloader()).get()
        await server.stop()
        #expect(download.data == Data(picture))
        #expect(download.url.absoluteString == server.url("/y"))
        #expect(download.metrics.redirects == 1)
    }

    @Test func `a redirect loop ends at the limit`() async throws {
        let server = try await FaultServer.start(["/x": .redirect(to: "/x")])
        let result = await Self.download(server.url("/x"), with: Self.downloader { $0.redirects = 3 })
        #expect(await server.count(of: "/x") == 4)
        await server.stop()
        #expect(throws: DownloadError.response(.redirect(.tooMany(limit: 3)))) { try result.get() }
    }

    @Test func `a redirect to a file is refused`() async throws {
        #expect(try await failure(of: .redirect(to: "file:///etc/passwd")) == .response(.redirect(.toScheme("file"))))
    }

    @Test func `a redirect without a target is refused`() async throws {
        #expect(try await failure(of: .redirect(to: nil)) == .response(.redirect(.missingLocation)))
    }

    @Test func `credentials and headers are not sent to another origin`() async throws {
        let other = try await FaultServer.start(["/y": .picture(picture)])
        let server = try await FaultServer.start(["/x": .redirect(to: "/z"), "/z": .redirect(to: other.url("/y"))])
        let address = server.url("/x").replacingOccurrences(of: "http://", with: "http://ann:se%20cret@")
        _ = try await Self.download(address, headers: [("Cookie", "id=1"), ("X-Mine", "2")], with: Self.downloader())
            .get()
        for request in await server.requests {
            #expect(request.values(of: "authorization") == ["Basic YW5uOnNlIGNyZXQ="])
            #expect(request.values(of: "cookie") == ["id=1"])
            #expect(!request.head.contains("ann"))
        }
        let arrived = try #require(await other.requests.first)
        for name in ["authorization", "cookie", "x-mine"] { #expect(arrived.values(of: name) == []) }
        await server.stop()
        await other.stop()
    }

    @Test func `cookies of a redirect are sent to its own origin only`() async throws {
        let other = try await FaultServer.start(["/y": .picture(picture)])
        let hop = FaultScript.status(302, headers: [("Set-Cookie", "id=1; Path=/"), ("Location", "/z")])
        let server = try await FaultServer.start(["/x": hop, "/z": .redirect(to: other.url("/y"))])
        _ = try await Self.download(server.url("/x"), headers: [("Cookie", "own=2")], with: Self.downloader()).get()
        #expect(await server.requests.map { $0.values(of: "cookie") } == [["own=2"], ["own=2; id=1"]])
        #expect(await other.requests.map { $0.values(of: "cookie") } == [[]])
        await server.stop()
        await other.stop()
    }

    @Test func `onAnswer gets each response with the redirects before it`() async throws {
        let server = try await FaultServer.start(["/x": .redirect(to: "/y"), "/y": .status(404)])
        let told = Recorder<String>()
        var request = DownloadRequest.picture(try #require(URL(string: server.url("/x"))))
        request.onAnswer = { told.add("\($0) \($1.map { $0.path() }.joined())") }
        await #expect(throws: DownloadError.self) { try await Self.downloader().download(request) { _ in } }
        await server.stop()
        #expect(told.all == ["302 ", "404 /y"])
    }

    @Test func `cookies set by a server are sent with later requests`() async throws {
        let server = try await FaultServer.start([
            "/x": .respond(headers: [("Set-Cookie", "id=1; Path=/")], body: picture), "/y": .picture(picture),
        ])
        let downloader = Self.downloader()
        for path in ["/x", "/y"] {
            let request = DownloadRequest.picture(try #require(URL(string: server.url(path))))
            _ = try await downloader.download(request) { _ in }
        }
        #expect(await server.requests.map { $0.values(of: "cookie") } == [[], ["id=1"]])
        await server.stop()
    }

    @Test func `cookies of a file are sent to their hosts only, also after a redirect`() async throws {
        let other = try await FaultServer.start(["/y": .picture(picture)])
        let server = try await FaultServer.start(["/x": .redirect(to: "http://localhost:\(other.port)/y")])
        var configuration = DownloaderConfiguration()
        configuration.cookies = try CookieFile("127.0.0.1\tTRUE\t/\tFALSE\t0\tid\tgeheim")
        let downloader = ImageDownloader(configuration: configuration)
        _ = try await Self.download(server.url("/x"), with: downloader).get()
        #expect(await server.requests.map { $0.values(of: "cookie") } == [["id=geheim"]])
        #expect(await other.requests.map { $0.values(of: "cookie") } == [[]])
        await server.stop()
        await other.stop()
    }

    @Test(
        arguments: [
            "HTTP/1.1 200 OK\nContent-Length: 8\n\n", "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 8\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 8\r\nContent-Length: 8\r\n\r\n",
            "HTTP/1.1 203 Other\r\nContent-Length: 8, 8\r\n\r\n",
            "HTTP/1.1 103 Hints\n\nHTTP/1.1 200 OK\nContent-Length: 8\n\n",
        ])
    func `an unusual response head is parsed, in one piece and byte by byte`(head: String) async throws {
        let body = Array("GIF89a\n\n".utf8)
        let scripts: [FaultScript] = [
            FaultScript([.send(Array(head.utf8) + body)]), FaultScript([.drip(Array(head.utf8) + body, every: .zero)]),
        ]
        for script in scripts {
            let server = try await FaultServer.start(["/x": script, "/y": script])
            let downloader = Self.downloader()
            for path in ["/x", "/y"] {
                let request = DownloadRequest.picture(try #require(URL(string: server.url(path))))
                #expect(try await downloader.download(request) { _ in }.data == Data(body))
            }
            await server.stop()
        }
    }

    @Test func `contradictory lengths are reported as such`() async throws {
        let error = try await failure(of: .headLine("Content-Length: 5"))
        #expect(error?.title == "malformed answer: its statements of length contradict each other")
    }

    // MARK: - Requests

    @Test(arguments: ["ftp://h/x", "file:///etc/passwd", "http:///x", "x.png"])
    func `an unsupported address is refused before anything is sent`(address: String) async throws {
        let result = await Self.download(address, with: Self.downloader())
        let error = #expect(throws: DownloadError.self) { try result.get() }
        guard case .request(.invalidURL) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a request has a user agent and asks for no content coding`() async throws {
        let server = try await FaultServer.start(["/x?a=1": .picture(picture)])
        _ = try await Self.download(server.url("/x?a=1#part"), with: Self.downloader()).get()
        let request = try #require(await server.requests.first)
        await server.stop()
        #expect(request.path == "/x?a=1")
        #expect(request.values(of: "user-agent") == [ProcessInfo.processInfo.processName])
        #expect(request.values(of: "accept-encoding") == ["identity"])
    }

    @Test func `a header with a line break is not sent`() async throws {
        let server = try await FaultServer.start(["/x": .picture(picture)])
        let result = await Self.download(
            server.url("/x"), headers: [("X-Evil", "a\r\nHost: other")], with: Self.downloader())
        #expect(await server.requests.isEmpty)
        await server.stop()
        #expect(throws: DownloadError.self) { try result.get() }
    }

    @Test func `a downloader without references shuts down`() async throws {
        let server = try await FaultServer.start(["/x": .picture(picture)])
        let url = try #require(URL(string: server.url("/x")))
        let download = try await ImageDownloader().download(DownloadRequest.picture(url)) { _ in }
        await server.stop()
        #expect(download.data == Data(picture))
    }
}
