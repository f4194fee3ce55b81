import Testing

@testable import ImageLoading

@Suite struct StreamGateTests {
    private let gate = StreamGate(limit: 2)
    private let gone = Recorder<Int>()

    /// Whether it goes at once; it is noted when it goes later.
    private func enter(_ number: Int, _ host: String = "a") -> Bool {
        gate.enter(host, as: number) { [gone] in gone.add(number) }
    }

    @Test func asManyGoAsMayAndTheRestInTheirOrderAsOthersLeave() {
        #expect((1...5).map { enter($0) } == [true, true, false, false, false])
        #expect(gate.heldCount == 3)
        for number in [2, 1, 3] { gate.leave("a", as: number) }
        #expect(gone.all == [3, 4, 5])
        #expect(gate.heldCount == 0)
    }

    @Test func whoGivesUpWhileWaitingMakesNoRoom() {
        for number in 1...4 { _ = enter(number) }
        gate.leave("a", as: 3)
        #expect(gone.all == [])
        gate.leave("a", as: 1)
        #expect(gone.all == [4])
    }

    @Test func oneHostWaitsForNoOther() {
        for number in 1...3 { _ = enter(number) }
        #expect(enter(4, "b"))
    }

    @Test func roomThatNobodyTookIsThereLater() {
        for number in 1...2 { _ = enter(number) }
        for number in 1...2 { gate.leave("a", as: number) }
        gate.leave("a", as: 9)
        #expect((3...5).map { enter($0) } == [true, true, false])
    }

    @Test func aLimitBelowOneIsOne() {
        let gate = StreamGate(limit: 0)
        #expect((1...2).map { gate.enter("a", as: $0) {} } == [true, false])
    }
}
