import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct DamagedFileTests {
    @Test func `an interlaced PNG is decoded exactly`() throws {
        let image = try SampleFiles.decode(try SampleFiles.file(.interlacedPNG))
        #expect(image.pixels == Pictures.gradient(PixelSize(width: 24, height: 16)))
    }

    @Test(arguments: SampleFiles.Kind.allCases)
    func `a file truncated at any byte is an error or the whole picture`(kind: SampleFiles.Kind) throws {
        let data = try SampleFiles.file(kind)
        let whole = try SampleFiles.decode(data)
        var lastError = -1
        for count in 0..<data.count {
            do throws(CodecError) {
                let image = try SampleFiles.decode(data.prefix(count))
                #expect(image.pixels == whole.pixels, "cut after \(count) of \(data.count) bytes")
                // Whether a GIF that ends between two frames lacks more than its last byte cannot be known.
                if kind == .movingGIF, image.damage == .missingEnd { continue }
                #expect(image.animation?.frames == whole.animation?.frames, "cut after \(count) of \(data.count) bytes")
            } catch {
                lastError = count
                expectDamage(error, "cut after \(count)")
            }
        }
        // The last bytes may say nothing but that the file ends.
        #expect(lastError >= data.count - 13)
    }

    @Test func `a PNG that ends before its first pixel is reported as truncated`() throws {
        let data = try Pictures.png()
        let start = try #require(data.firstRange(of: Data("IDAT".utf8))).lowerBound - 4
        #expect(throws: CodecError.processor(.decodingFailed(format: "PNG", "the file ends before its pixels"))) {
            try CodecDecoder().header(of: data.prefix(start), limits: .standard)
        }
    }

    @Test(arguments: SampleFiles.Kind.allCases)
    func `bytes after the end are ignored`(kind: SampleFiles.Kind) throws {
        let data = try SampleFiles.file(kind)
        let whole = try SampleFiles.decode(data)
        let longer = try SampleFiles.decode(data + [0, 1, 2, 3, 0xFF, 0xD8, 0x21, 0xF9])
        #expect(longer.pixels == whole.pixels)
        #expect(longer.animation?.frames == whole.animation?.frames)
    }

    /// Two thousand decodes a format: whatever a flipped byte does, it ends with a picture or a typed error.
    @Test(arguments: SampleFiles.Kind.allCases)
    func `flipped bytes never crash`(kind: SampleFiles.Kind) throws {
        let data = try SampleFiles.file(kind)
        var random = SeededRandom(seed: UInt64(kind.rawValue.utf8.reduce(0) { $0 + Int($1) }))
        var (pictures, errors) = (0, 0)
        for _ in 0..<1_000 {
            var broken = data
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                broken[Int.random(in: 0..<data.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            }
            do throws(CodecError) {
                let image = try SampleFiles.decode(broken, limits: DecodeLimits(pixels: 4_000))
                #expect(image.pixels.bytes.count == image.size.area * 4)
                pictures += 1
            } catch {
                errors += 1
            }
        }
        #expect(pictures + errors == 1_000)
        #expect(errors > 0)
    }

    private func expectDamage(_ error: CodecError, _ comment: Comment) {
        switch error {
        case .processor(.decodingFailed), .processor(.damaged), .notAnImage: break
        default: Issue.record("\(error), \(comment)")
        }
    }
}
