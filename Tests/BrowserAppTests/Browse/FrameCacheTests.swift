import Raster
import TerminalGraphics
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct FrameCacheTests {
    private let encoder = PictureEncoder(protocol: .blocks(.truecolor))

    @Test func `what is stored is found`() async {
        let picture = await picture()
        var cache = FrameCache(budget: picture.cost)
        cache.store(picture, for: key("a"))
        #expect(cache.picture(for: key("a")) == picture)
        #expect(cache.picture(for: key("b")) == nil)
    }

    @Test func `what was not used for longest goes first`() async {
        let (picture, large) = (await picture(), await picture(columns: 2))
        #expect(large.cost == picture.cost * 2)
        var cache = FrameCache(budget: picture.cost * 3)
        for name in ["a", "b", "c"] { cache.store(picture, for: key(name)) }
        _ = cache.picture(for: key("a"))
        cache.store(large, for: key("d"))
        let kept = ["a", "b", "c", "d"].filter { cache.picture(for: key($0)) != nil }
        #expect(kept == ["a", "d"])
    }

    @Test func `the same key is replaced`() async {
        let (picture, large) = (await picture(), await picture(columns: 2))
        var cache = FrameCache(budget: picture.cost * 3)
        cache.store(picture, for: key("a"))
        cache.store(large, for: key("b"))
        cache.store(large, for: key("b"))
        #expect(cache.picture(for: key("a")) == picture)
        #expect(cache.picture(for: key("b")) == large)
    }

    @Test func `what is larger than the budget is not kept and drives nothing out`() async {
        let (picture, large) = (await picture(), await picture(columns: 2))
        var cache = FrameCache(budget: picture.cost)
        cache.store(picture, for: key("a"))
        cache.store(large, for: key("b"))
        #expect(cache.picture(for: key("a")) == picture)
        #expect(cache.picture(for: key("b")) == nil)
    }

    /// A picture of some columns of cells; its cost follows from their number.
    private func picture(columns: Int = 1) async -> EncodedPicture {
        let size = PixelSize(width: 20 * columns, height: 20)
        return await encoder.encode(PixelBuffer(size: size, filledWith: .white))
    }

    private func key(_ image: String) -> EncodedFrameKey {
        EncodedFrameKey(image: image, size: PixelSize(width: 20, height: 20), encoder: encoder)
    }
}
