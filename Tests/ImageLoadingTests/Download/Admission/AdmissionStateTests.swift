import TestSupport
import Testing

@testable import ImageLoading

struct AdmissionStateTests {
    private func limits(_ all: Int, perHost: Int, streams: Int = 32) -> DownloadLimits {
        var limits = DownloadLimits()
        (limits.concurrent, limits.concurrentPerHost, limits.streamsPerHost) = (all, perHost, streams)
        return limits
    }

    @Test func placesAreGivenUpToTheLimitAndOnFromOneWhoLeaves() {
        var state = AdmissionState<Int>(limits: limits(2, perHost: 9))
        #expect(state.enqueue(1, host: "a", priority: 0.5) == [1])
        #expect(state.enqueue(2, host: "a", priority: 0.5) == [2])
        #expect(state.enqueue(3, host: "a", priority: 0.5) == [])
        #expect(state.leave(1) == [3])
        #expect(state.leave(2) == [])
    }

    @Test func aFullHostDoesNotHoldUpTheOthers() {
        var state = AdmissionState<Int>(limits: limits(3, perHost: 1))
        #expect(state.enqueue(1, host: "a", priority: 0.5) == [1])
        #expect(state.enqueue(2, host: "a", priority: 0.5) == [])
        #expect(state.enqueue(3, host: "b", priority: 0.5) == [3])
        #expect(state.leave(1) == [2])
    }

    @Test func theHigherPriorityGoesFirstAndWithinOneTheFirstComer() {
        var state = AdmissionState<Int>(limits: limits(1, perHost: 1))
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
        var state = AdmissionState<Int>(limits: limits(1, perHost: 1))
        #expect(state.enqueue(1, host: "a", priority: priority) == [1])
    }

    @Test func whoLeavesTheQueueIsNeverLetIn() {
        var state = AdmissionState<Int>(limits: limits(1, perHost: 1))
        _ = state.enqueue(1, host: "a", priority: 0.5)
        _ = state.enqueue(2, host: "a", priority: 0.5)
        _ = state.enqueue(3, host: "a", priority: 0.5)
        #expect(state.leave(2) == [])
        #expect(state.leave(1) == [3])
    }

    @Test func aRaisedOneGoesToTheEndOfItsNewPriority() {
        var state = AdmissionState<Int>(limits: limits(1, perHost: 1))
        _ = state.enqueue(0, host: "a", priority: 0.5)
        for (ticket, priority) in [(1, 0.5), (2, 0.5), (3, 0.5), (4, 1.0)] {
            _ = state.enqueue(ticket, host: "a", priority: priority)
        }
        state.move(3, to: 1)
        state.move(1, to: 0)
        state.move(2, to: 0.5)
        state.move(99, to: 1)
        var order: [Int] = []
        for last in [0, 4, 3, 2] { order += state.leave(last) }
        #expect(order == [4, 3, 2, 1])
    }

    @Test func oneThatStaysInItsPriorityKeepsItsPlace() {
        var state = AdmissionState<Int>(limits: limits(1, perHost: 1))
        for ticket in 0...2 { _ = state.enqueue(ticket, host: "a", priority: 0.5) }
        state.move(1, to: 0.55)
        #expect(state.leave(0) == [1])
    }

    @Test func movingOneThatRunsChangesNothing() {
        var state = AdmissionState<Int>(limits: limits(1, perHost: 1))
        _ = state.enqueue(0, host: "a", priority: 0.5)
        _ = state.enqueue(1, host: "a", priority: 0.5)
        state.move(0, to: 1)
        #expect(state.leave(0) == [1])
    }

    @Test func oneThatChangesItsHostGivesItsPlaceBackAndIsFirstInLine() {
        var state = AdmissionState<Int>(limits: limits(9, perHost: 1))
        #expect(state.enqueue(1, host: "a", priority: 0) == [1])
        #expect(state.enqueue(2, host: "b", priority: 1) == [2])
        #expect(state.enqueue(3, host: "a", priority: 1) == [])
        #expect(state.enqueue(4, host: "b", priority: 1) == [])
        #expect(state.change(1, to: "b") == [3])
        #expect(state.leave(2) == [1])
        #expect(state.change(1, to: "c") == [1, 4])
        #expect(state.change(99, to: "a") == [])
    }

    @Test func aHostThatCarriesManyOnOneConnectionTakesMore() {
        var state = AdmissionState<Int>(limits: limits(9, perHost: 2, streams: 4))
        for ticket in 0..<6 { _ = state.enqueue(ticket, host: "a", isSecure: true, priority: 0.5) }
        #expect(state.learn("b", .multiplexed) == [])
        #expect(state.learn("a", .multiplexed) == [2, 3])
        #expect(state.enqueue(6, host: "a", priority: 1) == [])
        #expect(state.leave(0) == [4])
        #expect(state.learn("a", .pooled) == [])
        #expect(state.leave(1) == [])
    }

