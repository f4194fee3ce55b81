import Raster
import TerminalGraphics
import Testing

@Suite(.timeLimit(.minutes(1))) struct PlaybackRateControllerTests {
    @Test func `a fast terminal gets twenty frames a second`() {
        var pace = PlaybackRateController()
        #expect(pace.nextFrame == .zero)
        pace.didSend(at: .milliseconds(100))
        #expect(pace.nextFrame == nil)
        pace.didAcknowledge(at: .milliseconds(110))
        #expect(pace.nextFrame == .milliseconds(150))
        #expect(pace.reduction == 0)
    }

    @Test func `a slow terminal gets the next frame when it has acknowledged the last`() {
        var pace = PlaybackRateController()
        pace.didSend(at: .zero)
        pace.didAcknowledge(at: .milliseconds(70))
        #expect(pace.nextFrame == .milliseconds(70))
    }

    @Test func `over a slow link frames shrink until they keep up`() {
        var pace = PlaybackRateController()
        // A million bytes at full size, 4 MB a second.
        play(&pace, frames: 20) { reduction in .milliseconds(250) / (1 << (2 * reduction)) }
        #expect(pace.reduction == 1)
        #expect(pace.isFluent)
        #expect(pace.size(of: PixelSize(width: 801, height: 1)) == PixelSize(width: 400, height: 1))
    }

    @Test func `over a faster link frames grow again`() {
        var pace = PlaybackRateController()
        play(&pace, frames: 20) { reduction in .milliseconds(900) / (1 << (2 * reduction)) }
        #expect(pace.reduction == 2)
        play(&pace, frames: 40) { reduction in .milliseconds(30) / (1 << (2 * reduction)) }
        #expect(pace.reduction == 0)
    }

    @Test func `a distant terminal gets full-size frames if smaller ones do not help`() {
        var pace = PlaybackRateController()
        play(&pace, frames: 20) { _ in .milliseconds(180) }
        #expect(pace.reduction == 0)
        #expect(pace.isFluent)
    }

    @Test func `over a very slow link playback is not fluent`() {
        var pace = PlaybackRateController()
        play(&pace, frames: 20) { reduction in .seconds(30) / (1 << (2 * reduction)) }
        #expect(!pace.isFluent)
    }

    @Test func `an unexpected acknowledgement changes nothing`() {
        var pace = PlaybackRateController()
        pace.didAcknowledge(at: .seconds(9))
        #expect(pace == PlaybackRateController())
    }

    @Test func `the frame rate is clamped`() {
        #expect(PlaybackRateController(framesPerSecond: 0).interval == .seconds(1))
        #expect(PlaybackRateController(framesPerSecond: 1000).interval == .seconds(1) / 120)
        #expect(PlaybackRateController().size(of: .zero) == .zero)
    }

    /// Frames one after the other, each taking the time that its reduction has.
    private func play(_ pace: inout PlaybackRateController, frames: Int, time: (Int) -> Duration) {
        var now = pace.nextFrame ?? .zero
        for _ in 0..<frames {
            now = max(now, pace.nextFrame ?? .zero)
            pace.didSend(at: now)
            now += time(pace.reduction)
            pace.didAcknowledge(at: now)
        }
    }
}
