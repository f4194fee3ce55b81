import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// Redirects that somebody watches, and what crosses with them.
@Suite(.timeLimit(.minutes(1))) struct RedirectHandlerTests {
    private let picture: [UInt8]

    init() throws { picture = Array(try Pictures.png()) }

    private func chain(_ length: Int) -> [String: [FaultScript]] {
        var scripts: [String: [FaultScript]] = ["/0": [.picture(picture)]]
        for number in 0..<length { scripts["/\(number + 1)"] = [.redirect(to: "\(number)", status: 301)] }
        return scripts
    }

    @Test func `the handler gets each redirect in order`() async throws {
        let seen = Recorder<Redirect>()
        try await DownloadStage.play(chain(3)) { stage in
            _ = try await stage.download("/3") {
                $0.redirectHandler = AnyRedirectHandler { redirect in
                    seen.add(redirect)
                    return redirect.next
                }
            }.get()
        }
        #expect(seen.all.map(\.count) == [0, 1, 2])
        #expect(seen.all.map(\.statusCode) == [301, 301, 301])
        #expect(seen.all.map { $0.request.url.lastPathComponent } == ["3", "2", "1"])
        #expect(seen.all.map { $0.next.url.lastPathComponent } == ["2", "1", "0"])
    }

    @Test func `the handler can stop a redirect`() async throws {
        try await DownloadStage.play(chain(1)) { stage in
            let result = await stage.download("/1") { $0.redirectHandler = AnyRedirectHandler { _ in nil } }
            #expect(result.error == .response(.redirect(.stopped)))
            #expect(result.error?.isRetryable == false)
            #expect(await stage.server.count(of: "/0") == 0)
        }
    }

    @Test func `the handler can change a redirect`() async throws {
        try await DownloadStage.play(["/1": [.redirect(to: "/2")], "/y": [.picture(picture)]]) { stage in
            let other = try #require(URL(string: stage.server.url("/y")))
            _ = try await stage.download("/1") {
                $0.redirectHandler = AnyRedirectHandler { redirect in
                    var next = redirect.next
                    next.url = other
                    next.headers.append(HeaderField(name: "X-Key", value: "k"))
                    return next
                }
            }.get()
            #expect(await stage.server.requests.last?.values(of: "x-key") == ["k"])
        }
    }

    @Test func `a changed redirect is still subject to the rules`() async throws {
        try await DownloadStage.play(chain(1)) { stage in
            let result = await stage.download("/1") {
                $0.redirectHandler = AnyRedirectHandler { redirect in
                    var next = redirect.next
                    next.url = URL(filePath: "/etc/passwd")
                    return next
                }
            }
            #expect(result.error == .response(.redirect(.toScheme("file"))))
        }
    }

    @Test func `ten redirects are followed and eleven are not`() async throws {
        try await DownloadStage.play(chain(11)) { stage in
            let ten = try await stage.download("/10").get()
            #expect(ten.metrics.redirects == 10)
            #expect(await stage.download("/11").error == .response(.redirect(.tooMany(limit: 10))))
        }
    }

    @Test(arguments: [
        "ftp://h/x", "data:image/png;base64,AAAA", "unix:/run/x", "javascript:alert(1)", "http+unix://x/y",
    ])
    func `other schemes are refused`(target: String) async throws {
        try await DownloadStage.play(["/x": [.redirect(to: target)]]) { stage in
            guard case .response(.redirect(.toScheme))? = await stage.download().error else {
                Issue.record("\(target) was not refused")
                return
            }
        }
    }

    @Test func `a redirect that waits for its new host holds no place at the old one`() async throws {
        let other = try await FaultServer.start(["/held": .stall, "/y": .picture(picture)])
        try await DownloadStage.play(
            ["/x": [.redirect(to: other.url("/y"))], "/z": [.picture(picture)]],
            configure: { $0.limits.concurrentPerHost = 1 }
        ) { stage in
            // Given a host whose only place is taken.
            let held = try stage.request(other.url("/held"))
            let holding = Task { await stage.download(held) }
            await other.arrival(of: "/held")
            // When a transfer from elsewhere is led there, it waits, and its first host has its place back.
            let moving = try stage.request("/x")
            let moved = Task { await stage.download(moving) }
            await stage.server.arrival(of: "/x")
            let free = await stage.download("/z")
            #expect(free.error == nil)
            #expect(await other.count(of: "/y") == 0)
            // And it goes on when there is room.
            holding.cancel()
            #expect(await moved.value.error == nil)
        }
        await other.stop()
    }

    @Test func `credentials in a redirect target are not sent`() async throws {
        try await DownloadStage.play([:]) { stage in
            let inner = try await FaultServer.start { request, _ in
                request.path == "/x" ? .redirect(to: "http://evil:word@127.0.0.1:\(stage.server.port)/y") : .status(404)
            }
            _ = await stage.download(inner.url("/x"))
            let arrived = try #require(await stage.server.requests.first)
            #expect(arrived.values(of: "authorization") == [])
            #expect(!arrived.head.contains("evil"))
            await inner.stop()
        }
    }

    @Test func `an escaped line break in a target injects no header`() async throws {
        try await DownloadStage.play([
            "/x": [.redirect(to: "/y%0d%0aX-Evil:%201")], "/y%0d%0aX-Evil:%201": [.picture(picture)],
        ]) { stage in
            _ = try await stage.download().get()
            #expect(await stage.server.requests.allSatisfy { $0.values(of: "x-evil").isEmpty })
        }
    }

    @Test func `a target of 70 KB is an error`() async throws {
        let long = "/" + String(repeating: "a", count: 70_000)
        try await DownloadStage.play(["/x": [.redirect(to: long)]]) { stage in
            #expect(await stage.download().error != nil)
        }
    }
}
