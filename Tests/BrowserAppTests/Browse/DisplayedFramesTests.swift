import AlcedoBrowserCore
import AlcedoScreen
import ImageLoading
import Raster
import TerminalGraphics
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@MainActor @Suite(.timeLimit(.minutes(1))) struct DisplayedFramesTests {
    private let id = PictureID(1)
    private let picture = DecodedPicture(
        PixelBuffer(size: PixelSize(width: 2, height: 2), filledWith: .white), name: "a")
    private let encoder = PictureEncoder(protocol: .blocks(.truecolor))
    private var frames = DisplayedFrames()

    private func request(_ appearance: EncodeRequest.Appearance) -> EncodeRequest {
        EncodeRequest(id, picture, appearance, reducedTo: picture.pixels.size, encoder: encoder)
    }

    private func step(_ number: Int) -> EncodeRequest { request(.step(.fade, from: nil, number)) }

    private mutating func offer(_ request: EncodeRequest) async {
        frames.offer(await encoder.encode(picture.pixels), for: request)
    }

    @Test mutating func `there is no frame before one is offered`() async {
        #expect(frames.frame(of: id, isBusy: false) == nil)
        await offer(request(.still))
        let first = frames.frame(of: id, isBusy: false)
        let second = frames.frame(of: id, isBusy: false)
        #expect(first?.isNew == true && second?.isNew == false)
        #expect(first?.frame.generation == second?.frame.generation)
    }

    @Test mutating func `offering the same frame again does not make it new`() async {
        await offer(request(.still))
        let first = frames.frame(of: id, isBusy: false)
        await offer(request(.still))
        #expect(frames.frame(of: id, isBusy: false)?.frame.generation == first?.frame.generation)
    }

    @Test mutating func `a new animation frame does not interrupt the frame being sent`() async {
        await offer(step(1))
        let first = frames.frame(of: id, isBusy: false)
        await offer(step(2))
        #expect(frames.frame(of: id, isBusy: true)?.frame.generation == first?.frame.generation)
        #expect(frames.frame(of: id, isBusy: false)?.isNew == true)
    }

    @Test mutating func `a new picture interrupts the frame being sent`() async {
        await offer(step(1))
        let first = frames.frame(of: id, isBusy: false)
        await offer(request(.still))
        #expect(frames.frame(of: id, isBusy: true)?.frame.generation != first?.frame.generation)
    }

    @Test mutating func `a transition step offered after the whole picture is ignored`() async {
        await offer(request(.still))
        let whole = frames.frame(of: id, isBusy: false)
        await offer(step(3))
        #expect(frames.frame(of: id, isBusy: false)?.frame.generation == whole?.frame.generation)
    }
}
