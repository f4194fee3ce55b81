import Testing

@testable import AlcedoDemoServer

@Suite(.timeLimit(.minutes(1))) struct PacingTests {
    @Test func `a body is sent in twenty pieces a second`() {
        let pacing = Pacing(bytesPerSecond: 200_000)
        #expect(pacing.piece == 10_000)
        #expect(pacing.pause == .milliseconds(50))
    }

    @Test func `slow rates send fewer pieces instead of smaller ones`() {
        let pacing = Pacing(bytesPerSecond: 256)
        #expect(pacing.piece == 512)
        #expect(pacing.pause == .seconds(2))
    }

    @Test(arguments: [nil, 0, -1] as [Int?])
    func `without a rate there is no pause`(rate: Int?) {
        #expect(Pacing(bytesPerSecond: rate).pause == .zero)
    }
}
