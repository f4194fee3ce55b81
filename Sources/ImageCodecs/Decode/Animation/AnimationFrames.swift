import Foundation
import Raster

/// Hands out an animation's frames, decoding ahead as far as a budget of bytes allows.
///
/// What fits within the budget as a whole is decoded once; of longer animations the frames shown next are kept. Beside
/// the kept frames there are one canvas, the frame in work, and for WebP a copy of the file.
public actor AnimationFrames {
    /// How many frames the animation has.
    public nonisolated let count: Int
    private let recipe: FrameRecipe
    private var reader: (any FrameReading)?
    private var window: FrameWindow
    private var frames: [Int: PixelBuffer] = [:]
    /// The first frame that cannot be decoded; none after it can, as frames build on each other.
    private var failure: (index: Int, error: CodecError)?
    private var readingAhead: Task<Void, Never>?
    /// How many frames have been decoded, for those who measure.
    private(set) var decodedCount = 0

    /// Frames pass through the processor, then fit `box` when one is given; 32 MiB of them are kept by default.
    ///
    /// `preloadsAllFrames`, off by default, keeps every frame whatever they take; the limits then count all of them.
    public init(
        _ animation: Animation, within box: PixelSize? = nil, processor: any ImageProcessor = DefaultImageProcessor(),
        byteBudget: Int = 32 << 20, preloadsAllFrames: Bool = false, limits: DecodeLimits = .standard
    ) {
        let refusal = preloadsAllFrames ? Self.refusal(of: animation, limits) : nil
        self.init(
            FrameRecipe(animation, box: box, processor: processor, limits: limits),
            byteBudget: preloadsAllFrames ? .max : byteBudget, refusal: refusal)
    }

    /// With a refusal every frame fails.
    init(_ recipe: FrameRecipe, byteBudget: Int, refusal: CodecError? = nil) {
        self.recipe = recipe
        failure = refusal.map { (0, $0) }
        count = recipe.animation.frameCount
        window = FrameWindow(count: count, budget: byteBudget, frameBytes: recipe.expectedBytes)
    }

    /// The bytes of the kept frames.
    public var heldBytes: Int { window.heldBytes }

    /// The most bytes that kept frames ever took.
    public var peakBytes: Int { window.peakBytes }

    /// The frame, decoded now if it is not there, and from here on the ones after it ahead of time.
    ///
    /// Throws `.processor(.decodingFailed)` for a damaged frame and all after it, and what the processor throws.
    public func frame(at index: Int) async throws(CodecError) -> PixelBuffer {
        guard !Task.isCancelled else { throw .cancelled }
        guard (0..<count).contains(index) else {
            throw .processor(.decodingFailed(format: "animation", "no frame \(index) of \(count)"))
        }
        forget(window.move(to: index))
        defer { readAhead() }
        if let frame = frames[index] { return frame }
        return try decode(index)
    }

    /// Returns when nothing is left to decode ahead.
    public func finishReadingAhead() async { await readingAhead?.value }

    private func readAhead() {
        guard readingAhead == nil, window.next != nil else { return }
        readingAhead = Task { [weak self] in
            while await self?.decodeNext() == true { await Task.yield() }
        }
    }

    /// Decodes one frame ahead; false when there is nothing to do.
    ///
    /// Who asks for a frame comes in between.
    private func decodeNext() -> Bool {
        if failure == nil, let next = window.next, (try? decode(next)) != nil { return true }
        readingAhead = nil
        return false
    }

    private func decode(_ index: Int) throws(CodecError) -> PixelBuffer {
        if let failure, index >= failure.index { throw failure.error }
        do throws(CodecError) {
            var reader = try openReader()
            defer { self.reader = reader }
            let frame = try recipe.finish(try reader.frame(at: index))
            decodedCount += 1
            let dropped = window.insert(index, bytes: frame.bytes.count)
            forget(dropped)
            if !dropped.contains(index) { frames[index] = frame }
            return frame
        } catch {
            if error != .cancelled { failure = (index, error) }
            throw error
        }
    }

    private func openReader() throws(CodecError) -> any FrameReading {
        if let reader { return reader }
        return try recipe.reader.make()
    }

    private static func refusal(of animation: Animation, _ limits: DecodeLimits) -> CodecError? {
        do throws(CodecError) {
            try limits.check(allFrames: animation.frameCount, of: animation.canvasSize)
            return nil
        } catch {
            return error
        }
    }

    private func forget(_ indices: [Int]) { for index in indices { frames[index] = nil } }
}
