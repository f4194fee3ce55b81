import Foundation
import Testing

@testable import AlcedoDiskCache

@Suite(.timeLimit(.minutes(1)))
struct StorageExpirationTests {
    private let start = Date(timeIntervalSince1970: 1_000_000)

    @Test func `each kind of expiration gives its date`() {
        #expect(StorageExpiration.never.date(from: start) == nil)
        #expect(StorageExpiration.seconds(5).date(from: start) == start + 5)
        #expect(StorageExpiration.days(2).date(from: start) == start + 172_800)
        #expect(StorageExpiration.date(start + 9).date(from: start) == start + 9)
        #expect(StorageExpiration.expired.date(from: start) == start)
    }

    @Test(arguments: [StorageExpiration.seconds(.infinity), .seconds(.nan)])
    func `infinite or invalid seconds never expire`(life: StorageExpiration) {
        #expect(life.date(from: start) == nil)
    }

    @Test func `only the expired case prevents storing`() {
        #expect(StorageExpiration.expired.isExpired)
        #expect(!StorageExpiration.seconds(0).isExpired)
        #expect(!StorageExpiration.days(.max).isExpired)
    }
}
