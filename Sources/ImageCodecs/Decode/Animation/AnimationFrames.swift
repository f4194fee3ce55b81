import FoundationEssentials
import Raster

/// A provider of an animation's frames that decodes ahead within a budget of bytes.
///
/// An animation that fits the budget is decoded once. For a longer one, the frames that are shown next are kept.
/// Additional memory is used for one canvas and the frame being decoded.
public actor AnimationFrames {
    /// The number of frames in the animation.
    public nonisolated let count: Int
    private let animation: Animation
    private let box: PixelSize?
    private let processor: any ImageProcessor
    private let limits: DecodeLimits
    private var reader: (any FrameReading)?
    private var window: FrameWindow
    private var frames: [Int: PixelBuffer] = [:]
    /// The index of the first frame that failed and its error; later frames depend on it and fail too.
    private var failure: (index: Int, error: CodecError)?
    private var readingAhead: Task<Void, Never>?
    /// The number of frames decoded so far, for measurements.
    private(set) var decodedCount = 0

    /// Creates a provider of processed frames.
    ///
    /// - Parameters:
    ///   - animation: The animation to decode.
    ///   - box: The box that processed frames are scaled to fit; nil keeps their size.
    ///   - processor: The processor applied to each frame.
    ///   - byteBudget: The bytes of frames to keep; 32 MiB by default.
    ///   - preloadsAllFrames: Whether every frame is kept regardless of the budget; false by default. The limits then
    ///     apply to all frames together.
    ///   - limits: The limits that the animation must keep to.
    public init(
        _ animation: Animation, within box: PixelSize? = nil, processor: any ImageProcessor = DefaultImageProcessor(),
        byteBudget: Int = 32 << 20, preloadsAllFrames: Bool = false, limits: DecodeLimits = .standard
    ) {
        self.animation = animation
        self.box = box.flatMap { $0.isEmpty ? nil : $0 }
        self.processor = processor
        self.limits = limits
        count = animation.frameCount
        failure = preloadsAllFrames ? Self.refusal(of: animation, limits).map { (0, $0) } : nil
        // The processor is expected to keep the size.
        let size = animation.canvasSize.fitted(into: box)
        window = FrameWindow(
            count: animation.frameCount, budget: preloadsAllFrames ? .max : byteBudget,
            frameBytes: size.area.multipliedReportingOverflow(by: 4).overflow ? .max : size.area * 4)
    }

    /// The bytes of the kept frames.
    public var heldBytes: Int { window.heldBytes }

    /// The largest number of bytes that the kept frames have taken.
    package var peakBytes: Int { window.peakBytes }

    /// Returns a frame, decoding it if needed, and starts to decode the following frames ahead.
    ///
    /// - Throws: `.processor(.decodingFailed)` for a damaged frame and all frames after it, or the error of the
    ///   processor.
    public func frame(at index: Int) async throws(CodecError) -> PixelBuffer {
        guard !Task.isCancelled else { throw .cancelled }
        guard (0..<count).contains(index) else {
            throw .damaged("animation", "no frame \(index) of \(count)")
        }
        forget(window.move(to: index))
        defer { readAhead() }
        if let frame = frames[index] { return frame }
        return try decode(index)
    }

    /// Waits until no frame is left to decode ahead.
    public func finishReadingAhead() async { await readingAhead?.value }

    private func readAhead() {
        guard readingAhead == nil, window.next != nil else { return }
        readingAhead = Task { [weak self] in
            while await self?.decodeNext() == true { await Task.yield() }
        }
    }

    /// Decodes one frame ahead.
    ///
    /// It decodes a single frame so that requests for frames can run between calls.
    ///
    /// - Returns: False when there is nothing to decode.
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
            let frame = try processed(try reader.frame(at: index))
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
        // The decoder scales if there is no processing step or the first one permits it.
        return try animation.frameReader(within: processor.steps.isEmpty ? box : processor.decodeBox, limits: limits)
    }

    private func processed(_ pixels: PixelBuffer) throws(CodecError) -> PixelBuffer {
        let frame = Image(
            pixels: pixels, originalSize: animation.canvasSize, format: animation.format ?? .gif,
            frameCount: animation.frameCount, byteCount: animation.file.count)
        let result = try processor.process(frame).pixels
        guard let box else { return result }
        return result.resampled(to: result.size.scaled(to: box))
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

/// The set of kept frames of an animation: those shown soonest, as many as fit a budget of bytes.
struct FrameWindow {
    let count: Int
    /// The largest number of bytes of kept frames; the current frame is kept even if it is larger.
    let budget: Int
    /// The index of the frame that is shown.
    private(set) var current = 0
    private(set) var heldBytes = 0
    /// The largest number of bytes that was kept.
    private(set) var peakBytes = 0
    private var held: [Int: Int] = [:]
    /// The bytes of the largest frame so far; assumed for frames that are not decoded yet.
    private var largest: Int

    /// Creates an empty window.
    ///
    /// - Parameters:
    ///   - count: The number of frames.
    ///   - budget: The bytes to keep at most.
    ///   - frameBytes: The expected bytes of one frame.
    init(count: Int, budget: Int, frameBytes: Int) {
        self.count = max(0, count)
        self.budget = max(0, budget)
        largest = max(1, frameBytes)
    }

    /// The number of frames that fit the budget, at least 1.
    var capacity: Int { max(1, min(count, budget / largest)) }

    func holds(_ index: Int) -> Bool { held[index] != nil }

    /// The missing frame that is shown soonest; nil when all frames that fit are kept.
    var next: Int? {
        (0..<min(count, capacity)).lazy.map { (current + $0) % count }.first { held[$0] == nil }
    }

    /// Makes a frame current; returns the frames to drop.
    mutating func move(to index: Int) -> [Int] {
        current = index
        return trim()
    }

    /// Adds a frame; returns the frames to drop, which may include the new one.
    mutating func insert(_ index: Int, bytes: Int) -> [Int] {
        largest = max(largest, bytes)
        held[index] = 0
        let dropped = trim()
        guard held[index] != nil else { return dropped + [index] }
        held[index] = bytes
        heldBytes += bytes
        peakBytes = max(peakBytes, heldBytes)
        return dropped
    }

    private mutating func trim() -> [Int] {
        let kept = capacity
        let dropped = held.keys.filter { distance(to: $0) >= kept }
        for index in dropped { heldBytes -= held.removeValue(forKey: index) ?? 0 }
        return dropped
    }

    /// Returns the number of frames from the current one forward to `index`, wrapping around.
    private func distance(to index: Int) -> Int { (index - current + count) % count }
}
