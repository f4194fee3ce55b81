import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1))) struct PerceptualHashTests {
    /// The values of `imagehash.phash` 4.3.2 with Pillow 12.
    @Test(arguments: [
        ("canyon.jpg", "99e5fc37323831a4"), ("city-at-night.webp", "b496564b6969491f"),
    ])
    func `the hash differs from that of imagehash in two bits at most, also for a thumbnail`(
        name: String, expected: String
    ) throws {
        let file = try Pictures.asset(name)
        let expected = try #require(PerceptualHash(expected))
        for box in [nil, PixelSize(width: 64, height: 64)] {
            let image = try CodecDecoder().decode(file, within: box, limits: .standard)
            let hash = try #require(PerceptualHash(image.pixels))
            #expect(hash.distance(to: expected) <= 2, "\(hash)")
        }
    }

    @Test func `a resized copy has a similar hash, another picture a different one`() throws {
        let image = try CodecDecoder().decode(try Pictures.asset("canyon.jpg"), within: nil, limits: .standard)
        let original = try #require(PerceptualHash(image.pixels))
        let small = image.pixels.scaledDown(to: PixelSize(width: 333, height: 211))
        #expect(try #require(PerceptualHash(small)).distance(to: original) <= 4)
        let other = try CodecDecoder().decode(try Pictures.asset("kelp.jpg"), within: nil, limits: .standard)
        #expect(try #require(PerceptualHash(other.pixels)).distance(to: original) > 16)
    }

    @Test func `a picture of any size has a hash, an empty one has none`() throws {
        for (width, height) in [(1, 1), (1, 4000), (5000, 3), (31, 33)] {
            #expect(PerceptualHash(Pictures.noise(width, height)) != nil)
        }
        #expect(PerceptualHash(PixelBuffer(size: .zero, filledWith: .black)) == nil)
    }

    @Test func `a hash is printed and parsed unchanged`() throws {
        let hash = PerceptualHash(bits: 0x0123_4567_89AB_CDEF)
        #expect(hash.description == "0123456789abcdef" && PerceptualHash(hash.description) == hash)
        #expect(PerceptualHash("123") == nil && PerceptualHash("0123456789abcdeg") == nil)
    }
}
