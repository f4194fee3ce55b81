import AlcedoBrowserCore
import Raster
import TerminalGraphics
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@MainActor @Suite(.timeLimit(.minutes(1))) struct EncodedPictureCacheTests {
    private let encoder = PictureEncoder(protocol: .blocks(.truecolor))

    private func request(_ name: String, step: Int? = nil, isPartial: Bool = false) -> EncodeRequest {
        let pixels = PixelBuffer(size: PixelSize(width: 20, height: 20), filledWith: .white)
        let decoded = DecodedPicture(pixels, name: name, isPartial: isPartial)
        let appearance = step.map { EncodeRequest.Appearance.step(.fade, from: nil, $0) } ?? .still
        return EncodeRequest(nil, decoded, appearance, reducedTo: pixels.size, encoder: encoder)
    }

    @Test func `two concurrent requests for one picture encode it once`() async {
        let cache = EncodedPictureCache(lasting: 1 << 20, transient: 1 << 20)
        async let first = cache.make(request("a"))
        async let second = cache.make(request("a"))
        let both = await (first, second)
        #expect(both.0 != nil && both.0 == both.1)
        #expect(cache.madeCount == 1)
    }

    @Test func `animation frames do not evict still pictures`() async {
        // Given room for one still and one moving frame
        let cost = await encoder.encode(request("a").pixels).cost
        let cache = EncodedPictureCache(lasting: cost, transient: cost)
        _ = await cache.make(request("a"))
        // When many frames pass, and a partial picture
        for step in 1...5 { _ = await cache.make(request("b", step: step)) }
        _ = await cache.make(request("c", isPartial: true))
        // Then the still is there, and the last of the others
        #expect(cache.picture(for: request("a")) != nil)
        #expect(cache.picture(for: request("b", step: 5)) == nil)
        #expect(cache.picture(for: request("c", isPartial: true)) != nil)
    }
}
