import Raster
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1)))
struct IndicatorTests {
    private func moment(_ elapsed: Duration = .zero, received: Int = 0, of total: Int? = nil) -> IndicatorContext {
        IndicatorContext(elapsed: elapsed, received: received, total: total)
    }

    private func glyph(_ indicator: some Indicator, at elapsed: Duration) -> String? {
        if case .text(let lines) = indicator.frame(moment(elapsed)) { return lines.first }
        return nil
    }

    private func pixels(_ indicator: some Indicator, _ moment: IndicatorContext) -> PixelBuffer? {
        if case .picture(let pixels) = indicator.frame(moment) { return pixels }
        return nil
    }

    @Test(arguments: [
        (0, 100, 0), (999, 1000, 99), (1000, 1000, 100), (2000, 1000, 100), (-5, 1000, 0), (.max, .max, 100),
    ])
    func `a percentage is rounded down and clamped to 0...100`(received: Int, total: Int, expected: Int) {
        #expect(moment(received: received, of: total).percentage == expected)
    }

    @Test(arguments: [nil, 0, -1]) func `without a total there is no percentage`(total: Int?) {
        #expect(moment(received: 10, of: total).percentage == nil)
    }

    @Test(arguments: ActivityIndicator.SpinnerStyle.allCases)
    func `the activity indicator cycles through every glyph`(style: ActivityIndicator.SpinnerStyle) {
        let indicator = ActivityIndicator(style, interval: .milliseconds(100))
        let count = style.glyphs.count
        let seen = (0...count).compactMap { glyph(indicator, at: .milliseconds($0 * 100 + 99)) }
        #expect(seen == style.glyphs + [style.glyphs[0]])
        #expect(indicator.interval == .milliseconds(100))
    }

    @Test(arguments: [Duration.seconds(-5), .seconds(Int64.max / 4)])
    func `extreme times do not trap`(elapsed: Duration) {
        #expect(glyph(ActivityIndicator(interval: .zero), at: elapsed) != nil)
        #expect(pixels(RingIndicator(), moment(elapsed)) != nil)
    }

    @Test func `an animated indicator cycles through its frames, a still one does not change`() {
        let frames = (0..<3).map {
            PixelBuffer(size: PixelSize(width: 1, height: 1), filledWith: Color(red: UInt8($0), green: 0, blue: 0))
        }
        let moving = PictureIndicator(frames: frames, interval: .milliseconds(10))
        let shown = [0, 9, 10, 25, 30].compactMap { pixels(moving, moment(.milliseconds($0)))?[0, 0].red }
        #expect(shown == [0, 0, 1, 2, 0])
        #expect(PictureIndicator(frames[1]).interval == nil)
        #expect(PictureIndicator(frames: []).frame(moment()) == .nothing)
        #expect(NoIndicator().frame(moment()) == .nothing)
    }

    /// Counts the pixels whose colour is nearer to the ring's than to its track's.
    private func closed(_ percentage: Int) -> Double {
        let ring = RingIndicator(color: .white, track: .black, diameter: 64)
        guard let pixels = pixels(ring, moment(received: percentage, of: 100)) else { return -1 }
        let band = (0..<64 * 64).map { pixels[$0 % 64, $0 / 64] }.filter { $0.alpha > 127 }
        return Double(band.count { $0.red > 127 }) / Double(band.count)
    }

    @Test(arguments: [0, 1, 25, 50, 73, 99, 100]) func `the ring is closed in proportion to the received bytes`(
        percentage: Int
    ) {
        #expect(abs(closed(percentage) - Double(percentage) / 100) < 0.015)
    }

    @Test func `the ring closes clockwise from the top`() throws {
        let ring = RingIndicator(color: .white, track: .black, diameter: 64)
        let quarter = try #require(pixels(ring, moment(received: 25, of: 100)))
        #expect(quarter[50, 11].red == 255)
        #expect(quarter[13, 11].red == 0)
        #expect(quarter[32, 32].alpha == 0)
        #expect(quarter[0, 0].alpha == 0)
    }

    @Test func `without a total a quarter ring rotates`() throws {
        let ring = RingIndicator(color: .white, track: .black, diameter: 64)
        let start = try #require(pixels(ring, moment()))
        let later = try #require(pixels(ring, moment(.milliseconds(600))))
        #expect(start[50, 11].red == 255)
        #expect(later[50, 11].red == 0)
        #expect(later[13, 52].red == 255)
    }
}
