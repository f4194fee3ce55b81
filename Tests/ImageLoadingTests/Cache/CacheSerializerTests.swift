import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct CacheSerializerTests {
    private static let size = PixelSize(width: 40, height: 30)

    private func image(_ format: ImageFormat, alpha: UInt8 = 255, size: PixelSize = size) -> Image {
        var image = Pictures.image(Pictures.gradient(size, alpha: alpha))
        image.format = format
        return image
    }

    private func roundTrip(_ image: Image, _ serializer: some CacheSerializer, original: Data = Data()) throws -> Image
    {
        let data = try serializer.data(for: image, original: original)
        return try serializer.image(from: data, decoder: VipsDecoder(), limits: .standard)
    }

    /// The peak signal-to-noise ratio over the colours, in dB.
    private func likeness(_ one: PixelBuffer, _ other: PixelBuffer) -> Double {
        let sum = zip(one.bytes, other.bytes).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
        return sum == 0 ? .infinity : 10 * log10(255 * 255 / (sum / Double(one.bytes.count / 4 * 3)))
    }

    @Test(arguments: [
        (ImageFormat.jpeg, UInt8(255), ImageFormat.jpeg), (.jpeg, 254, .png), (.jpeg, 0, .png), (.png, 255, .png),
        (.png, 128, .png), (.gif, 255, .png), (.gif, 128, .png), (.webP, 255, .webP), (.webP, 128, .webP),
    ])
    func `the original's format is used if it can hold the picture`(
        original: ImageFormat, alpha: UInt8, kept: ImageFormat
    ) throws {
        let picture = image(original, alpha: alpha)
        let serializer = DefaultCacheSerializer()
        #expect(serializer.format(for: picture) == kept)
        #expect(try roundTrip(picture, serializer).format == kept)
    }

    @Test(arguments: [ImageFormat.png, .gif, .webP], [UInt8(255), 128])
    func `every format but JPEG is stored without loss`(format: ImageFormat, alpha: UInt8) throws {
        let picture = image(format, alpha: alpha)
        #expect(try roundTrip(picture, DefaultCacheSerializer()).pixels == picture.pixels)
    }

    @Test func `the JPEG of a photo is small and visually lossless`() throws {
        let photo = try VipsDecoder().decode(
            Pictures.asset("canyon.jpg"), within: PixelSize(width: 300, height: 300), limits: .standard)
        let serializer = DefaultCacheSerializer()
        let likeness = try likeness(roundTrip(photo, serializer).pixels, photo.pixels)
        #expect(likeness > 36, "\(likeness) dB")
        let bytes = try serializer.data(for: photo, original: Data()).count
        #expect(bytes * 3 < (try ImageEncoder.encode(photo, as: .png)).count)
        let coarse = try DefaultCacheSerializer(compressionQuality: 50).data(for: photo, original: Data())
        #expect(coarse.count < bytes)
    }

    @Test(arguments: [(ImageFormat.webP, 16_383, ImageFormat.webP), (.webP, 16_384, .png), (.jpeg, 65_501, .png)])
    func `a picture too large for its format is stored as PNG`(original: ImageFormat, width: Int, kept: ImageFormat)
        throws
    {
        let picture = image(original, size: PixelSize(width: width, height: 1))
        let serializer = DefaultCacheSerializer()
        #expect(serializer.format(for: picture) == kept)
        guard
            case .format(kept) = FormatSniffer.judge(try serializer.data(for: picture, original: Data()), isWhole: true)
        else {
            Issue.record("not kept as \(kept)")
            return
        }
    }

    @Test func `preferCacheOriginalData stores the original bytes`() throws {
        let serializer = DefaultCacheSerializer(preferCacheOriginalData: true)
        let original = Data("whatever came".utf8)
        #expect(serializer.originalDataUsed)
        #expect(try serializer.data(for: image(.gif), original: original) == original)
        #expect(serializer.format(for: image(.gif)) == .gif)
        #expect(!DefaultCacheSerializer().originalDataUsed)
    }

    @Test func `preferCacheOriginalData without original bytes is an error`() {
        #expect(throws: ImageError.cache(.cannotStore("the original's bytes are not at hand"))) {
            try DefaultCacheSerializer(preferCacheOriginalData: true).data(for: image(.jpeg), original: Data())
        }
    }

    @Test(arguments: [
        FormatIndicatedCacheSerializer.png, .jpeg, .jpeg(quality: 40), .webP, .webP(quality: 40), .gif,
    ])
    func `the indicated format is written`(serializer: FormatIndicatedCacheSerializer) throws {
        let result = try roundTrip(image(.png), serializer)
        #expect(result.format == serializer.format)
        #expect(result.size == Self.size)
        #expect(serializer.format(for: image(.png)) == serializer.format)
    }

    @Test func `a GIF with few colours is lossless`() throws {
        var picture = PixelBuffer(size: PixelSize(width: 16, height: 16), filledWith: .white)
        for y in 0..<16 { for x in 0..<8 { picture[x, y] = Color(red: 200, green: 30, blue: 90) } }
        #expect(try roundTrip(Pictures.image(picture), FormatIndicatedCacheSerializer.gif).pixels == picture)
    }
}
