import BrowserCore
import ImageLoading
import Raster
import TerminalGraphics
import Testing

@testable import BrowserApp

@MainActor @Suite struct StandingFramesTests {
    private let id = PictureID(1)
    private let picture = HeldPicture(PixelBuffer(size: PixelSize(width: 2, height: 2), filledWith: .white), name: "a")
    private let encoder = PictureEncoder(protocol: .blocks(.truecolor))
    private var frames = StandingFrames()

    private func wish(_ look: FrameWish.Look) -> FrameWish {
        FrameWish(id, picture, look, reducedTo: picture.pixels.size, encoder: encoder)
    }

    private func step(_ number: Int) -> FrameWish { wish(.step(.fade, from: nil, number)) }

    private mutating func offer(_ wish: FrameWish) async {
        frames.offer(await encoder.encode(picture.pixels), for: wish)
    }

    @Test mutating func nothingStandsBeforeItIsOffered() async {
        #expect(frames.frame(of: id, isBusy: false) == nil)
        await offer(wish(.still))
        let first = frames.frame(of: id, isBusy: false)
        let second = frames.frame(of: id, isBusy: false)
        #expect(first?.isNew == true && second?.isNew == false)
        #expect(first?.frame.generation == second?.frame.generation)
    }

    @Test mutating func theSameFrameOfferedAgainIsNotNew() async {
        await offer(wish(.still))
        let first = frames.frame(of: id, isBusy: false)
        await offer(wish(.still))
        #expect(frames.frame(of: id, isBusy: false)?.frame.generation == first?.frame.generation)
    }

    @Test mutating func aMovingFrameCutsNoOther() async {
        await offer(step(1))
        let first = frames.frame(of: id, isBusy: false)
        await offer(step(2))
        #expect(frames.frame(of: id, isBusy: true)?.frame.generation == first?.frame.generation)
        #expect(frames.frame(of: id, isBusy: false)?.isNew == true)
    }

    @Test mutating func thePictureItselfDoes() async {
        await offer(step(1))
        let first = frames.frame(of: id, isBusy: false)
        await offer(wish(.still))
        #expect(frames.frame(of: id, isBusy: true)?.frame.generation != first?.frame.generation)
    }

    @Test mutating func aStepThatComesTooLateIsLeftOut() async {
        await offer(wish(.still))
        let whole = frames.frame(of: id, isBusy: false)
        await offer(step(3))
        #expect(frames.frame(of: id, isBusy: false)?.frame.generation == whole?.frame.generation)
    }
}
