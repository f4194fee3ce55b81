import TestSupport
import Testing

@testable import ImageLoading

struct AdmissionStateTests {
    @Test func placesAreGivenUpToTheLimitAndOnFromOneWhoLeaves() {
        var state = AdmissionState<Int>(limit: 2, limitPerHost: 9)
        #expect(state.enqueue(1, host: "a", priority: 0.5) == [1])
        #expect(state.enqueue(2, host: "a", priority: 0.5) == [2])
        #expect(state.enqueue(3, host: "a", priority: 0.5) == [])
        #expect(state.leave(1) == [3])
        #expect(state.leave(2) == [])
    }

    @Test func aFullHostDoesNotHoldUpTheOthers() {
        var state = AdmissionState<Int>(limit: 3, limitPerHost: 1)
        #expect(state.enqueue(1, host: "a", priority: 0.5) == [1])
        #expect(state.enqueue(2, host: "a", priority: 0.5) == [])
        #expect(state.enqueue(3, host: "b", priority: 0.5) == [3])
        #expect(state.leave(1) == [2])
    }

    @Test func theHigherPriorityGoesFirstAndWithinOneTheFirstComer() {
        var state = AdmissionState<Int>(limit: 1, limitPerHost: 1)
        _ = state.enqueue(0, host: "a", priority: 0.5)
        for (ticket, priority) in [(1, 0.0), (2, 0.5), (3, 1.0), (4, 0.5), (5, 1.0)] {
            #expect(state.enqueue(ticket, host: "a", priority: priority) == [])
        }
        var order: [Int] = []
        for last in [0, 3, 5, 2, 4] { order += state.leave(last) }
        #expect(order == [3, 5, 2, 4, 1])
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -5, 7])
    func aPriorityThatMakesNoSenseIsTakenForOneThatDoes(priority: Double) {
        var state = AdmissionState<Int>(limit: 1, limitPerHost: 1)
        #expect(state.enqueue(1, host: "a", priority: priority) == [1])
    }

    @Test func whoLeavesTheQueueIsNeverLetIn() {
        var state = AdmissionState<Int>(limit: 1, limitPerHost: 1)
        _ = state.enqueue(1, host: "a", priority: 0.5)
        _ = state.enqueue(2, host: "a", priority: 0.5)
        _ = state.enqueue(3, host: "a", priority: 0.5)
        #expect(state.leave(2) == [])
        #expect(state.leave(1) == [3])
    }

    @Test func limitsBelowOneAreOne() {
        var state = AdmissionState<Int>(limit: 0, limitPerHost: -3)
        #expect(state.enqueue(1, host: "a", priority: 0.5) == [1])
        #expect(state.enqueue(2, host: "b", priority: 0.5) == [])
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func noLimitIsEverPassedAndEveryoneGetsInOnce(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var state = AdmissionState<Int>(limit: 4, limitPerHost: 2)
        var hosts: [Int: String] = [:]
        var running: Set<Int> = []
        var admitted: [Int] = []
        for ticket in 0..<500 {
            hosts[ticket] = "h\(Int.random(in: 0..<4, using: &random))"
            var started = state.enqueue(
                ticket, host: hosts[ticket] ?? "", priority: Double.random(in: 0...1, using: &random))
            if Bool.random(using: &random), let leaver = running.min() {
                running.remove(leaver)
                started += state.leave(leaver)
            }
            admitted += started
            running.formUnion(started)
            #expect(running.count <= 4)
            #expect(Dictionary(grouping: running) { hosts[$0] }.values.allSatisfy { $0.count <= 2 })
        }
        while let leaver = running.min() {
            running.remove(leaver)
            let started = state.leave(leaver)
            admitted += started
            running.formUnion(started)
        }
        #expect(admitted.sorted() == Array(0..<500))
    }
}
