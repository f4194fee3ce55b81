import Testing

@testable import DemoServer

@Suite struct PacingTests {
    @Test func twentyPiecesASecond() {
        let pacing = Pacing(bytesPerSecond: 200_000)
        #expect(pacing.piece == 10_000)
        #expect(pacing.pause == .milliseconds(50))
    }

    @Test func slowRatesSendFewerPiecesNotSmallerOnes() {
        let pacing = Pacing(bytesPerSecond: 256)
        #expect(pacing.piece == 512)
        #expect(pacing.pause == .seconds(2))
    }

    @Test(arguments: [nil, 0, -1] as [Int?])
    func noRateMeansNoPause(rate: Int?) {
        #expect(Pacing(bytesPerSecond: rate).pause == .zero)
    }
}
