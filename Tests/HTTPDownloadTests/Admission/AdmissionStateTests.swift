import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct AdmissionStateTests {
    private func limits(_ all: Int, perHost: Int, streams: Int = 32) -> DownloadLimits {
        var limits = DownloadLimits()
        (limits.concurrent, limits.concurrentPerHost, limits.streamsPerHost) = (all, perHost, streams)
        return limits
    }

    @Test func `a leaving transfer's place goes to the next waiter`() {
        var state = AdmissionState(limits: limits(2, perHost: 9))
        #expect(state.enqueue(1, host: "a", priority: 0.5) == [1])
        #expect(state.enqueue(2, host: "a", priority: 0.5) == [2])
        #expect(state.enqueue(3, host: "a", priority: 0.5) == [])
        #expect(state.remove(1) == [3])
        #expect(state.remove(2) == [])
    }

    @Test func `a host at its limit does not block other hosts`() {
        var state = AdmissionState(limits: limits(3, perHost: 1))
        #expect(state.enqueue(1, host: "a", priority: 0.5) == [1])
        #expect(state.enqueue(2, host: "a", priority: 0.5) == [])
        #expect(state.enqueue(3, host: "b", priority: 0.5) == [3])
        #expect(state.remove(1) == [2])
    }

    @Test func `a higher priority goes first, and equal priorities in order of arrival`() {
        var state = AdmissionState(limits: limits(1, perHost: 1))
        _ = state.enqueue(0, host: "a", priority: 0.5)
        for (ticket, priority) in [(1, 0.0), (2, 0.5), (3, 1.0), (4, 0.5), (5, 1.0)] {
            #expect(state.enqueue(ticket, host: "a", priority: priority) == [])
        }
        var order: [Int] = []
        for last in [0, 3, 5, 2, 4] { order += state.remove(last) }
        #expect(order == [3, 5, 2, 4, 1])
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -5, 7])
    func `an out-of-range priority is clamped`(priority: Double) {
        var state = AdmissionState(limits: limits(1, perHost: 1))
        #expect(state.enqueue(1, host: "a", priority: priority) == [1])
    }

    @Test func `a waiter that left the queue is never admitted`() {
        var state = AdmissionState(limits: limits(1, perHost: 1))
        _ = state.enqueue(1, host: "a", priority: 0.5)
        _ = state.enqueue(2, host: "a", priority: 0.5)
        _ = state.enqueue(3, host: "a", priority: 0.5)
        #expect(state.remove(2) == [])
        #expect(state.remove(1) == [3])
    }

    @Test func `a raised waiter goes to the end of its new priority`() {
        var state = AdmissionState(limits: limits(1, perHost: 1))
        _ = state.enqueue(0, host: "a", priority: 0.5)
        for (ticket, priority) in [(1, 0.5), (2, 0.5), (3, 0.5), (4, 1.0)] {
            _ = state.enqueue(ticket, host: "a", priority: priority)
        }
        state.move(3, to: 1)
        state.move(1, to: 0)
        state.move(2, to: 0.5)
        state.move(99, to: 1)
        var order: [Int] = []
        for last in [0, 4, 3, 2] { order += state.remove(last) }
        #expect(order == [4, 3, 2, 1])
    }

    @Test func `a waiter whose priority class is unchanged keeps its place`() {
        var state = AdmissionState(limits: limits(1, perHost: 1))
        for ticket in 0...2 { _ = state.enqueue(ticket, host: "a", priority: 0.5) }
        state.move(1, to: 0.55)
        #expect(state.remove(0) == [1])
    }

    @Test func `raising a running transfer changes nothing`() {
        var state = AdmissionState(limits: limits(1, perHost: 1))
        _ = state.enqueue(0, host: "a", priority: 0.5)
        _ = state.enqueue(1, host: "a", priority: 0.5)
        state.move(0, to: 1)
        #expect(state.remove(0) == [1])
    }

    @Test func `a transfer that changes its host releases its place and is first in line`() {
        var state = AdmissionState(limits: limits(9, perHost: 1))
        #expect(state.enqueue(1, host: "a", priority: 0) == [1])
        #expect(state.enqueue(2, host: "b", priority: 1) == [2])
        #expect(state.enqueue(3, host: "a", priority: 1) == [])
        #expect(state.enqueue(4, host: "b", priority: 1) == [])
        #expect(state.change(1, to: "b") == [3])
        #expect(state.remove(2) == [1])
        #expect(state.change(1, to: "c") == [1, 4])
        #expect(state.change(99, to: "a") == [])
    }

    @Test func `a multiplexed host admits as many transfers as streams`() {
        var state = AdmissionState(limits: limits(9, perHost: 2, streams: 4))
        for ticket in 0..<6 { _ = state.enqueue(ticket, host: "a", isSecure: true, priority: 0.5) }
        #expect(state.learn("b", isMultiplexed: true) == [])
        #expect(state.learn("a", isMultiplexed: true) == [1, 2, 3])
        #expect(state.enqueue(6, host: "a", priority: 1) == [])
        #expect(state.remove(0) == [4])
        #expect(state.learn("a", isMultiplexed: false) == [])
        #expect(state.remove(1) == [])
    }

    @Test func `limits below one count as one`() {
        var state = AdmissionState(limits: limits(0, perHost: -3))
        #expect(state.enqueue(1, host: "a", priority: 0.5) == [1])
        #expect(state.enqueue(2, host: "b", priority: 0.5) == [])
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `no limit is exceeded and every transfer is admitted once`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let limits = limits(4, perHost: 2, streams: 3)
        let places = { (host: String) in host == "h2" ? 3 : 2 }
        var state = AdmissionState(limits: limits)
        var hosts: [Int: String] = [:]
        var running: Set<Int> = []
        var admitted: [Int] = []
        for ticket in 0..<500 {
            hosts[ticket] = "h\(Int.random(in: 0..<4, using: &random))"
            var started = state.enqueue(
                ticket, host: hosts[ticket] ?? "", isSecure: hosts[ticket] == "h2",
                priority: Double.random(in: 0...1, using: &random))
            if Bool.random(using: &random), let leaver = running.min() {
                running.remove(leaver)
                started += state.remove(leaver)
            }
            started += state.learn("h2", isMultiplexed: true)
            admitted += started
            running.formUnion(started)
            let counts = Dictionary(grouping: running) { hosts[$0] ?? "" }.mapValues(\.count)
            #expect(counts.reduce(0) { $0 + $1.value } <= 4)
            #expect(counts.allSatisfy { $1 <= places($0) })
        }
        while let leaver = running.min() {
            running.remove(leaver)
            let started = state.remove(leaver)
            admitted += started
            running.formUnion(started)
        }
        #expect(admitted.sorted() == Array(0..<500))
    }

    @Test func `the first TLS transfer to a host runs alone until it is connected`() {
        var state = AdmissionState(limits: limits(9, perHost: 3))
        #expect(state.enqueue(1, host: "a", isSecure: true, priority: 0.5) == [1])
        #expect(state.enqueue(2, host: "a", isSecure: true, priority: 0.5) == [])
        #expect(state.enqueue(3, host: "b", isSecure: true, priority: 0.5) == [3])
        #expect(state.enqueue(4, host: "c", priority: 0.5) == [4])
        #expect(state.enqueue(5, host: "c", priority: 0.5) == [5])
        #expect(state.didConnect("a") == [2])
        #expect(state.didConnect("a") == [])
        #expect(state.enqueue(6, host: "a", isSecure: true, priority: 0.5) == [6])
        #expect(state.enqueue(7, host: "a", isSecure: true, priority: 0.5) == [])
    }

    @Test func `after a first transfer that failed to connect the others run concurrently`() {
        var state = AdmissionState(limits: limits(9, perHost: 3))
        for ticket in 1...5 { _ = state.enqueue(ticket, host: "a", isSecure: true, priority: 0.5) }
        #expect(state.remove(1) == [2, 3, 4])
    }
}
