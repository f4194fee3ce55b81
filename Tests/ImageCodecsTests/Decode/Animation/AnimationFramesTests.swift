import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct AnimationFramesTests {
    private func animation(_ data: Data) throws -> Animation {
        try #require(try VipsDecoder().decode(data, within: nil, limits: .standard).animation)
    }

    // MARK: - Right frames

    @Test func `five thousand frames play within a small memory budget`() async throws {
        let file = GIFWriter.moving(5_000, width: 12, height: 8)
        let pictures = file.pictures
        let frameBytes = 12 * 8 * 4
        let frames = AnimationFrames(try animation(file.data), byteBudget: frameBytes * 20)
        #expect(frames.count == 5_000)
        var (wrong, over) = ([Int](), [Int]())
        for index in Array(0..<5_000) + [0, 1, 2] {
            if try await frames.frame(at: index) != pictures[index] { wrong.append(index) }
            if await frames.heldBytes > frameBytes * 20 { over.append(index) }
        }
        #expect(wrong.isEmpty && over.isEmpty, "\(wrong), \(over)")
        await frames.finishReadingAhead()
        #expect(await frames.peakBytes == frameBytes * 20)
        // One pass, and the first frames of the next: what is shown once is decoded once.
        #expect(await frames.decodedCount <= 5_000 + 3 + 20)
    }

    @Test func `frames equal those of libvips`() async throws {
        let data = try Pictures.asset("harbour.gif")
        let frames = AnimationFrames(try animation(data))
        for index in 0..<frames.count {
            #expect(try await frames.frame(at: index) == LibvipsPage.page(index, of: data), "frame \(index)")
        }
    }

    @Test(arguments: [0, 1, 2, 3, 4, 7] as [UInt8])
    func `every disposal method is applied`(disposal: UInt8) async throws {
        var file = GIFWriter.moving(12)
        for index in file.frames.indices where index % 2 == 1 {
            file.frames[index].disposal = disposal
            file.frames[index].transparent = 9
        }
        file.frames[0].transparent = 3
        let frames = AnimationFrames(try animation(file.data))
        for (index, picture) in file.pictures.enumerated() {
            #expect(try await frames.frame(at: index) == picture, "frame \(index)")
        }
    }

    @Test func `frames beyond the edge, interlaced frames and local colour tables are decoded`() async throws {
        var file = GIFWriter.moving(4)
        file.frames[1].left = 22
        file.frames[1].top = 13
        file.frames[2].isInterlaced = true
        file.frames[3].palette = (0..<128).map { Color(red: 7, green: UInt8($0), blue: 200) }
        let frames = AnimationFrames(try animation(file.data))
        for (index, picture) in file.pictures.enumerated() {
            #expect(try await frames.frame(at: index) == picture, "frame \(index)")
        }
    }

    @Test func `the frames of a WebP equal their sources`() async throws {
        let pictures = (0..<40).map { number in
            var picture = Pictures.gradient(PixelSize(width: 32, height: 20))
            for x in 0..<20 { picture[x, number / 2] = .white }
            return picture
        }
        let stills = try pictures.map { try VipsDecoder().decode(WebPWriter.still($0), within: nil, limits: .standard) }
        let data = try WebPWriter.animation(pictures, durations: Array(repeating: 40, count: 40))
        let frames = AnimationFrames(try animation(data), byteBudget: 32 * 20 * 4 * 3)
        for index in Array(0..<40) + [0, 1, 30, 29, 39, 0] {
            #expect(try await frames.frame(at: index) == stills[index].pixels, "frame \(index)")
        }
        #expect(await frames.peakBytes <= 32 * 20 * 4 * 3)
    }

    @Test(arguments: [true, false])
    func `frames can be requested in any order`(isPreloaded: Bool) async throws {
        let file = GIFWriter.moving(30)
        let pictures = file.pictures
        let frames = AnimationFrames(
            try animation(file.data), byteBudget: 24 * 16 * 4 * 4, preloadsAllFrames: isPreloaded)
        var random = SeededRandom(seed: 3)
        for _ in 0..<100 {
            let index = Int.random(in: 0..<30, using: &random)
            #expect(try await frames.frame(at: index) == pictures[index])
        }
    }

    // MARK: - Keeping

    @Test func `frames that fit the budget are decoded once`() async throws {
        let frames = AnimationFrames(try animation(GIFWriter.moving(10).data))
        for index in 0..<50 { _ = try await frames.frame(at: index % 10) }
        await frames.finishReadingAhead()
        #expect(await frames.decodedCount == 10)
        #expect(await frames.heldBytes == 10 * 24 * 16 * 4)
    }

    @Test func `preloading keeps all frames regardless of the budget`() async throws {
        let frames = AnimationFrames(
            try animation(GIFWriter.moving(10).data), byteBudget: 1, preloadsAllFrames: true)
        _ = try await frames.frame(at: 4)
        await frames.finishReadingAhead()
        #expect(await frames.heldBytes == 10 * 24 * 16 * 4)
    }

    @Test func `preloading more than the limits allow is an error`() async throws {
        let frames = AnimationFrames(
            try animation(GIFWriter.moving(10).data), preloadsAllFrames: true,
            limits: DecodeLimits(pixels: 24 * 16 * 9))
        await #expect(
            throws: CodecError.processor(
                .limitExceeded("24×16 × 10 frames, limit 3456 pixels; raise --max-pixels"))
        ) {
            try await frames.frame(at: 0)
        }
    }

    @Test func `the next frames are decoded ahead`() async throws {
        let frames = AnimationFrames(try animation(GIFWriter.moving(10).data), byteBudget: 24 * 16 * 4 * 3)
        _ = try await frames.frame(at: 0)
        await frames.finishReadingAhead()
        #expect(await frames.decodedCount == 3)
        _ = try await frames.frame(at: 1)
        _ = try await frames.frame(at: 2)
        await frames.finishReadingAhead()
        #expect(await frames.decodedCount == 5)
    }

    @Test func `a budget below one frame keeps the shown frame`() async throws {
        let frames = AnimationFrames(try animation(GIFWriter.moving(4).data), byteBudget: 0)
        for index in 0..<8 {
            _ = try await frames.frame(at: index % 4)
            await frames.finishReadingAhead()
            #expect(await frames.heldBytes == 24 * 16 * 4)
        }
    }

    @Test func `frames that are already decoded are used`() async throws {
        let pictures = (0..<3).map {
            PixelBuffer(size: PixelSize(width: 2, height: 2), filledWith: Color(red: UInt8($0), green: 0, blue: 0))
        }
        let animation = Animation(
            file: Data(), delays: [.zero, .zero, .zero], loopCount: nil, canvasSize: pictures[0].size, frames: pictures)
        let frames = AnimationFrames(animation)
        for index in 0..<3 { #expect(try await frames.frame(at: index) == pictures[index]) }
    }

    // MARK: - Boxes and processors

    @Test func `frames fit the box`() async throws {
        let animation = try animation(GIFWriter.moving(3, width: 40, height: 20).data)
        let frames = AnimationFrames(animation, within: PixelSize(width: 10, height: 10))
        for index in 0..<3 {
            #expect(try await frames.frame(at: index).size == PixelSize(width: 10, height: 5))
        }
        #expect(await frames.heldBytes == 3 * 10 * 5 * 4)
    }

    @Test func `every frame is processed`() async throws {
        let file = GIFWriter.moving(4, width: 40, height: 20)
        let chain = FlipImageProcessor(.horizontal) |> CroppingImageProcessor(size: PixelSize(width: 20, height: 20))
        let frames = AnimationFrames(try animation(file.data), processor: chain)
        for (index, picture) in file.pictures.enumerated() {
            #expect(try await frames.frame(at: index) == chain.process(Pictures.image(picture)).pixels)
        }
        let boxed = AnimationFrames(
            try animation(file.data), within: PixelSize(width: 10, height: 10), processor: chain)
        #expect(try await boxed.frame(at: 1).size == PixelSize(width: 10, height: 10))
    }

    @Test func `a first downsampling step is applied while decoding`() async throws {
        let chain = DownsamplingImageProcessor(size: PixelSize(width: 10, height: 10)) |> BlackWhiteProcessor()
        let frames = AnimationFrames(
            try animation(GIFWriter.moving(4, width: 40, height: 20).data), processor: chain)
        #expect(try await frames.frame(at: 2).size == PixelSize(width: 10, height: 5))
    }

    // MARK: - Damage

    @Test func `a damaged frame is an error and the frames before it are decoded`() async throws {
        let file = GIFWriter.moving(6)
        var data = file.data
        // The code after the first clear of the fourth frame names no entry of the table.
        let last = try #require(data.indexOfFrame(3))
        data[last + 10 + 3] = 200
        let frames = AnimationFrames(try animation(data))
        for index in 0..<3 { #expect(try await frames.frame(at: index) == file.pictures[index]) }
        for index in [3, 4, 5] {
            let error = await #expect(throws: CodecError.self) { try await frames.frame(at: index) }
            guard case .processor(.damaged("GIF", .corrupt(let reason))) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.hasPrefix("frame 4: "))
        }
        #expect(try await frames.frame(at: 0) == file.pictures[0])
    }

    @Test func `a frame index out of range is an error`() async throws {
        let frames = AnimationFrames(try animation(GIFWriter.moving(3).data))
        for index in [-1, 3, Int.max, Int.min] {
            await #expect(throws: CodecError.self) { try await frames.frame(at: index) }
        }
    }

    @Test func `a still file has no animation frames`() async throws {
        let animation = Animation(
            file: try Pictures.png(), delays: [.zero, .zero], loopCount: nil,
            canvasSize: PixelSize(width: 8, height: 6))
        await #expect(throws: CodecError.self) { try await AnimationFrames(animation).frame(at: 0) }
    }

    @Test func `a cancelled task gets no frame`() async throws {
        let frames = AnimationFrames(try animation(GIFWriter.moving(3).data))
        let gate = Gate()
        let task = Task {
            await gate.pass()
            return try await frames.frame(at: 0)
        }
        task.cancel()
        await gate.open()
        await #expect(throws: CodecError.cancelled) { try await task.value }
        #expect(await frames.decodedCount == 0)
    }
}

extension Data {
    /// Where the descriptor of a frame of `GIFWriter` begins.
    func indexOfFrame(_ number: Int) -> Int? {
        let marks = indices.dropLast(10).filter { self[$0] == 0x21 && self[$0 + 1] == 0xF9 && self[$0 + 2] == 4 }
        return marks.count > number ? marks[number] + 8 : nil
    }
}
