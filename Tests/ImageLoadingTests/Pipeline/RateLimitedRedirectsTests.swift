import Foundation
import Retrying
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests
@testable import ImageLoading

@Suite(.timeLimit(.minutes(1))) struct RateLimitedRedirectsTests {
    private let clock = ManualClock()

    private func redirect() throws -> Redirect {
        let (from, to) = (URL(string: "https://a.example/1"), URL(string: "https://b.example/2"))
        return Redirect(
            statusCode: 302, request: DownloadRequest(url: try #require(from)),
            next: DownloadRequest(url: try #require(to)), count: 0)
    }

    @Test func `a redirected request waits for the rate limit of its host`() async throws {
        let hosts = HostHealth(pace: TokenBucket(rate: 1, capacity: 1), clock: clock)
        _ = try hosts.admit("b.example")
        let redirect = try redirect()
        let next = Task { await RateLimitedRedirects(hosts: hosts, handler: nil).next(after: redirect) }
        await clock.untilSleepers()
        clock.advance(by: .seconds(1))
        #expect(await next.value?.url.host() == "b.example")
    }

    @Test func `a redirect stopped by the caller's handler does not wait`() async throws {
        let hosts = HostHealth(pace: TokenBucket(rate: 1, capacity: 1), clock: clock)
        _ = try hosts.admit("b.example")
        let handler = RateLimitedRedirects(hosts: hosts, handler: AnyRedirectHandler { _ in nil })
        #expect(await handler.next(after: try redirect()) == nil)
    }
}
