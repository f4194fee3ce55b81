import Foundation
import TestSupport
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1))) struct RequestCoalescerTests {
    private typealias Work = RequestCoalescer<String, Int, Int>

    private let joined = Work()
    private let runs = Recorder<String>()
    private let gate = Gate()

    /// Work that says when it ran, and waits at the gate.
    private func work(_ name: String, answer: Int) -> Work.Work {
        { [runs, gate] _ in
            runs.add(name)
            await gate.pass()
            if Task.isCancelled { runs.add("\(name) cancelled") }
            return answer
        }
    }

    private func waiter(_ key: String = "a", answer: Int = 1) -> Task<Int, any Error> {
        let (joined, work) = (joined, work(key, answer: answer))
        return Task { try await joined.value(for: key, work: work) }
    }

    /// Returns when so many wait for the key; the events of a piece of work reach all who have joined it.
    private func untilJoined(_ count: Int, _ key: String = "a") async {
        await until { joined.waiterCount(for: key) >= count }
    }

    @Test func `fifty waiters share one task and each get its result`() async throws {
        let waiters = (0..<50).map { _ in waiter(answer: 7) }
        await untilJoined(50)
        await gate.open()
        for waiter in waiters { #expect(try await waiter.value == 7) }
        #expect(runs.all == ["a"])
    }

    @Test func `every waiter gets the failure`() async {
        let (joined, gate) = (joined, gate)
        let waiters = (0..<5).map { _ in
            Task {
                try await joined.value(for: "a") { _ throws(ImageError) in
                    await gate.pass()
                    throw .response(.notAnImage("HTML"))
                }
            }
        }
        await untilJoined(5)
        await gate.open()
        for waiter in waiters {
            await #expect(throws: ImageError.response(.notAnImage("HTML"))) { try await waiter.value }
        }
    }

    @Test func `the first waiter receives all events`() async throws {
        // Work that tells everything at once, while the one who began it may not wait yet
        for _ in 0..<2000 {
            let events = Recorder<Int>()
            _ = try await joined.value(for: "a", onEvent: events.add) { sharing in
                for event in 1...3 { sharing.send(event) }
                return 0
            }
            #expect(events.all == [1, 2, 3])
        }
    }

    @Test func `other keys and later requests start their own task`() async throws {
        await gate.open()
        #expect(try await waiter("a", answer: 1).value == 1)
        #expect(try await waiter("a", answer: 2).value == 2)
        #expect(try await waiter("b", answer: 3).value == 3)
        #expect(runs.all == ["a", "a", "b"])
    }

    @Test func `cancelling one waiter returns at once and does not affect the others`() async throws {
        let (first, second) = (waiter(answer: 4), waiter(answer: 4))
        await untilJoined(2)
        first.cancel()
        await #expect(throws: ImageError.cancelled) { try await first.value }
        await gate.open()
        #expect(try await second.value == 4)
        #expect(runs.all == ["a"])
    }

    @Test func `cancelling the last waiter cancels the task`() async throws {
        let waiter = waiter()
        await gate.untilArrived()
        waiter.cancel()
        await #expect(throws: ImageError.cancelled) { try await waiter.value }
        await gate.open()
        await runs.until(count: 2)
        #expect(runs.all == ["a", "a cancelled"])
    }

    @Test func `a waiter after a cancel starts a new task although the old one has not ended`() async throws {
        let first = waiter(answer: 1)
        await gate.untilArrived()
        first.cancel()
        await #expect(throws: ImageError.cancelled) { try await first.value }
        let second = waiter(answer: 2)
        await gate.untilArrived(2)
        await gate.open()
        #expect(try await second.value == 2)
    }

    @Test func `a waiter cancelled before joining starts nothing`() async throws {
        let (joined, work) = (joined, work("a", answer: 1))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await joined.value(for: "a", work: work)
        }
        await #expect(throws: ImageError.cancelled) { try await task.value }
        #expect(runs.all.isEmpty)
    }

    @Test func `racing cancels and results end each waiter once and leave no task`() async throws {
        await gate.open()
        for round in 0..<300 {
            let waiters = (0..<4).map { _ in waiter(answer: round) }
            waiters[round % 4].cancel()
            if round.isMultiple(of: 3) { waiters[(round + 1) % 4].cancel() }
            for waiter in waiters {
                switch await waiter.result {
                case .success(let answer): #expect(answer == round)
                case .failure(let error): #expect(error as? ImageError == .cancelled)
                }
            }
            #expect(joined.waiterCount(for: "a") == 0)
        }
    }

    @Test func `events reach current waiters and not those that left`() async throws {
        let (joined, gate) = (joined, gate)
        let heard = [Recorder<Int>(), Recorder<Int>()]
        let tasks = heard.map { recorder in
            Task {
                try await joined.value(for: "a", onEvent: recorder.add) { sharing in
                    await gate.pass()
                    sharing.send(1)
                    sharing.send(2)
                    return 0
                }
            }
        }
        await untilJoined(2)
        tasks[0].cancel()
        _ = await tasks[0].result
        await gate.open()
        _ = try await tasks[1].value
        #expect(heard.map(\.all) == [[], [1, 2]])
    }

    // MARK: Values before their store

    private let request = LoadRequest(
        source: .network(URL(filePath: "/a")), options: ImageOptions(), cache: ImageCache(disk: nil))

    /// Work that publishes 1, and returns 2 after the gate if somebody waits for the store.
    private func publishingWork() -> Work.Work {
        { [runs, gate] sharing in
            await gate.pass()
            guard sharing.publish(1) != nil else { return 1 }
            runs.add("stores")
            await gate.pass()
            return 2
        }
    }

    private func publishedWaiter(stores: Bool) -> Task<Int, any Error> {
        let (joined, work, request) = (joined, publishingWork(), request)
        return Task { try await joined.value(for: "a", storing: stores ? request : nil, work: work) }
    }

    @Test func `a waiter that does not wait for the store gets the published value`() async throws {
        let (early, late) = (publishedWaiter(stores: false), publishedWaiter(stores: true))
        await untilJoined(2)
        await gate.open()
        #expect(try await early.value == 1)
        #expect(try await late.value == 2)
        #expect(runs.all == ["stores"])
    }

    @Test func `the store is skipped if no waiter waits for it`() async throws {
        let waiters = [publishedWaiter(stores: false), publishedWaiter(stores: false)]
        await untilJoined(2)
        await gate.open()
        for waiter in waiters { #expect(try await waiter.value == 1) }
        #expect(runs.all.isEmpty && joined.waiterCount(for: "a") == 0)
    }

    @Test func `the task continues for a waiter of the store after its first waiter left`() async throws {
        let early = publishedWaiter(stores: false)
        await untilJoined(1)
        let late = publishedWaiter(stores: true)
        await untilJoined(2)
        early.cancel()
        _ = await early.result
        await gate.open()
        #expect(try await late.value == 2)
    }

    @Test func `a waiter that joins during the store gets the published value at once`() async throws {
        let inStore = Gate()
        let (joined, request) = (joined, request)
        let first = Task {
            try await joined.value(for: "a", storing: request) { sharing in
                _ = sharing.publish(1)
                await inStore.pass()
                return 2
            }
        }
        await inStore.untilArrived()
        let second = try await joined.value(for: "a") { _ in 9 }
        #expect(second == 1)
        await inStore.open()
        #expect(try await first.value == 2)
    }
}
