import Foundation
import TestSupport
import Testing

@testable import AlcedoDiskCache

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

    @Test func `a claim of another process is waited for`() async {
        var first: FetchClaims.Claim? = await ours.claim("a")
        let second = Task { await theirs.claim("a") }
        let other = await theirs.claim("b")
        #expect(first != nil && other != nil)
        withExtendedLifetime(first) {}
        first = nil
        #expect(await second.value != nil)
    }

    @Test func `a process does not wait for its own claims`() async {
        let first = await ours.claim("a")
        #expect(await ours.claim("a") != nil)
        withExtendedLifetime(first) {}
    }

    @Test func `a cancelled wait ends without a claim`() async {
        let first = await ours.claim("a")
        let waiting = Task { await theirs.claim("a") }
        waiting.cancel()
        #expect(await waiting.value == nil)
        withExtendedLifetime(first) {}
    }

    @Test func `without the claims file there is no claim`() async {
        #expect(await FetchClaims(path: place / "no folder/claims").claim("a") == nil)
    }
}
