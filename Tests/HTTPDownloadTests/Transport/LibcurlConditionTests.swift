import FaultServer
import Foundation
import Glibc
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// The conditions of libcurl's use that decision 0035 lists.
@Suite(.timeLimit(.minutes(1))) struct LibcurlConditionTests {
    private let picture: [UInt8]
    private let identity: TestIdentity

    init() throws {
        picture = Array(try Pictures.png())
        identity = try TestIdentity()
    }

    /// A picture that needs more than one read, followed by an answer that nobody asked for.
    ///
    /// The last read ends with the picture, so the rest stays on the connection.
    private var surplus: FaultScript {
        let long = picture + [UInt8](repeating: 0, count: 300_000)
        let head = FaultScript.head(200, [("Content-Type", "image/png"), ("Content-Length", "\(long.count)")])
        let other = Array("GIF89a".utf8) + [UInt8](repeating: 1, count: 100)
        let answer = FaultScript.head(200, [("Content-Type", "image/gif"), ("Content-Length", "\(other.count)")])
        return FaultScript([.send(head), .send(long + answer + other)])
    }

    @Test func `surplus data is not taken as the response to the next request`() async throws {
        try await DownloadStage.play(["/x": [surplus], "/y": [.picture(picture)]]) { stage in
            let download1 = try await stage.download("/x").get()
            #expect(download1.data.count == picture.count + 300_000)
            let download2 = try await stage.download("/y").get()
            #expect(download2.data == Data(picture))
            #expect(await stage.server.requests.map(\.connection) == [1, 2])
        }
    }

    @Test func `through a proxy surplus data of one host is not taken for another`() async throws {
        let proxy = try await FaultServer.start { [surplus, picture] request, _ in
            request.path.contains("evil") ? surplus : .picture(picture)
        }
        let server = ProxySettings(try ProxyServer("http://127.0.0.1:\(proxy.port)"))
        try await DownloadStage.play([:], configure: { $0.proxies = server }) { stage in
            _ = try await stage.download("http://evil.invalid/x").get()
            let download3 = try await stage.download("http://good.invalid/y").get()
            #expect(download3.data == Data(picture))
        }
        #expect(await proxy.requests.map(\.connection) == [1, 2])
        await proxy.stop()
    }

    @Test func `the first transfers to an HTTP/2 host share one connection`() async throws {
        let server = try await HTTP2Server.start(identity, body: picture)
        let downloader = try downloader()
        let request = DownloadRequest.picture(try #require(URL(string: server.url)))
        let transfers = (0..<8).map { _ in Task { try await downloader.download(request) { _ in } } }
        for transfer in transfers { #expect(try await transfer.value.data == Data(picture)) }
        downloader.shutdown()
        await server.stop()
        #expect(server.connections.all.count == 1)
    }

    @Test func `a limited rate uses HTTP/1.1`() async throws {
        let server = try await HTTP2Server.start(tls: identity.serverTLS(protocols: ["h2", "http/1.1"])) {
            [picture] _ in
            HTTP2Answer(body: picture)
        }
        let downloader = try downloader { $0.limits.bytesPerSecond = 1 << 30 }
        let request = DownloadRequest.picture(try #require(URL(string: server.url)))
        #expect(try await downloader.download(request) { _ in }.metrics.version == "HTTP/1.1")
        downloader.shutdown()
        await server.stop()
    }

    @Test func `sockets are not inherited by child processes`() async throws {
        try await DownloadStage.play(["/x": [.picture(picture)]]) { stage in
            _ = try await stage.download().get()
            let sockets = (0..<4_096).filter { Self.peerPort(of: $0) == stage.server.port }
            #expect(!sockets.isEmpty)
            #expect(sockets.allSatisfy { fcntl(CInt($0), F_GETFD) & FD_CLOEXEC != 0 })
        }
    }

    private static func peerPort(of descriptor: Int) -> Int? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(CInt(descriptor), $0, &length) }
        }
        return result == 0 && address.sin_family == AF_INET ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }

    @Test(arguments: [
        HTTP2Answer.Fault.reset(.refusedStream), .goAway(.noError), .goAway(.enhanceYourCalm), .reset(.http11Required),
        .goAway(.http11Required),
    ])
    func `a request rejected by HTTP/2 is sent again without a failed attempt`(fault: HTTP2Answer.Fault) async throws {
        let server = try await HTTP2Server.start(tls: identity.serverTLS(protocols: ["h2", "http/1.1"])) {
            [picture] request in
            request.turn == 0 || fault.forbidsHTTP2 && request.isHTTP2
                ? HTTP2Answer(fault: fault) : HTTP2Answer(body: picture)
        }
        let downloader = try downloader()
        let request = DownloadRequest.picture(try #require(URL(string: server.url)))
        let download = try await downloader.download(request) { _ in }
        #expect(download.data == Data(picture))
        #expect(download.metrics.version == "HTTP/1.1" || !fault.forbidsHTTP2)
        _ = try await downloader.download(request) { _ in }
        downloader.shutdown()
        await server.stop()
    }

    @Test func `many transfers survive a server that ends each connection after some streams`() async throws {
        let server = try await HTTP2Server.start(tls: identity.serverTLS(), streamsPerConnection: 5) { [picture] _ in
            var answer = HTTP2Answer(body: picture)
            answer.fields.append(HTTP2Field("content-length", "\(picture.count)"))
            return answer
        }
        let downloader = try downloader()
        let request = DownloadRequest.picture(try #require(URL(string: server.url)))
        let transfers = (0..<40).map { _ in Task { try await downloader.download(request) { _ in } } }
        for transfer in transfers { #expect(try await transfer.value.data == Data(picture)) }
        downloader.shutdown()
        await server.stop()
    }

    @Test func `a body that has all bytes of its length is whole without the end of its stream`() async throws {
        let server = try await HTTP2Server.start(tls: identity.serverTLS()) { [picture] _ in
            .broken(picture, after: picture.count, .goAway(.noError, lastStream: 1))
        }
        let downloader = try downloader()
        let request = DownloadRequest.picture(try #require(URL(string: server.url)))
        #expect(try await downloader.download(request) { _ in }.data == Data(picture))
        downloader.shutdown()
        await server.stop()
    }

    @Test(arguments: [true, false]) func `trailers count towards the length of the head`(isHTTP2: Bool) async throws {
        if isHTTP2 {
            let server = try await HTTP2Server.start(tls: identity.serverTLS()) { [picture] _ in
                .trailers(of: 1_000, body: picture)
            }
            let downloader = try downloader()
            let request = DownloadRequest.picture(try #require(URL(string: server.url)))
            #expect(try await downloader.download(request) { _ in }.data == Data(picture))
            downloader.shutdown()
            await server.stop()
        } else {
            let head = FaultScript.head(200, [("Transfer-Encoding", "chunked")])
            let chunk = Array(String(picture.count, radix: 16).utf8) + [13, 10] + picture + [13, 10]
            let trailer = FaultStep.endless(Array("X-Trailer: \(String(repeating: "a", count: 1_000))\r\n".utf8))
            let script = FaultScript([.send(head), .send(chunk + Array("0\r\n".utf8)), trailer])
            try await DownloadStage.play(["/x": [script]]) { stage in
                let error = await stage.download().error
                #expect(error == .response(.transport(.malformedResponse("its head is too long"))))
            }
        }
    }

    @Test func `an address with escapes that are not UTF-8 is requested unchanged`() async throws {
        let path = "/2024/caf%E9.jpg?x=%EB"
        try await DownloadStage.play([path: [.picture(picture)], "/": [.picture([0x47])]]) { stage in
            let download4 = try await stage.download(path).get()
            #expect(download4.data == Data(picture))
            #expect(await stage.server.requests.map(\.path) == [path])
        }
    }

    @Test func `a redirect with escapes that are not UTF-8 is followed unchanged`() async throws {
        let path = "/no%EBl/a.jpg"
        try await DownloadStage.play(["/x": [.redirect(to: path)], path: [.picture(picture)]]) { stage in
            let download5 = try await stage.download().get()
            #expect(download5.data == Data(picture))
            #expect(await stage.server.requests.map(\.path) == ["/x", path])
        }
    }

    @Test func `transfers to a silent TLS host time out concurrently`() async throws {
        // Nothing is accepted, so no handshake goes on.
        let full = try FullListener()
        try await DownloadStage.play([:], configure: { $0.limits.connect = .milliseconds(100) }) { stage in
            let requests = try (0..<4).map { _ in try stage.request("https://127.0.0.1:\(full.port)/x") }
            let transfers = requests.map { request in Task { await stage.download(request) } }
            for transfer in transfers { #expect(await transfer.value.error == .response(.timedOut(.connect))) }
        }
    }

    @Test func `a transfer that ends at once does not block later ones`() async throws {
        try await DownloadStage.play(["/x": [.picture(picture)]]) { stage in
            let late = await stage.download { $0.timeout = .zero }
            #expect(late.error == nil || late.error == .response(.timedOut(.total)))
            let next = try await stage.download().get()
            #expect(next.data == Data(picture))
        }
    }

    @Test func `requests after shutdown fail at once`() async throws {
        try await DownloadStage.play(["/x": [.picture(picture)]]) { stage in
            _ = try await stage.download().get()
            stage.downloader.shutdown()
            #expect(await stage.download().error == .shutDown)
        }
    }

    @Test func `firstBytes receives only the beginning of an endless body`() async throws {
        let head = FaultScript.head(200, [("Content-Type", "image/png"), ("Connection", "close")])
        let endless = FaultScript([.send(head), .send(picture), .endless([UInt8](repeating: 0, count: 4_096))])
        try await DownloadStage.play(["/x": [endless], "/y": [.picture(picture)]]) { stage in
            let beginning = try await stage.download { $0.firstBytes = 100 }.get()
            #expect(beginning.isBeginning)
            _ = try await stage.download("/y").get()
            let received = stage.downloader.receivedByteCount
            _ = try await stage.download("/y").get()
            #expect(stage.downloader.receivedByteCount == received + picture.count)
        }
    }

    @Test func `a whole body instead of the rest may use the whole limit`() async throws {
        let long = picture + [UInt8](repeating: 0, count: 1_000)
        let head = FaultScript.head(
            200, [("Content-Length", "\(long.count)"), ("Accept-Ranges", "bytes"), ("ETag", "\"1\"")])
        let broken = FaultScript([.send(head), .send(Array(long.dropLast(100))), .close])
        let scripts = ["/x": [broken, FaultScript.picture(long)]]
        try await DownloadStage.play(scripts, configure: { $0.limits.bytes = long.count + 10 }) { stage in
            let request = try stage.request()
            #expect(await stage.download(request).error != nil)
            let whole = try await stage.download(request).get()
            #expect(whole.data == Data(long))
        }
    }

    private func downloader(_ change: (inout DownloaderConfiguration) -> Void = { _ in }) throws -> ImageDownloader {
        var configuration = DownloaderConfiguration()
        try configuration.tls.addRoots(pem: identity.certificatePEM)
        change(&configuration)
        return ImageDownloader(configuration: configuration)
    }
}

extension HTTP2Answer.Fault {
    fileprivate var forbidsHTTP2: Bool { self == .reset(.http11Required) || self == .goAway(.http11Required) }
}
