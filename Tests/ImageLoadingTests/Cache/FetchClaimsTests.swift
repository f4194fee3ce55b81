import Foundation
import TestSupport
import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

/// Several processes that want to fetch the same; two open files are two processes to the kernel.
@Suite(.timeLimit(.minutes(1)))
struct FetchClaimsTests {
    private let place: TemporaryFolder
    private let ours: FetchClaims
    private let theirs: FetchClaims

    init() throws {
        place = try TemporaryFolder()
        ours = FetchClaims(path: place / "claims")
        theirs = FetchClaims(path: place / "claims")
    }

    @Test func `the second waits for the first, and learns that others fetch too`() async {
        var first: FetchClaims.Claim? = await ours.claim("a").claim
        let second = Task { await theirs.claim("a") }
        let other = await theirs.claim("b")
        #expect(first != nil && other.claim != nil)
        withExtendedLifetime(first) {}
        first = nil
        let (claim, _) = await second.value
        #expect(claim != nil)
    }

    @Test func `who met nobody need not look again`() async {
        #expect(await ours.claim("a").isShared == false)
        #expect(await ours.claim("a").claim != nil)
    }

    @Test func `who had to wait looks again, from then on always`() async {
        let first = await ours.claim("a").claim
        let waiting = Task { await theirs.claim("a") }
        await until { theirs.hasMetOthers }
        waiting.cancel()
        #expect(await waiting.value.isShared)
        #expect(await theirs.claim("b").isShared)
        withExtendedLifetime(first) {}
    }

    @Test func `where the file cannot be made everybody fetches`() async {
        let claims = FetchClaims(path: "/nonexistent/claims")
        let (claim, isShared) = await claims.claim("a")
        #expect(claim == nil && !isShared)
    }
}
