import Retrying
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TokenBucketTests {
    @Test func `saved tokens are available at once, then the rate applies`() {
        var bucket = TokenBucket(rate: 2, capacity: 3)
        for _ in 0..<3 { #expect(bucket.tryAcquire(at: .zero) == nil) }
        #expect(bucket.tryAcquire(at: .zero) == .milliseconds(500))
        #expect(bucket.tryAcquire(at: .milliseconds(400)) == .milliseconds(100))
        #expect(bucket.tryAcquire(at: .milliseconds(500)) == nil)
        #expect(bucket.tryAcquire(at: .milliseconds(500)) == .milliseconds(500))
    }

    @Test func `no more than the capacity is saved`() {
        var bucket = TokenBucket(rate: 10, capacity: 2)
        _ = bucket.reserve(2, at: .zero)
        #expect(bucket.tryAcquire(at: .seconds(3600)) == nil)
        #expect(bucket.tryAcquire(at: .seconds(3600)) == nil)
        #expect(bucket.tryAcquire(at: .seconds(3600)) == .milliseconds(100))
    }

    @Test func `a request for more tokens than available waits in turn`() {
        var bucket = TokenBucket(rate: 100, capacity: 50)
        #expect(bucket.reserve(50, at: .zero) == .zero)
        #expect(bucket.reserve(100, at: .zero) == .seconds(1))
        #expect(bucket.reserve(100, at: .zero) == .seconds(2))
        #expect(bucket.reserve(0, at: .seconds(2)) == .zero)
    }

    @Test func `time in debt is counted`() {
        var bucket = TokenBucket(rate: 100, capacity: 1)
        #expect(bucket.debtTime(at: .seconds(5)) == .zero)
        _ = bucket.reserve(201, at: .seconds(5))
        #expect(bucket.debtTime(at: .seconds(5)) == .zero)
        #expect(bucket.debtTime(at: .milliseconds(5500)) == .milliseconds(500))
        #expect(bucket.debtTime(at: .seconds(60)) == .seconds(2))
    }

    @Test func `a clock that goes back adds no tokens`() {
        var bucket = TokenBucket(rate: 1, capacity: 1)
        #expect(bucket.tryAcquire(at: .seconds(10)) == nil)
        #expect(bucket.tryAcquire(at: .seconds(3)) == .seconds(1))
        #expect(bucket.tryAcquire(at: .seconds(11)) == nil)
    }

    @Test(arguments: [0, -5, .nan, .infinity, 1e308] as [Double]) func `any rate is accepted`(rate: Double) {
        var bucket = TokenBucket(rate: rate)
        _ = bucket.reserve(.max, at: .zero)
        #expect(bucket.reserve(.max, at: .seconds(1)) <= .seconds(31_536_000))
        #expect(bucket.rate > 0)
    }

    @Test func `a bucket is full again when all tokens are restored`() {
        var bucket = TokenBucket(rate: 10, capacity: 5)
        #expect(bucket.isFull(at: .zero))
        _ = bucket.reserve(5, at: .zero)
        #expect(!bucket.isFull(at: .milliseconds(499)))
        #expect(bucket.isFull(at: .milliseconds(500)))
    }
}
