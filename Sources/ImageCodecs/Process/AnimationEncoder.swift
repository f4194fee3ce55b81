import FoundationEssentials
import Raster

extension ImageEncoder {
    /// Encodes an animation as an animated GIF, WebP or PNG with the delays and the number of plays of its file.
    ///
    /// Frames are decoded and processed one after the other. GIF and WebP need all of them in memory, so
    /// `DecodeLimits.pixels` bounds them together; PNG needs two.
    ///
    /// - Parameters:
    ///   - animation: The animation to encode.
    ///   - format: GIF, WebP or PNG.
    ///   - processor: The processor applied to each frame; all results must have the same size.
    ///   - quality: The quality of WebP; 85 by default, clamped to 1…100.
    ///   - isLossless: Whether WebP is encoded without loss; false by default.
    ///   - limits: The limits that the animation must keep to.
    /// - Throws: The error of a frame, or `CodecError.processor`; nothing partial is returned.
    public static func encode(
        _ animation: Animation, as format: ImageFormat, processor: any ImageProcessor = DefaultImageProcessor(),
        quality: Int = standardQuality, isLossless: Bool = false, limits: DecodeLimits = .standard
    ) async throws(CodecError) -> Data {
        // Each frame is used once: none but the next one is decoded ahead.
        let frames = AnimationFrames(animation, processor: processor, byteBudget: 1, limits: limits)
        let first = try await frames.frame(at: 0)
        if format == .png {
            var file = APNGWriter(first, delays: animation.delays, loopCount: animation.loopCount)
            for index in 0..<frames.count { try file.add(try await frames.frame(at: index)) }
            return file.finished
        }
        let suffix = try suffix(of: format, quality: quality, isLossless: isLossless)
        try limits.check(allFrames: frames.count, of: first.size)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(first.bytes.count * frames.count)
        for index in 0..<frames.count {
            let frame = try await frames.frame(at: index)
            try check(frame.size, first.size)
            bytes += frame.bytes
        }
        let size = PixelSize(width: first.size.width, height: first.size.height * frames.count)
        guard let strip = PixelBuffer(size: size, bytes: bytes) else { throw .damaged("animation", "it has no frames") }
        let delays = format == .gif ? hundredths(animation.delays) : animation.delays.map(\.wholeMilliseconds)
        var file = try VipsOperations.file(
            of: strip, format: format, suffix: suffix,
            frames: FrameTiming(height: first.size.height, delays: delays, plays: animation.loopCount ?? 0))
        // libwebp looks only at the rectangles that change. Source: WebP Container Specification, extended format.
        let chunk = file.startIndex + 12
        if format == .webP, !strip.isOpaque, file[chunk..<chunk + 4] == Data("VP8X".utf8) { file[chunk + 8] |= 0x10 }
        return file
    }

    /// Returns delays of whole hundredths of a second, in milliseconds, whose sum stays that of the delays.
    private static func hundredths(_ delays: [Duration]) -> [Int32] {
        var (end, written) = (Duration.zero, 0)
        return delays.map { delay in
            end += min(delay, .seconds(600))
            let hundredths = max(2, Int((end / .milliseconds(10)).rounded()) - written)
            written += hundredths
            return Int32(clamping: hundredths * 10)
        }
    }

    fileprivate static func check(_ size: PixelSize, _ first: PixelSize) throws(CodecError) {
        guard size == first else {
            throw .processor(.processingFailed(identifier: "animation", "frames of \(first) and of \(size)"))
        }
    }
}

extension Duration {
    /// The milliseconds, rounded, at most a day.
    fileprivate var wholeMilliseconds: Int32 {
        Int32(min(86_400_000, max(0, (self / .milliseconds(1)).rounded())))
    }
}

/// The height and timing of frames that stand one below the other in one picture.
package struct FrameTiming {
    let height: Int
    /// The milliseconds of each frame.
    let delays: [Int32]
    /// The number of plays; 0 for endless.
    let plays: Int
}

/// An animated PNG that is written frame by frame; a frame holds only the rectangle that differs from the one before.
///
/// Source: W3C PNG, third edition, sections 4.9 and 11.3.6.
private struct APNGWriter {
    private let delays: [Duration]
    private var file: Data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    private var last: PixelBuffer
    private var count = 0
    /// The sequence number of the next fcTL or fdAT chunk.
    private var sequence = 0

