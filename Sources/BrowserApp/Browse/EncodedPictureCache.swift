import AlcedoBrowserCore
import AlcedoScreen
import ImageLoading
import Raster
import TerminalGraphics

/// A cache of encoded pictures by request.
///
/// Animation frames have a budget of their own, so that they do not evict the pictures that users return to.
///
/// Equal requests at the same time are encoded once.
@MainActor
final class EncodedPictureCache {
    private let encoder = FrameEncoder()
    private let lasting: MemoryStorage<EncodedPicture>
    private let transient: MemoryStorage<EncodedPicture>
    private var running: [EncodedFrameKey: Task<EncodedPicture?, Never>] = [:]
    /// The number of encoded pictures, for measurements.
    private(set) var madeCount = 0

    /// - Parameters:
    ///   - lasting: The budget for still pictures in bytes.
    ///   - transient: The budget for animation and transition frames in bytes.
    init(lasting: Int, transient: Int) {
        self.lasting = Self.storage(lasting)
        self.transient = Self.storage(transient)
    }

    private static func storage(_ budget: Int) -> MemoryStorage<EncodedPicture> {
        MemoryStorage(configuration: .init(totalCostLimit: budget, entryShare: 1, expiration: .never))
    }

    /// Returns the picture for a request if it is cached, and marks it as used.
    func picture(for request: EncodeRequest) -> EncodedPicture? {
        storage(of: request).value(forKey: request.key.text)
    }

    /// Returns the picture, encoding it if necessary; nil if it cannot be encoded.
    func make(_ request: EncodeRequest) async -> EncodedPicture? {
        if let known = picture(for: request) { return known }
        if let task = running[request.key] { return await task.value }
        let work = Task { await encoder.make(request) }
        running[request.key] = work
        let result = await work.value
        running[request.key] = nil
        madeCount += 1
        if let result { storage(of: request).store(result, forKey: request.key.text, cost: result.cost) }
        return result
    }

    private func storage(of request: EncodeRequest) -> MemoryStorage<EncodedPicture> {
        request.isLasting ? lasting : transient
    }
}

/// A key of an encoded picture: equal keys mean equal bytes.
struct EncodedFrameKey: Hashable {
    /// The image's cache key.
    let image: String
    /// The identifier of the applied processors; empty for none.
    var processors = ""
    /// The number of the frame of an animation, or of a transition's step; 0 for a still picture.
    var frame = 0
    /// The size in pixels before encoding.
    let size: PixelSize
    /// The encoder with its protocol, limits, background and cell size.
    let encoder: PictureEncoder
    /// The quality of the colours.
    var quality = Quality.best

    /// The hash of the key; 64 bits suffice to distinguish the few pictures of a run.
    var text: String { String(hashValue, radix: 36) }
}

/// Encodes frames on request.
@MainActor
final class FrameEncoder {
    /// The ends of the last transition; all its frames share one palette, which prevents flicker.
    private var ends: TransitionEnds?
    private var stepPalette: Palette?

    /// The inputs that determine a transition's palette.
    private struct TransitionEnds: Equatable {
        let old: PixelBuffer?
        let new: String
        let encoder: PictureEncoder
    }

    /// Encodes a frame; returns nil if it cannot be decoded.
    func make(_ request: EncodeRequest) async -> EncodedPicture? {
        switch request.appearance {
        case .still where request.hasHoles: await request.encoder.encodeWithHoles(request.pixels)
        case .still: await request.encoder.encode(request.pixels, quality: request.key.quality)
        case .frame(let playback, let index): await frame(index, of: playback, request)
        case .step(let transition, let old, let step): await self.step(step, of: transition, from: old, request)
        }
    }

    private func frame(_ index: Int, of playback: AnimationPlayback, _ request: EncodeRequest) async -> EncodedPicture?
    {
        let first = index == 0 ? request.pixels : nil
        var pixels = first
        if pixels == nil { pixels = await playback.pixels(of: index) }
        guard let pixels else { return nil }
        let palette = await playback.palette(of: index, pixels, request.encoder)
        return await request.encoder.encodeFrame(pixels, reducedTo: request.key.size, palette: palette)
    }

    private func step(
        _ step: Int, of transition: Transition, from old: PixelBuffer?, _ request: EncodeRequest
    ) async -> EncodedPicture {
        let palette = await sharedPalette(from: old, request)
        let frame = await Self.frame(
            transition, from: old, to: request.pixels, step: step, background: request.encoder.background)
        return await request.encoder.encodeFrame(frame, reducedTo: request.key.size, palette: palette)
    }

    private func sharedPalette(from old: PixelBuffer?, _ request: EncodeRequest) async -> Palette? {
        let found = TransitionEnds(old: old, new: request.key.image, encoder: request.encoder)
        if found == ends { return stepPalette }
        let ground = PixelBuffer(size: PixelSize(width: 1, height: 1), filledWith: request.encoder.background)
        let palette = await request.encoder.palette(for: [old ?? ground, request.pixels])
        (ends, stepPalette) = (found, palette)
        return palette
    }

