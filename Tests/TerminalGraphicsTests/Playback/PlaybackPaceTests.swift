import Raster
import TerminalGraphics
import Testing

@Suite struct PlaybackPaceTests {
    @Test func aFastTerminalGetsTwentyFramesASecond() {
        var pace = PlaybackPace()
        #expect(pace.nextFrame == .zero)
        pace.sent(at: .milliseconds(100))
        #expect(pace.nextFrame == nil)
        pace.acknowledged(at: .milliseconds(110))
        #expect(pace.nextFrame == .milliseconds(150))
        #expect(pace.reduction == 0)
    }

    @Test func aSlowTerminalGetsTheNextFrameWhenItHasTakenTheLast() {
        var pace = PlaybackPace()
        pace.sent(at: .zero)
        pace.acknowledged(at: .milliseconds(70))
        #expect(pace.nextFrame == .milliseconds(70))
    }

    @Test func overASlowLinkFramesGetSmallerUntilTheyKeepUp() {
        var pace = PlaybackPace()
        // A million bytes at full size, 4 MB a second.
        play(&pace, frames: 20) { reduction in .milliseconds(250) / (1 << (2 * reduction)) }
        #expect(pace.reduction == 1)
        #expect(pace.isFluent)
        #expect(pace.size(of: PixelSize(width: 801, height: 1)) == PixelSize(width: 400, height: 1))
    }

    @Test func whenTheLinkIsFasterAgainFramesGrow() {
        var pace = PlaybackPace()
        play(&pace, frames: 20) { reduction in .milliseconds(900) / (1 << (2 * reduction)) }
        #expect(pace.reduction == 2)
        play(&pace, frames: 40) { reduction in .milliseconds(30) / (1 << (2 * reduction)) }
        #expect(pace.reduction == 0)
    }

    @Test func aDistantTerminalIsNotSentSmallerFramesInVain() {
        var pace = PlaybackPace()
        play(&pace, frames: 20) { _ in .milliseconds(180) }
        #expect(pace.reduction == 0)
        #expect(pace.isFluent)
    }

    @Test func motionIsNotWorthTheWhileOverAVerySlowLink() {
        var pace = PlaybackPace()
        play(&pace, frames: 20) { reduction in .seconds(30) / (1 << (2 * reduction)) }
        #expect(!pace.isFluent)
    }

    @Test func anUnexpectedAcknowledgementChangesNothing() {
        var pace = PlaybackPace()
        pace.acknowledged(at: .seconds(9))
        #expect(pace == PlaybackPace())
    }

    @Test func thePaceIsClamped() {
        #expect(PlaybackPace(framesPerSecond: 0).interval == .seconds(1))
        #expect(PlaybackPace(framesPerSecond: 1000).interval == .seconds(1) / 120)
        #expect(PlaybackPace().size(of: .zero) == .zero)
    }

    /// Frames one after the other, each taking the time that its reduction has.
    private func play(_ pace: inout PlaybackPace, frames: Int, time: (Int) -> Duration) {
        var now = pace.nextFrame ?? .zero
        for _ in 0..<frames {
            now = max(now, pace.nextFrame ?? .zero)
            pace.sent(at: now)
            now += time(pace.reduction)
            pace.acknowledged(at: now)
        }
    }
}
