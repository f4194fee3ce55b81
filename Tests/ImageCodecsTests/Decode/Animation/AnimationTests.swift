import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct AnimationTests {
    private let decoder = VipsDecoder()

    private func decode(_ data: Data, _ loading: AnimationLoading = AnimationLoading()) throws -> Image {
        try decoder.decode(data, within: nil, limits: .standard, animation: loading)
    }

    private func frame(_ delay: UInt16) -> GIFWriter.Frame {
        GIFWriter.Frame(width: 2, height: 1, delay: delay, indices: [3, 4])
    }

    @Test func `delays up to 11 ms become 100 ms`() {
        let delays = [-5, 0, 1, 10, 11, 12, 20, 100].map { Duration.milliseconds($0) }
        let animation = Animation(file: Data(), delays: delays, loopCount: nil, canvasSize: .zero)
        #expect(animation.delays == [100, 100, 100, 100, 100, 12, 20, 100].map { .milliseconds($0) })
    }

    @Test func `GIF delays are in hundredths of a second`() throws {
        let file = GIFWriter(width: 2, height: 1, loop: 0, frames: [0, 1, 2, 65_535].map(frame))
        let animation = try #require(try decode(file.data).animation)
        #expect(animation.delays == [100, 100, 20, 655_350].map { .milliseconds($0) })
        #expect(animation.canvasSize == PixelSize(width: 2, height: 1))
        #expect(animation.file == file.data)
    }

    @Test func `WebP delays are in milliseconds`() throws {
        let pictures = (0..<6).map { PixelBuffer(size: PixelSize(width: 8, height: 8), filledWith: tone($0)) }
        let data = try WebPWriter.animation(pictures, durations: [0, 1, 10, 11, 12, 70_000], loop: 3)
        let image = try decode(data)
        #expect(image.frameCount == 6)
        let animation = try #require(image.animation)
        #expect(animation.delays == [100, 100, 100, 100, 12, 70_000].map { .milliseconds($0) })
        #expect(animation.loopCount == 3)
        #expect(animation.canvasSize == PixelSize(width: 8, height: 8))
    }

    @Test(arguments: [(nil, 1), (0, nil), (1, 2), (3, 4), (65_535, 65_536)] as [(UInt16?, Int?)])
    func `a GIF plays once more than its loop extension says, and forever at zero`(loop: UInt16?, plays: Int?) throws {
        let file = GIFWriter(width: 2, height: 1, loop: loop, frames: [frame(4), frame(4)])
        #expect(try decode(file.data).animation?.loopCount == plays)
    }

    @Test(arguments: [0, -1, Int.min])
    func `a loop count below one means forever`(count: Int) {
        #expect(Animation(file: Data(), delays: [], loopCount: count, canvasSize: .zero).loopCount == nil)
    }

    @Test func `still pictures have no animation`() throws {
        for data in [
            GIFWriter(width: 2, height: 1, loop: 0, frames: [frame(4)]).data, try Pictures.png(),
            try WebPWriter.still(Pictures.gradient(PixelSize(width: 8, height: 8))), try Pictures.asset("fjord.webp"),
        ] {
            let image = try decode(data, AnimationLoading(preloadsAllFrames: true))
            #expect(image.animation == nil && image.frameCount == 1)
        }
    }

    @Test func `onlyFirstFrame gives a still picture with its frame count`() throws {
        let file = GIFWriter.moving(5)
        let image = try decode(file.data, AnimationLoading(onlyFirstFrame: true, preloadsAllFrames: true))
        #expect(image.animation == nil)
        #expect(image.frameCount == 5)
        #expect(image.pixels == file.pictures[0])
        #expect(image.cost == image.pixels.bytes.count)
    }

    @Test func `preloading decodes all frames`() throws {
        let file = GIFWriter.moving(5)
        let image = try decode(file.data, AnimationLoading(preloadsAllFrames: true))
        #expect(image.animation?.frames == file.pictures)
        #expect(try decode(file.data).animation?.frames.isEmpty == true)
    }

    @Test func `preloaded frames fit the box`() throws {
        let image = try decoder.decode(
            GIFWriter.moving(3, width: 40, height: 20).data, within: PixelSize(width: 10, height: 10),
            limits: .standard, animation: AnimationLoading(preloadsAllFrames: true))
        #expect(image.animation?.frames.map(\.size) == Array(repeating: PixelSize(width: 10, height: 5), count: 3))
        #expect(image.animation?.canvasSize == PixelSize(width: 40, height: 20))
        #expect(image.animation?.frames[0] == image.pixels)
    }

    // MARK: - Cost

    @Test func `the cost of a still picture is its pixels`() throws {
        #expect(try decode(try Pictures.png(width: 8, height: 6)).cost == 8 * 6 * 4)
    }

    @Test func `the cost of an animation includes its file`() throws {
        let data = GIFWriter.moving(5).data
        #expect(try decode(data).cost == 24 * 16 * 4 + data.count)
    }

    @Test func `equal preloaded frames count once in the cost`() throws {
        let same = GIFWriter.Frame(width: 2, height: 1, indices: [3, 4])
        let other = GIFWriter.Frame(width: 2, height: 1, indices: [4, 3])
        let data = GIFWriter(width: 2, height: 1, loop: 0, frames: [same, other, same, same, other]).data
        let image = try decode(data, AnimationLoading(preloadsAllFrames: true))
        #expect(image.animation?.frames.count == 5)
        #expect(image.cost == 2 * 8 + data.count)
    }

    @Test func `different pixels of an animation add to its cost`() throws {
        let data = GIFWriter.moving(2).data
        let image = try decode(data, AnimationLoading(preloadsAllFrames: true))
        let other = image.with(PixelBuffer(size: PixelSize(width: 3, height: 3), filledWith: .black))
        #expect(other.animation == image.animation)
        #expect(other.cost == 2 * 24 * 16 * 4 + data.count + 36)
    }

    // MARK: - Limits

    @Test func `limits count one canvas when streaming and all frames when preloading`() throws {
        let data = GIFWriter.moving(10).data
        let limits = DecodeLimits(pixels: 24 * 16)
        #expect(try decoder.decode(data, within: nil, limits: limits).frameCount == 10)
        #expect(
            throws: CodecError.processor(
                .limitExceeded("24×16 × 10 frames, limit 384 pixels; raise --max-pixels"))
        ) {
            try decoder.decode(
                data, within: nil, limits: limits, animation: AnimationLoading(preloadsAllFrames: true))
        }
        #expect(throws: CodecError.self) {
            try decoder.decode(data, within: nil, limits: DecodeLimits(pixels: 24 * 16 - 1))
        }
    }

    @Test func `too many frames are refused with the header`() throws {
        let data = GIFWriter.moving(6).data
        #expect(try decoder.header(of: data, limits: DecodeLimits(frames: 6)).frameCount == 6)
        #expect(throws: CodecError.processor(.limitExceeded("more than 5 frames; raise --max-frames"))) {
            try decoder.header(of: data, limits: DecodeLimits(frames: 5))
        }
        let pictures = (0..<6).map { PixelBuffer(size: PixelSize(width: 8, height: 8), filledWith: tone($0)) }
        let webP = try WebPWriter.animation(pictures, durations: Array(repeating: 40, count: 6))
        #expect(throws: CodecError.processor(.limitExceeded("more than 5 frames; raise --max-frames"))) {
            try decoder.header(of: webP, limits: DecodeLimits(frames: 5))
        }
    }

    @Test func `a frame larger than its canvas is checked against the limits`() {
        let frame = GIFWriter.Frame(width: 2, height: 1, indices: [1, 2])
        var data = GIFWriter(width: 2, height: 1, loop: 0, frames: [frame, frame]).data
        // Before the trailer lie a terminator, a block of four codes, the code size and the flags.
        let size = data.count - 1 - 1 - 5 - 1 - 1 - 4
        data.replaceSubrange(size..<size + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(
            throws: CodecError.processor(
                .limitExceeded("4294.8 MP, limit 100 MP; raise --max-pixels"))
        ) {
            try decoder.header(of: data, limits: .standard)
        }
    }

    /// A decoder of one's own that knows nothing of animations.
    private struct PlainDecoder: ImageDecoding {
        func header(of data: Data, limits: DecodeLimits) throws(CodecError) -> ImageHeader {
            ImageHeader(format: .png, size: .zero, frameCount: 1)
        }

        func decode(_ data: Data, within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> Image {
            Pictures.image(PixelBuffer(size: PixelSize(width: 1, height: 1), filledWith: .white))
        }
    }

    @Test func `a decoder without animation support decodes the still picture`() throws {
        let decoder: any ImageDecoding = PlainDecoder()
        let image = try decoder.decode(
            Data(), within: nil, limits: .standard, animation: AnimationLoading(preloadsAllFrames: true))
        #expect(image.size == PixelSize(width: 1, height: 1))
    }

    private func tone(_ index: Int) -> Color { Color(red: UInt8(index * 40), green: 90, blue: 30) }

    @Test func `a first frame larger than the logical screen enlarges the canvas, a later one is clipped`() throws {
        let indices = (0..<48).map { UInt8($0) }
        let frames = [
            GIFWriter.Frame(left: 1, width: 8, height: 6, indices: indices),
            GIFWriter.Frame(left: 5, width: 8, height: 6, indices: indices),
        ]
        let file = GIFWriter(width: 4, height: 3, frames: frames).data
        let image = try VipsDecoder().decode(file, within: nil, limits: .standard)
        #expect(image.size == PixelSize(width: 9, height: 6))
        #expect(image.pixels[8, 5] == GIFWriter(width: 9, height: 6, frames: frames).pictures[0][8, 5])
        #expect(image.animation?.canvasSize == PixelSize(width: 9, height: 6))
    }
}