    init(_ first: PixelBuffer, delays: [Duration], loopCount: Int?) {
        (self.delays, last) = (delays, first)
        let size = PNGChunks.bigEndian(first.size.width) + PNGChunks.bigEndian(first.size.height)
        // Eight bits, colour with alpha, no interlacing.
        file += PNGChunks.chunk(PNGChunks.ChunkName.header, size + [8, 6, 0, 0, 0])
        file += PNGChunks.chunk(
            PNGChunks.ChunkName.animation,
            PNGChunks.bigEndian(delays.count) + PNGChunks.bigEndian(min(loopCount ?? 0, Int(Int32.max))))
    }

    /// The file with its end.
    var finished: Data { file + PNGChunks.chunk(PNGChunks.ChunkName.end, []) }

    mutating func add(_ frame: PixelBuffer) throws(CodecError) {
        try ImageEncoder.check(frame.size, last.size)
        let rect = count == 0 ? PixelRect(frame.size) : PixelRect(differing: frame, from: last)
        file += PNGChunks.chunk(PNGChunks.ChunkName.frame, control(of: rect))
        let still = try frame.part(rect).pngData()
        let pixels = still.withUnsafeBytes { bytes in
            PNGChunks.all(in: ByteView(bytes: bytes)).lazy.filter { $0.name == PNGChunks.ChunkName.pixels }
                .flatMap { Array($0.content.bytes) }
        }
        if count == 0 {
            file += PNGChunks.chunk(PNGChunks.ChunkName.pixels, Array(pixels))
        } else {
            file += PNGChunks.chunk(PNGChunks.ChunkName.frameData, nextNumber() + pixels)
        }
        (last, count) = (frame, count + 1)
    }

    private mutating func nextNumber() -> [UInt8] {
        defer { sequence += 1 }
        return PNGChunks.bigEndian(sequence)
    }

    /// The content of the fcTL chunk: the pixels replace those before and stay.
    private mutating func control(of rect: PixelRect) -> [UInt8] {
        let place = [rect.size.width, rect.size.height, rect.x, rect.y].flatMap(PNGChunks.bigEndian)
        let delay = delays[count].wholeMilliseconds
        // Two bytes hold 65 s in thousandths, and 18 hours in seconds.
        let (part, unit) = delay <= UInt16.max ? (delay, 1000) : (min(delay / 1000, Int32(UInt16.max)), 1)
        let time = [part >> 8, part, Int32(unit >> 8), Int32(unit)].map { UInt8(truncatingIfNeeded: $0) }
        return nextNumber() + place + time + [0, 0]
    }
}

/// A rectangle of pixels.
struct PixelRect {
    var (x, y) = (0, 0)
    var size: PixelSize

    init(_ size: PixelSize) { self.size = size }

    /// The smallest rectangle that holds every pixel that differs; one pixel if none does.
    init(differing frame: PixelBuffer, from other: PixelBuffer) {
        let width = frame.size.width
        var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
        frame.bytes.withUnsafeBytes { new in
            other.bytes.withUnsafeBytes { old in
                for y in 0..<frame.size.height {
                    for x in 0..<width {
                        let offset = (y * width + x) * 4
                        guard
                            new.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                                != old.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                        else { continue }
                        (left, right) = (min(left, x), max(right, x))
                        (top, bottom) = (min(top, y), max(bottom, y))
                    }
                }
            }
        }
        guard right >= 0 else {
            size = PixelSize(width: 1, height: 1)
            return
        }
        (x, y) = (left, top)
        size = PixelSize(width: right - left + 1, height: bottom - top + 1)
    }
}

extension PixelBuffer {
    func part(_ rect: PixelRect) -> PixelBuffer {
        if rect.size == size { return self }
        return PixelBuffer(size: rect.size) { target in
            let row = rect.size.width * 4
            for y in 0..<rect.size.height {
                let start = ((rect.y + y) * size.width + rect.x) * 4
                _ = target[(y * row)..<(y * row + row)].initialize(from: bytes[start..<(start + row)])
            }
        }
    }
}
