import ImageTestSupport
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
        let small = image.pixels.resampled(to: PixelSize(width: 333, height: 211))
        #expect(try #require(PerceptualHash(small)).distance(to: original) <= 4)
        let other = try CodecDecoder().decode(try Pictures.asset("kelp.jpg"), within: nil, limits: .standard)
        #expect(try #require(PerceptualHash(other.pixels)).distance(to: original) > 16)
    }

    @Test func `a picture of any size has a hash, an empty one has none`() throws {
        for (width, height) in [(1, 4000), (5000, 3), (31, 33)] {
            #expect(PerceptualHash(Pictures.noise(width, height)) != nil)
        }
        #expect(PerceptualHash(PixelBuffer(size: .zero, filledWith: .black)) == nil)
    }

    @Test func `a flat picture has no hash`() throws {
        let size = PixelSize(width: 90, height: 70)
        for color in [Color.black, .white, Color(red: 90, green: 120, blue: 91)] {
            #expect(PerceptualHash(PixelBuffer(size: size, filledWith: color)) == nil)
            let file = try ImageEncoder.encode(Pictures.image(PixelBuffer(size: size, filledWith: color)), as: .jpeg)
            #expect(try CodecDecoder().facts(of: file, .pixels, limits: .standard).pixels?.hash == nil)
        }
    }

    @Test(arguments: [1, 3, 12]) func `a border of one colour changes the hash little`(width: Int) throws {
        let image = try CodecDecoder().decode(
            try Pictures.asset("canyon.jpg"), within: PixelSize(width: 200, height: 200), limits: .standard)
        let plain = try #require(PerceptualHash(image.pixels))
        let size = PixelSize(width: image.size.width + 2 * width, height: image.size.height + 4 * width)
        let bordered = PixelBuffer(size: size) { bytes in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let (column, row) = (x - width, y - 2 * width)
                    let isInside = (0..<image.size.width).contains(column) && (0..<image.size.height).contains(row)
                    for channel in 0..<4 {
                        bytes[(y * size.width + x) * 4 + channel] =
                            isInside ? image.pixels.bytes[(row * image.size.width + column) * 4 + channel] : 255
                    }
                }
            }
        }
        #expect(try #require(PerceptualHash(bordered)).distance(to: plain) <= 2)
        let file = try ImageEncoder.encode(Pictures.image(bordered), as: .jpeg)
        let hash = try #require(try CodecDecoder().facts(of: file, .pixels, limits: .standard).pixels?.hash)
        #expect(hash.distance(to: plain) <= 8)
    }

    @Test func `a turned or mirrored picture has one of the turned hashes`() throws {
        let image = try CodecDecoder().decode(
            try Pictures.asset("canyon.jpg"), within: PixelSize(width: 200, height: 200), limits: .standard)
        let hash = try #require(PerceptualHash(image.pixels))
        let turned = hash.turned
        #expect(Set(turned).count == 8 && turned[0] == hash)
        for orientation in Orientation.allCases {
            let other = try #require(PerceptualHash(orientation.upright(image.pixels)))
            #expect(turned.map { $0.distance(to: other) }.min() ?? 64 <= 6, "\(orientation)")
        }
    }

    @Test func `a hash is printed and parsed unchanged`() throws {
        let hash = PerceptualHash(bits: 0x0123_4567_89AB_CDEF)
        #expect(hash.description == "0123456789abcdef" && PerceptualHash(hash.description) == hash)
        #expect(PerceptualHash("123") == nil && PerceptualHash("0123456789abcdeg") == nil)
    }
}
