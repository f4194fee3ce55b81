import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct AnimationEncoderTests {
    private func animation(_ data: Data) throws -> Animation {
        try #require(try VipsDecoder().decode(data, within: nil, limits: .standard).animation)
    }

    private func pictures(_ animation: Animation) async throws -> [PixelBuffer] {
        let frames = AnimationFrames(animation)
        var result: [PixelBuffer] = []
        for index in 0..<frames.count { result.append(try await frames.frame(at: index)) }
        return result
    }

    /// Frames with transparency, of which only parts change, one of them nowhere.
    private func sample(plays: UInt32) throws -> Animation {
        var canvas = Pictures.gradient(PixelSize(width: 20, height: 14), alpha: 90)
        var frames = [APNGWriter.Frame(delay: (1, 10), picture: canvas)]
        canvas[3, 4] = Color(red: 1, green: 2, blue: 3, alpha: 0)
        canvas[17, 9] = Color(red: 255, green: 0, blue: 9, alpha: 255)
        frames.append(.init(delay: (70, 1), picture: canvas))
        frames.append(.init(delay: (3, 100), picture: canvas))
        canvas[19, 13] = .white
        frames.append(.init(delay: (1, 1), picture: canvas))
        return try animation(APNGWriter(width: 20, height: 14, plays: plays, frames: frames).data)
    }

    /// Returns each picture with the time for which it is seen; equal frames that follow each other are one picture.
    private func shown(_ animation: Animation) async throws -> [(picture: PixelBuffer, time: Duration)] {
        var result: [(picture: PixelBuffer, time: Duration)] = []
        for (picture, delay) in zip(try await pictures(animation), animation.delays) {
            // Lossless WebP does not keep colours that nobody sees.
            let seen = picture.withoutUnseenColors
            if result.last?.picture == seen {
                result[result.count - 1].time += delay
            } else {
                result.append((seen, delay))
            }
        }
        return result
    }

    @Test(arguments: [ImageFormat.png, .webP], [0, 1, 3] as [UInt32])
    func `pictures, times and plays come back as they were`(format: ImageFormat, plays: UInt32) async throws {
        let original = try sample(plays: plays)
        let copy = try animation(try await ImageEncoder.encode(original, as: format, isLossless: true))
        #expect(copy.format == format)
        #expect(copy.loopCount == original.loopCount)
        let (expected, found) = (try await shown(original), try await shown(copy))
        #expect(expected.map(\.time) == found.map(\.time))
        #expect(expected.map(\.picture) == found.map(\.picture))
    }

    @Test func `a GIF keeps the pictures, delays and plays of a GIF`() async throws {
        let original = try animation(Pictures.asset("harbour.gif"))
        let copy = try animation(try await ImageEncoder.encode(original, as: .gif))
        #expect(copy.delays == original.delays)
        #expect(copy.loopCount == original.loopCount)
        let (expected, found) = (try await pictures(original), try await pictures(copy))
        #expect(expected.count == found.count)
        for (one, other) in zip(expected, found) { #expect(one.meanDifference(from: other) < 4) }
    }

    @Test func `rounded delays of a GIF add up to those of the frames`() async throws {
        let frames = (0..<20).map { index in
            APNGWriter.Frame(delay: (42, 1000), picture: Pictures.noise(8, 8, seed: UInt64(index)))
        }
        let original = try animation(APNGWriter(width: 8, height: 8, frames: frames).data)
        let copy = try animation(try await ImageEncoder.encode(original, as: .gif))
        #expect(copy.delays.reduce(.zero, +) == .milliseconds(840))
        #expect(Set(copy.delays) == [.milliseconds(40), .milliseconds(50)])
    }

    @Test func `a WebP with transparent frames says so in its header`() async throws {
        let data = try await ImageEncoder.encode(try sample(plays: 0), as: .webP)
        #expect(data[12..<16] == Data("VP8X".utf8) && data[20] & 0x10 != 0)
    }

    @Test func `a GIF that is played once or thrice stays so`() async throws {
        for plays in [1, 3] as [UInt32] {
            let copy = try animation(try await ImageEncoder.encode(try sample(plays: plays), as: .gif))
            #expect(copy.loopCount == Int(plays))
        }
    }

    @Test(arguments: [ImageFormat.png, .webP, .gif])
    func `a processor changes every frame`(format: ImageFormat) async throws {
        let data = try await ImageEncoder.encode(
            try sample(plays: 0), as: format, processor: .resize(to: PixelSize(width: 10, height: 7)))
        let copy = try animation(data)
        #expect(copy.canvasSize == PixelSize(width: 10, height: 7))
        // With the colours of a GIF the one pixel that changes last may be equal.
        #expect(try await shown(copy).count >= (format == .gif ? 2 : 3))
    }

    @Test func `a PNG holds only what changes`() async throws {
        let still = Pictures.noise(100, 100)
        let frames = (0..<20).map { index in
            var picture = still
            picture[index, index] = .white
            return APNGWriter.Frame(picture: picture)
        }
        let original = try animation(APNGWriter(width: 100, height: 100, frames: frames).data)
        #expect(try await ImageEncoder.encode(original, as: .png).count < 2 * (try still.pngData().count))
    }

    @Test func `frames that are together too large are refused, and JPEG and unwritable formats too`() async throws {
        let original = try sample(plays: 0)
        var limits = DecodeLimits.standard
        limits.pixels = 20 * 14 * 3
        await #expect(throws: CodecError.self) {
            try await ImageEncoder.encode(original, as: .webP, limits: limits)
        }
        #expect(try animation(try await ImageEncoder.encode(original, as: .png, limits: limits)).frameCount == 4)
        for format in [ImageFormat.avif, .tiff] {
            await #expect(throws: CodecError.self) { try await ImageEncoder.encode(original, as: format) }
        }
    }

    @Test func `an animation whose later frames are damaged gives no file`() async throws {
        var file = APNGWriter(
            width: 4, height: 4, frames: (0..<3).map { _ in .init(picture: Pictures.noise(4, 4)) })
        file.change = { name, place, content in name == "fdAT" && place > 4 ? Array(content.prefix(5)) : content }
        let original = try animation(file.data)
        await #expect(throws: CodecError.self) { try await ImageEncoder.encode(original, as: .png) }
    }
}

extension PixelBuffer {
    fileprivate var withoutUnseenColors: PixelBuffer {
        var copy = self
        copy.withMutableBytes { bytes in
            for offset in stride(from: 0, to: bytes.count, by: 4) where bytes[offset + 3] == 0 {
                for channel in 0..<3 { bytes[offset + channel] = 0 }
            }
        }
        return copy
    }

    fileprivate func meanDifference(from other: PixelBuffer) -> Double {
        let total = zip(bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(total) / Double(bytes.count)
    }
}
