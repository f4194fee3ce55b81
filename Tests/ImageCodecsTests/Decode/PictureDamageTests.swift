import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

/// The verdicts on damaged files, and what is shown of them.
@Suite(.timeLimit(.minutes(1)))
struct PictureDamageTests {
    private static let tolerant: DecodeLimits = {
        var limits = DecodeLimits()
        limits.allowsDamage = true
        return limits
    }()

    private func decode(_ data: Data) throws -> Image {
        try CodecDecoder().decode(data, within: nil, limits: Self.tolerant)
    }

    /// Returns whether the first rows of two pictures are equal.
    private func sharesRows(_ first: Image, _ second: Image, count: Int) -> Bool {
        first.pixels.bytes.prefix(first.size.width * count * 4)
            == second.pixels.bytes.prefix(first.size.width * count * 4)
    }

    @Test(arguments: SampleFiles.Kind.allCases)
    func `a whole file has no damage`(kind: SampleFiles.Kind) throws {
        let data = try SampleFiles.file(kind)
        #expect(try decode(data).damage == nil)
        #expect(try decode(data + [1, 2, 3]).damage == nil)
    }

    @Test(arguments: [
        ("coral.jpg", 2), ("eclipse.png", 12), ("harbour.gif", 1),
    ])
    func `a file without its end mark has all pixels`(name: String, count: Int) throws {
        let data = try Pictures.asset(name)
        let image = try decode(data.dropLast(count))
        #expect(image.damage == .missingEnd)
        #expect(try image.pixels == decode(data).pixels)
        // It is no error without tolerance either.
        #expect(try CodecDecoder().decode(data.dropLast(count), within: nil, limits: .standard).damage == .missingEnd)
    }

    @Test(arguments: [("coral.jpg", 0.3), ("eclipse.png", 0.3), ("bubbles.webp", 0.2)])
    func `the rows before the truncation are shown`(name: String, share: Double) throws {
        let data = try Pictures.asset(name)
        let part = data.prefix(data.count / 2)
        let image = try decode(part)
        guard case .incomplete = image.damage else {
            Issue.record("\(String(describing: image.damage))")
            return
        }
        let whole = try decode(data)
        #expect(image.size == whole.size)
        #expect(sharesRows(image, whole, count: Int(Double(whole.size.height) * share)))
        #expect(throws: CodecError.self) { try CodecDecoder().decode(part, within: nil, limits: .standard) }
    }

    @Test func `a GIF that ends within a frame shows the frames before it`() async throws {
        let file = GIFWriter.moving(3, width: 12, height: 8)
        let start = try #require(file.data.indexOfFrame(2))
        let image = try decode(file.data.prefix(start + 16))
        #expect(image.damage == .incomplete("the file ends in frame 3"))
        let frames = AnimationFrames(try #require(image.animation), limits: Self.tolerant)
        #expect(frames.count == 3)
        for index in 0..<2 { #expect(try await frames.frame(at: index) == file.pictures[index]) }
    }

    @Test func `a JPEG with extra bytes before its end mark is corrupt`() throws {
        let data = try Pictures.asset("coral.jpg")
        let image = try decode(data.dropLast(2) + [UInt8](repeating: 1, count: 50) + data.suffix(2))
        guard case .corrupt(let reason) = image.damage else {
            Issue.record("\(String(describing: image.damage))")
            return
        }
        #expect(reason.hasPrefix("Corrupt JPEG data: ") && reason.hasSuffix(" extraneous bytes before marker 0xd9"))
        #expect(try image.pixels == decode(data).pixels)
    }

    @Test func `a PNG with a wrong checksum is shown as corrupt`() throws {
        var data = try Pictures.asset("eclipse.png")
        let place = try #require(data.lastRange(of: Data("IEND".utf8))).lowerBound - 5
        data[place] ^= 1
        let image = try decode(data)
        guard case .corrupt(let reason) = image.damage else {
            Issue.record("\(String(describing: image.damage))")
            return
        }
        #expect(reason.hasPrefix("the checksum of IDAT at byte "))
        #expect(try image.pixels == decode(try Pictures.asset("eclipse.png")).pixels)
    }

    @Test func `bytes before the first frame of a GIF are skipped and reported as damage`() async throws {
        let whole = GIFWriter.moving(1, width: 12, height: 8)
        // The colour table of 128 colours ends the head of 13 bytes.
        let file = whole.data.prefix(13 + 384) + [0, 7, 0] + whole.data.dropFirst(13 + 384)
        let image = try decode(file)
        #expect(image.pixels == whole.pictures[0])
        #expect(image.damage == .corrupt("unknown bytes precede its first frame"))
        #expect(throws: CodecError.self) { try CodecDecoder().decode(file, within: nil, limits: .standard) }
    }

    @Test func `a GIF with too few codes shows the pixels before them`() {
        // 4 clears, then one code of three bits for each of two pixels, and the end.
        let indices = GIFCodes(bits: 2, bytes: [0b0101_0100 | 1 << 3 & 0b1000, 0b0000_0001]).indices(6)
        #expect(indices.values.count < 6)
        guard case .corrupt = indices.damage else {
            Issue.record("\(String(describing: indices.damage))")
            return
        }
        let colors = GIFColors(table: [9, 9, 9, 8, 8, 8, 7, 7, 7, 6, 6, 6], transparentIndex: nil)
        let picture = colors.picture(PixelSize(width: 3, height: 2), indices.values, isInterlaced: false)
        for place in 0..<6 {
            #expect(picture[place % 3, place / 3].alpha == (place < indices.values.count ? 255 : 0))
        }
    }

    @Test func `the reason distinguishes incomplete from corrupt`() {
        #expect(PictureDamage(reason: "Premature end of JPEG file") == .incomplete("Premature end of JPEG file"))
        #expect(
            PictureDamage(reason: "its compressed pixels are damaged") == .corrupt("its compressed pixels are damaged"))
    }

    /// Every kind with bytes flipped and cut: whatever is left is a picture of the right size or a typed error.
    @Test(arguments: SampleFiles.Kind.allCases)
    func `tolerant decoding of corrupted files never crashes`(kind: SampleFiles.Kind) throws {
        let data = try SampleFiles.file(kind)
        var random = SeededRandom(seed: 7)
        for _ in 0..<500 {
            var broken = data.prefix(Int.random(in: 1...data.count, using: &random))
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                broken[Int.random(in: 0..<broken.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            }
            var limits = DecodeLimits(pixels: 4_000)
            limits.allowsDamage = true
            do throws(CodecError) {
                let image = try SampleFiles.decode(Data(broken), limits: limits)
                #expect(image.pixels.bytes.count == image.size.area * 4)
            } catch {
                #expect(error != .cancelled)
            }
        }
    }
}