    /// A state in which `ready` may wait for a host's connections, and two transfers to a host run.
    private func busy(_ concurrent: Int, ready: Int) -> AdmissionState<Int> {
        var limits = limits(concurrent, perHost: 2)
        limits.readyPerHost = ready
        var state = AdmissionState<Int>(limits: limits)
        for ticket in 1...2 { _ = state.enqueue(ticket, host: "a", priority: 0.5) }
        return state
    }

    @Test func aFewMoreWaitForTheConnectionsOfABusyHost() {
        var state = busy(9, ready: 2)
        for ticket in 3...6 { #expect(state.enqueue(ticket, host: "a", priority: 0.5) == []) }
        #expect(state.learn("a", .pooled) == [3, 4])
        #expect(state.leave(1) == [5])
        #expect(state.leave(3) == [6])
        #expect(state.leave(2) == [])
    }

    @Test func thoseThatWaitedCountForAllHostsOnceNobodyCanWaitAnyMore() {
        // Given places for three in all, of which two are taken, and one that waits for a connection
        var state = busy(3, ready: 1)
        #expect(state.learn("a", .pooled) == [])
        #expect(state.enqueue(3, host: "a", priority: 0.5) == [3])
        // When connections to its host are refused
        #expect(state.learn("a", .limited) == [])
        // Then it takes the third place
        #expect(state.enqueue(4, host: "b", priority: 0.5) == [])
        #expect(state.leave(1) == [4])
    }

    @Test func nobodyWaitsForConnectionsThatCarryOthersToo() {
        var state = busy(2, ready: 2)
        #expect(state.learn("a", .shared) == [])
        #expect(state.enqueue(3, host: "a", priority: 0.5) == [])
    }

    @Test func whoIsReadyTakesNoPlaceOfTheOthersAndNoneIsWhileTheyWait() {
        // Given one that is ready
        var state = busy(3, ready: 1)
        _ = state.learn("a", .pooled)
        #expect(state.enqueue(3, host: "a", priority: 1) == [3])
        // Then another host has the third place
        #expect(state.enqueue(4, host: "b", priority: 0.5) == [4])
        // And one that waits for it goes before the next that would be ready, once that has its connection
        #expect(state.enqueue(5, host: "b", priority: 0.5) == [])
        #expect(state.leave(1) == [])
        #expect(state.enqueue(6, host: "a", priority: 1) == [])
        #expect(state.leave(2) == [6])
        #expect(state.leave(4) == [5])
    }

    @Test func nobodyIsReadyAtAHostThatRefusedAConnectionWhileItIsBusy() {
        var state = busy(9, ready: 1)
        #expect(state.enqueue(3, host: "a", priority: 0.5) == [])
        #expect(state.learn("a", .limited) + state.learn("a", .pooled) == [])
        // When it was idle, it is a host like others
        #expect(state.leave(1) + state.leave(2) + state.leave(3) == [3])
        for ticket in 4...6 { _ = state.enqueue(ticket, host: "a", priority: 0.5) }
        #expect(state.learn("a", .pooled) == [6])
    }

    @Test func aHostThatSuddenlyCarriesOneOnEachConnectionMakesNoRoomForOthers() {
        var state = busy(2, ready: 1)
        _ = state.learn("a", .multiplexed)
        #expect(state.enqueue(3, host: "b", priority: 0.5) == [])
        #expect(state.learn("a", .pooled) == [])
    }

    @Test func anIdleHostIsForgotten() {
        var state = busy(9, ready: 1)
        _ = state.learn("a", .pooled)
        #expect(state.leave(1) + state.leave(2) == [])
        #expect((3...5).flatMap { state.enqueue($0, host: "a", priority: 0.5) } == [3, 4])
    }

    @Test func limitsBelowOneAreOne() {
        var state = AdmissionState<Int>(limits: limits(0, perHost: -3))
        #expect(state.enqueue(1, host: "a", priority: 0.5) == [1])
        #expect(state.enqueue(2, host: "b", priority: 0.5) == [])
    }

    @Test(arguments: [1, 2, 3] as [UInt64], [0, 1, 3])
    func noLimitIsEverPassedAndEveryoneGetsInOnce(seed: UInt64, ready: Int) {
        var random = SeededRandom(seed: seed)
        var limits = limits(4, perHost: 2, streams: 3)
        (limits.streamsPerConnection, limits.readyPerHost) = (2, ready)
        let places = { (host: String) in host == "h2" ? 3 : 2 }
        var state = AdmissionState<Int>(limits: limits)
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
                started += state.leave(leaver)
            }
            started += state.learn("h0", .pooled) + state.learn("h1", .pooled) + state.learn("h2", .multiplexed)
            admitted += started
            running.formUnion(started)
            let counts = Dictionary(grouping: running) { hosts[$0] ?? "" }.mapValues(\.count)
            #expect(counts.reduce(0) { $0 + min($1.value, places($1.key)) } <= 4)
            #expect(counts.allSatisfy { $1 <= places($0) + ($0 == "h3" ? 0 : ready) })
        }
        while let leaver = running.min() {
            running.remove(leaver)
            let started = state.leave(leaver)
            admitted += started
            running.formUnion(started)
        }
        #expect(admitted.sorted() == Array(0..<500))
    }

    /// Transfers from 1 on to a host that carries many on one connection.
    private func streams(_ count: Int, perConnection: Int, connections: Int) -> AdmissionState<Int> {
        var limits = limits(32, perHost: connections)
        limits.streamsPerConnection = perConnection
        var state = AdmissionState<Int>(limits: limits)
        _ = state.learn("a", .multiplexed)
        for ticket in 1...count { _ = state.enqueue(ticket, host: "a", isSecure: true, priority: 0.5) }
        return state
    }

    @Test func transfersToAHostOfManyStreamsFillItsConnectionsAFewAtATime() {
        let state = streams(8, perConnection: 3, connections: 2)
        #expect((1...8).map(state.connection) == [0, 0, 0, 1, 1, 1, 0, 1])
    }

    @Test func aPlaceThatGoesFreeOnAConnectionIsTakenBeforeAnotherOne() {
        // Given
        var state = streams(4, perConnection: 2, connections: 6)

        // When
        _ = state.leave(1)
        _ = state.enqueue(5, host: "a", isSecure: true, priority: 0.5)

        // Then
        #expect(state.connection(of: 5) == 0)
        #expect(state.connection(of: 4) == 1)
    }

    /// A host with TLS that takes four on two connections, or four of one transfer each; transfers from 1 on to it.
    private func secure(
        _ count: Int, ready: Int, then connections: HostConnections = .multiplexed
    ) -> AdmissionState<Int> {
        var limits = limits(32, perHost: 4, streams: 4)
        (limits.streamsPerConnection, limits.readyPerHost) = (2, ready)
        var state = AdmissionState<Int>(limits: limits)
        for ticket in 1...count { _ = state.enqueue(ticket, host: "a", isSecure: true, priority: 0.5) }
        _ = state.learn("a", connections)
        return state
    }

    @Test(arguments: [HostConnections.multiplexed, .pooled])
    func whoeverSpeaksTLSIsAskedOverSeveralConnectionsAtOnce(connections: HostConnections) {
        var state = secure(4, ready: 0, then: connections)
        #expect((1...4).map(state.connection) == [0, 0, 1, 1])
        #expect(state.enqueue(5, host: "a", isSecure: true, priority: 0.5) == [])
        #expect(state.leave(3) == [5])
        #expect(state.connection(of: 5) == 1)
    }

    @Test func nobodyWaitsForAConnectionThatCarriesMoreThanItsShare() {
        // Given five on the one connection that there may be, before it is known to carry two
        var limits = limits(32, perHost: 5, streams: 2)
        (limits.streamsPerConnection, limits.readyPerHost) = (5, 1)
        var state = AdmissionState<Int>(limits: limits)
        for ticket in 1...6 { _ = state.enqueue(ticket, host: "a", isSecure: true, priority: 0.5) }
        #expect(state.learn("a", .multiplexed) == [])
        // Then one is ready when it carries no more than that
        #expect(state.leave(1) + state.leave(2) == [])
        #expect(state.leave(3) == [6])
        #expect(state.connection(of: 6) == 0)
    }

    @Test func thoseThatAreReadyWaitForTheConnectionThatFewestWaitFor() {
        // Given two connections with two each, and two that are ready
        var state = secure(2, ready: 2)
        #expect((3...6).flatMap { state.enqueue($0, host: "a", isSecure: true, priority: 0.5) } == [3, 4, 5, 6])
        #expect((1...6).map(state.connection) == [0, 0, 1, 1, 0, 1])
        #expect(state.enqueue(7, host: "a", isSecure: true, priority: 0.5) == [])
        // When one of the second ends, for which one waited
        #expect(state.leave(3) == [7])
        // Then the next one waits for that
        #expect(state.connection(of: 7) == 1)
    }

    @Test func whereNobodyCanWaitAnyMoreThoseThatAreReadyCountAsOthersDo() {
        // Given
        var state = busy(9, ready: 1)
        _ = state.learn("a", .pooled)
        #expect(state.enqueue(3, host: "a", priority: 0.5) == [3])
        #expect(state.enqueue(4, host: "a", priority: 0.5) == [])
        // When
        _ = state.learn("a", .limited)
        // Then three run where two may
        #expect(state.leave(1) == [])
        #expect(state.leave(2) == [4])
    }

    @Test func aHostOfOneTransferAConnectionIsLeftToTheClient() {
        var state = AdmissionState<Int>(limits: limits(32, perHost: 6))
        for ticket in 1...6 { _ = state.enqueue(ticket, host: "a", priority: 0.5) }
        #expect((1...6).allSatisfy { state.connection(of: $0) == 0 })
    }
}
