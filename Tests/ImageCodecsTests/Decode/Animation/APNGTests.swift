import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct APNGTests {
    private static let decoders: [any ImageDecoding] = [CodecDecoder(), VipsDecoder()]

    private func decode(_ data: Data, limits: DecodeLimits = .standard) throws(CodecError) -> Image {
        try CodecDecoder().decode(data, within: nil, limits: limits)
    }

    private func frames(_ data: Data) async throws -> [PixelBuffer] {
        let frames = AnimationFrames(try #require(try decode(data).animation))
        var pictures: [PixelBuffer] = []
        for index in 0..<frames.count { pictures.append(try await frames.frame(at: index)) }
        return pictures
    }

    private static func picture(_ width: Int = 4, _ height: Int = 4, _ color: Color = .white) -> PixelBuffer {
        PixelBuffer(size: PixelSize(width: width, height: height), filledWith: color)
    }

    private static let green = Color(red: 0, green: 200, blue: 0)

    /// Two frames of which the first is the default image, all green.
    private static var two: APNGWriter {
        APNGWriter(
            width: 8, height: 6,
            frames: [.init(picture: picture(8, 6, green)), .init(left: 1, top: 2, picture: picture())])
    }

    // MARK: - Frames

    @Test func `every disposal and blend operation is applied`() async throws {
        let file = APNGWriter.moving(40)
        #expect(try await frames(file.data) == file.pictures)
        #expect(try decode(file.data).pixels == file.pictures[0])
    }

    @Test func `frames are decoded correctly in any order`() async throws {
        let file = APNGWriter.moving(12)
        let pictures = file.pictures
        let frames = AnimationFrames(
            try #require(try decode(file.data).animation), byteBudget: 2 * pictures[0].bytes.count)
        for index in [11, 0, 5, 5, 4, 11, 1] {
            #expect(try await frames.frame(at: index) == pictures[index], "frame \(index)")
        }
    }

    @Test func `a default image outside the animation is not shown`() async throws {
        var file = APNGWriter.moving(6)
        file.frames.removeFirst()
        file.defaultImage = Self.picture(24, 16, Self.green)
        #expect(try await frames(file.data) == file.pictures)
        file.frames = [file.frames[0]]
        for decoder in Self.decoders {
            let image = try decoder.decode(file.data, within: nil, limits: .standard)
            #expect(image.pixels == file.pictures[0])
            #expect(image.animation == nil && image.frameCount == 1)
        }
    }

    @Test func `disposal to previous on the first frame clears it`() async throws {
        var file = Self.two
        file.frames[0].disposal = 2
        let last = try #require(try await frames(file.data).last)
        #expect(last[0, 0].alpha == 0 && last[1, 2] == .white)
    }

    @Test func `sixteen bits per channel are composed`() async throws {
        var file = APNGWriter.moving(5)
        file.depth = 16
        #expect(try await frames(file.data) == file.pictures)
    }

    @Test func `delays and loop count are read from the file`() throws {
        var file = APNGWriter.moving(4)
        file.plays = 3
        for (index, delay) in [(1, 3), (5, 0), (0, 7), (65_535, 1)].enumerated() {
            file.frames[index].delay = (UInt16(delay.0), UInt16(delay.1))
        }
        let animation = try #require(try decode(file.data).animation)
        #expect(animation.loopCount == 3)
        #expect(
            animation.delays == [.nanoseconds(333_333_333), .milliseconds(50), .milliseconds(100), .seconds(65_535)])
        file.plays = 0
        #expect(try decode(file.data).animation?.loopCount == nil)
    }

    @Test func `preloaded frames fit the box`() throws {
        let file = APNGWriter.moving(3, width: 40, height: 20)
        let image = try CodecDecoder().decode(
            file.data, within: PixelSize(width: 10, height: 10), limits: .standard,
            animation: AnimationLoading(preloadsAllFrames: true))
        #expect(image.animation?.frames.map(\.size) == Array(repeating: PixelSize(width: 10, height: 5), count: 3))
        #expect(image.animation?.canvasSize == PixelSize(width: 40, height: 20))
        #expect(image.format == .png && image.animation?.format == .png)
    }

    @Test func `the orientation rotates the canvas, not each frame`() async throws {
        var file = Self.two
        let exif: [UInt8] =
            Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        file.head = PNGFile.chunk("eXIf", exif)
        let header = try CodecDecoder().header(of: file.data, limits: .standard)
        #expect(header.size == PixelSize(width: 6, height: 8))
        let turned = try await frames(file.data)
        #expect(turned == file.pictures.map(Orientation.turnedRight.upright))
    }

    // MARK: - Invalid animations

    /// Each change makes the animation invalid.
    static let changes: [(String, @Sendable (String, Int, [UInt8]) -> [UInt8])] = [
        ("a wrong sequence number", { name, _, content in name == "fdAT" ? [0, 0, 0, 9] + content[4...] : content }),
        ("a frame outside", { name, place, content in place == 3 ? content.replacing(15, with: 5) : content }),
        ("an empty frame", { name, place, content in place == 3 ? content.replacing(7, with: 0) : content }),
        ("an unknown disposal", { name, place, content in place == 3 ? content.replacing(24, with: 3) : content }),
        ("an unknown blending", { name, place, content in place == 3 ? content.replacing(25, with: 2) : content }),
        ("too few frames", { name, _, content in name == "acTL" ? content.replacing(3, with: 3) : content }),
        ("no frame", { name, _, content in name == "acTL" ? content.replacing(3, with: 0) : content }),
        ("far too many frames", { name, _, content in name == "acTL" ? content.replacing(0, with: 255) : content }),
        ("a short control chunk", { name, place, content in place == 3 ? Array(content.dropLast()) : content }),
        ("short data", { name, _, content in name == "fdAT" ? [0, 0] : content }),
        ("a first frame that is a part", { _, place, content in place == 1 ? content.replacing(7, with: 7) : content }),
    ]

    @Test(arguments: changes.indices)
    func `an invalid animation shows its default image`(index: Int) throws {
        var file = Self.two
        file.change = Self.changes[index].1
        for decoder in Self.decoders {
            let image = try decoder.decode(file.data, within: nil, limits: .standard)
            let name = Self.changes[index].0
            #expect(image.pixels == Self.picture(8, 6, Self.green), "\(name)")
            #expect(image.animation == nil && image.frameCount == 1, "\(name)")
        }
    }

    @Test func `a wrong checksum of a control chunk makes the animation invalid`() throws {
        var data = Self.two.data
        let place = try #require(data.lastRange(of: Array("fcTL".utf8)))
        data[place.upperBound + 27] ^= 1
        #expect(try decode(data).frameCount == 1)
    }

    @Test func `a damaged frame fails, frames before it are shown`() async throws {
        var file = APNGWriter.moving(5)
        for index in file.frames.indices { file.frames[index].pieces = 1 }
        let pictures = file.pictures
        // The seventh byte states the type of the first block; type 3 is invalid.
        file.change = { name, place, content in
            name == "fdAT" && place == 6 ? content.replacing(6, with: 7) : content
        }
        let frames = AnimationFrames(try #require(try decode(file.data).animation))
        #expect(try await frames.frame(at: 1) == pictures[1])
        let expected = CodecError.processor(
            .decodingFailed(format: "PNG", "frame 3: its compressed pixels are damaged"))
        await #expect(throws: expected) { try await frames.frame(at: 2) }
        await #expect(throws: expected) { try await frames.frame(at: 4) }
    }

    @Test func `a wrong checksum of a frame's pixels is an error`() async throws {
        var data = Self.two.data
        let place = try #require(data.lastRange(of: Array("fdAT".utf8)))
        data[place.upperBound + 12] ^= 1
        let frames = AnimationFrames(try #require(try decode(data).animation))
        await #expect(
            throws: CodecError.processor(
                .decodingFailed(format: "PNG", "frame 2: the checksum of its pixels is wrong"))
        ) { try await frames.frame(at: 1) }
    }

    @Test func `a file cut anywhere is an error`() {
        let data = APNGWriter.moving(3, width: 6, height: 4).data
        for count in 8..<data.count { #expect(throws: CodecError.self) { try decode(data.prefix(count)) } }
    }

    // MARK: - Limits

    @Test func `too many frames or a large canvas are refused at the header`() throws {
        let data = APNGWriter.moving(6).data
        #expect(try CodecDecoder().header(of: data, limits: DecodeLimits(pixels: 24 * 16, frames: 6)).frameCount == 6)
        #expect(throws: CodecError.processor(.limitExceeded("more than 5 frames; raise --max-frames"))) {
            try CodecDecoder().header(of: data, limits: DecodeLimits(frames: 5))
        }
        #expect(throws: CodecError.processor(.limitExceeded("384 pixels, limit 383 pixels; raise --max-pixels"))) {
            try decode(data, limits: DecodeLimits(pixels: 383))
        }
    }
}

extension [UInt8] {
    fileprivate func replacing(_ index: Int, with byte: UInt8) -> [UInt8] {
        var copy = self
        copy[index] = byte
        return copy
    }
}
