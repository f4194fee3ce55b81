import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1))) struct AdmissionQueueTests {
    private let queue: AdmissionQueue

    init() {
        var limits = DownloadLimits()
        limits.concurrent = 1
        queue = AdmissionQueue(limits: limits)
    }

    @Test func `the place is released after success and after failure`() async throws {
        #expect(try await queue.withPlace(host: "a", priority: 0.5) { _ in 1 } == 1)
        await #expect(throws: DownloadError.cancelled) {
            try await queue.withPlace(host: "a", priority: 0.5) { _ async throws(DownloadError) -> Int in
                throw .cancelled
            }
        }
        #expect(try await queue.withPlace(host: "a", priority: 0.5) { _ in 2 } == 2)
    }

    @Test func `a cancelled waiter leaves the queue and never runs`() async throws {
        let queue = queue
        let gate = Gate()
        let holder = Task { try await queue.withPlace(host: "a", priority: 0.5) { _ in await gate.pass() } }
        await gate.untilArrived()
        let works = Recorder<Int>()
        let waiter = Task { try await queue.withPlace(host: "a", priority: 0.5) { _ in works.add(1) } }
        waiter.cancel()
        let outcome = await waiter.result
        #expect(throws: DownloadError.cancelled) { try outcome.get() }
        await gate.open()
        try await holder.value
        try await queue.withPlace(host: "a", priority: 0.5) { _ in works.add(2) }
        #expect(works.all == [2])
    }

    @Test func `the place is free after a race between cancellation and admission`() async throws {
        let queue = queue
        for _ in 0..<300 {
            let task = Task { try await queue.withPlace(host: "a", priority: 0.5) { _ in } }
            task.cancel()
            _ = await task.result
        }
        #expect(try await queue.withPlace(host: "a", priority: 0.5) { _ in 7 } == 7)
    }

    @Test func `a waiting transfer can be raised to a higher priority`() async throws {
        let queue = queue
        let gate = Gate()
        let works = Recorder<Int>()
        let holder = Task { try await queue.withPlace(host: "a", priority: 0.5) { _ in await gate.pass() } }
        await gate.untilArrived()
        var waiters: [Task<Void, any Error>] = []
        for number in 1...3 {
            waiters.append(
                Task { try await queue.withPlace(for: number, host: "a", priority: 0.5) { _ in works.add(number) } })
            await until { queue.waitingCount >= number }
        }
        queue.setPriority(1, of: 3)
        await gate.open()
        try await holder.value
        for waiter in waiters { try await waiter.value }
        #expect(works.all == [3, 1, 2])
    }

    @Test func `moving to another host exchanges the place`() async throws {
        let queue = queue
        let value = try await queue.withPlace(host: "a", priority: 0.5) { place async throws(DownloadError) in
            var place = place
            try await place.move(to: "b")
            try await place.move(to: "a")
            return 7
        }
        #expect(value == 7)
        #expect(try await queue.withPlace(host: "b", priority: 0.5) { _ in 8 } == 8)
    }

    @Test func `a transfer waiting for another host holds no place and can be cancelled`() async throws {
        var limits = DownloadLimits()
        limits.concurrentPerHost = 1
        let queue = AdmissionQueue(limits: limits)
        let gate = Gate()
        let holder = Task { try await queue.withPlace(host: "b", priority: 0.5) { _ in await gate.pass() } }
        await gate.untilArrived()
        let mover = Task {
            try await queue.withPlace(host: "a", priority: 0.5) { place async throws(DownloadError) in
                var place = place
                try await place.move(to: "b")
            }
        }
        await until { queue.waitingCount > 0 }
        #expect(try await queue.withPlace(host: "a", priority: 0.5) { _ in 1 } == 1)
        mover.cancel()
        let outcome = await mover.result
        #expect(throws: DownloadError.cancelled) { try outcome.get() }
        await gate.open()
        try await holder.value
        #expect(try await queue.withPlace(host: "b", priority: 0.5) { _ in 2 } == 2)
    }
}