    @concurrent
    private static func frame(
        _ transition: Transition, from old: PixelBuffer?, to new: PixelBuffer, step: Int, background: Color
    ) async -> PixelBuffer {
        transition.frame(
            from: old, to: new, progress: Double(step) / Double(PicturePlacement.finished), background: background)
    }
}

/// A request to encode one appearance of a picture.
struct EncodeRequest {
    enum Appearance {
        /// The picture at rest.
        case still
        /// A frame of an animation.
        case frame(AnimationPlayback, Int)
        /// A step of a transition from the picture before.
        case step(Transition, from: PixelBuffer?, Int)
    }

    /// The picture that waits for the result; nil if it is encoded ahead of time.
    let picture: PictureID?
    let pixels: PixelBuffer
    let appearance: Appearance
    let encoder: PictureEncoder
    let key: EncodedFrameKey
    /// Whether the frame belongs to a sequence, in which no frame should interrupt its predecessor.
    let isMoving: Bool
    /// Whether users may return to it.
    let isLasting: Bool
    /// Whether the text below transparent pixels stays.
    let hasHoles: Bool

    /// - Parameter size: The size to which transient frames are reduced; ignored if the terminal cannot stretch them.
    init(
        _ picture: PictureID?, _ decoded: DecodedPicture, _ appearance: Appearance, reducedTo size: PixelSize,
        encoder: PictureEncoder
    ) {
        (self.picture, self.appearance, self.encoder) = (picture, appearance, encoder)
        pixels = decoded.pixels
        hasHoles = decoded.role == .lattice
        if case .still = appearance { isMoving = decoded.role == .placeholder } else { isMoving = true }
        key = Self.key(decoded, appearance, encoder.canStretch ? size : decoded.pixels.size, encoder)
        isLasting =
            switch appearance {
            case .still: !decoded.isPartial
            case .frame(_, let index): index == 0
            case .step: false
            }
    }

    var isStill: Bool { if case .still = appearance { true } else { false } }

    var isStep: Bool { if case .step = appearance { true } else { false } }

    private static func key(
        _ decoded: DecodedPicture, _ appearance: Appearance, _ reduced: PixelSize, _ encoder: PictureEncoder
    ) -> EncodedFrameKey {
        switch appearance {
        case .still:
            EncodedFrameKey(
                image: decoded.key, size: decoded.pixels.size, encoder: encoder,
                quality: decoded.isPartial ? .fast : .best)
        case .frame(_, let index):
            EncodedFrameKey(image: decoded.key, frame: index, size: reduced, encoder: encoder, quality: .fast)
        case .step(_, _, let step):
            EncodedFrameKey(
                image: decoded.key, processors: "transition", frame: step, size: reduced, encoder: encoder,
                quality: .fast)
        }
    }
}

/// For each picture, the frame that is shown and the frame that is ready to follow it.
struct DisplayedFrames {
    struct Frame {
        let key: EncodedFrameKey
        let picture: EncodedPicture
        /// Different for every new frame.
        let generation: Int
        let isMoving: Bool
        let isStep: Bool
    }

    private var ready: [PictureID: Frame] = [:]
    private var shown: [PictureID: Frame] = [:]
    private var lastGeneration = 0

    /// Stores an encoded frame; a transition step that arrives after the transition's end is dropped.
    mutating func offer(_ picture: EncodedPicture, for request: EncodeRequest) {
        guard let id = request.picture, ready[id]?.key != request.key else { return }
        if request.isStep, let known = ready[id], !known.isStep { return }
        lastGeneration += 1
        ready[id] = Frame(
            key: request.key, picture: picture, generation: lastGeneration, isMoving: request.isMoving,
            isStep: request.isStep)
    }

    /// Returns whether a request equals the last stored frame.
    func isReady(_ request: EncodeRequest) -> Bool { request.picture.flatMap { ready[$0]?.key } == request.key }

    /// Returns the frame to show; `isNew` is true if it was not shown before.
    ///
    /// While the terminal is busy with a frame of an animation, no other frame interrupts it.
    mutating func frame(of id: PictureID, isBusy: Bool) -> (frame: Frame, isNew: Bool)? {
        guard let next = ready[id] else { return nil }
        guard let current = shown[id], current.generation != next.generation else {
            let isNew = shown[id] == nil
            shown[id] = next
            return (next, isNew)
        }
        guard !isBusy || !current.isMoving || !next.isMoving else { return (current, false) }
        shown[id] = next
        return (next, true)
    }

    mutating func remove(_ id: PictureID) {
        ready[id] = nil
        shown[id] = nil
    }

    mutating func removeAll() {
        ready = [:]
        shown = [:]
    }
}
