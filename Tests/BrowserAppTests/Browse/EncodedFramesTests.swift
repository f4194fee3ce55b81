import BrowserCore
import Raster
import TerminalGraphics
import Testing

@testable import BrowserApp

@MainActor @Suite(.timeLimit(.minutes(1))) struct EncodedFramesTests {
    private let encoder = PictureEncoder(protocol: .blocks(.truecolor))

    private func request(_ name: String, step: Int? = nil, isPartial: Bool = false) -> EncodeRequest {
        let pixels = PixelBuffer(size: PixelSize(width: 20, height: 20), filledWith: .white)
        let held = HeldPicture(pixels, name: name, isPartial: isPartial)
        let appearance = step.map { EncodeRequest.Appearance.step(.fade, from: nil, $0) } ?? .still
        return EncodeRequest(nil, held, appearance, reducedTo: pixels.size, encoder: encoder)
    }

    @Test func `what is wanted twice at a time is made once`() async {
        let frames = EncodedFrames(lasting: 1 << 20, passing: 1 << 20)
        async let first = frames.make(request("a"))
        async let second = frames.make(request("a"))
        let both = await (first, second)
        #expect(both.0 != nil && both.0 == both.1)
        #expect(frames.madeCount == 1)
    }

    @Test func `moving pictures evict no still picture`() async {
        // Given room for one still and one moving frame
        let cost = await encoder.encode(request("a").pixels).cost
        let frames = EncodedFrames(lasting: cost, passing: cost)
        _ = await frames.make(request("a"))
        // When many frames pass, and a partial picture
        for step in 1...5 { _ = await frames.make(request("b", step: step)) }
        _ = await frames.make(request("c", isPartial: true))
        // Then the still is there, and the last of the others
        #expect(frames.picture(for: request("a")) != nil)
        #expect(frames.picture(for: request("b", step: 5)) == nil)
        #expect(frames.picture(for: request("c", isPartial: true)) != nil)
    }
}
