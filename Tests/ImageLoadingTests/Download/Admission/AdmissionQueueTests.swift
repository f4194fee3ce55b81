import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1))) struct AdmissionQueueTests {
    private let queue = AdmissionQueue(limit: 1, limitPerHost: 1)

    @Test func thePlaceIsGivenOnAfterSuccessAndAfterFailure() async throws {
        #expect(try await queue.withPlace(host: "a", priority: 0.5) { 1 } == 1)
        await #expect(throws: ImageError.cancelled) {
            try await queue.withPlace(host: "a", priority: 0.5) { () async throws(ImageError) -> Int in throw .cancelled
            }
        }
        #expect(try await queue.withPlace(host: "a", priority: 0.5) { 2 } == 2)
    }

    @Test func oneWhoWaitsInVainLeavesWhenCancelledAndNeverWorks() async throws {
        let queue = queue
        let gate = Gate()
        let holder = Task { try await queue.withPlace(host: "a", priority: 0.5) { await gate.pass() } }
        await gate.untilArrived()
        let works = Recorder<Int>()
        let waiter = Task { try await queue.withPlace(host: "a", priority: 0.5) { works.add(1) } }
        waiter.cancel()
        let outcome = await waiter.result
        #expect(throws: ImageError.cancelled) { try outcome.get() }
        await gate.open()
        try await holder.value
        try await queue.withPlace(host: "a", priority: 0.5) { works.add(2) }
        #expect(works.all == [2])
    }

    @Test func howeverACancelAndAPlaceCrossThePlaceIsFreeInTheEnd() async throws {
        let queue = queue
        for _ in 0..<300 {
            let task = Task { try await queue.withPlace(host: "a", priority: 0.5) {} }
            task.cancel()
            _ = await task.result
        }
        #expect(try await queue.withPlace(host: "a", priority: 0.5) { 7 } == 7)
    }
}
