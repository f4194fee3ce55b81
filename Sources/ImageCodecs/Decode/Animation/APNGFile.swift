import FoundationEssentials
import Raster

/// The structure of an animated PNG: its canvas, its number of plays and the position of each frame; no pixels are
/// decoded.
///
/// Like Chromium and Firefox, it regards a file as a still picture if its animation chunks are invalid.
///
/// Source: W3C PNG, third edition, sections 4.9, 5.4 and 11.3.6.
struct APNGFile {
    private static let disposals: [UInt8: Disposal] = [0: .keep, 1: .clear, 2: .restore]

    private(set) var canvas = PixelSize.zero
    private(set) var orientation = Orientation.upright
    /// The number of plays; nil for endless.
    private(set) var loopCount: Int?
    private(set) var frames: [CanvasFrame] = []
    private let data: Data
    /// The number of frames that the file states; 0 before the acTL chunk is read.
    private var statedCount = 0
    /// The sequence number of the next fcTL or fdAT chunk.
    private var sequence = 0
    /// The bytes of the IHDR chunk that follow the size.
    private var header: [UInt8] = []
    /// The ranges of the chunks that define the colours of all frames.
    private var colorChunks: [Range<Int>] = []

    /// The smallest number of bytes that a frame adds to a file: its fcTL chunk.
    private static let smallestFrame = 38

    /// Reads the structure of an animated PNG.
    ///
    /// The result is nil for a still picture: a PNG without a valid acTL chunk before its pixels, an animation that
    /// consists of the default image only, and one with missing or additional frames, wrong sequence numbers or a
    /// frame outside the canvas.
    ///
    /// - Throws: `.processor(.limitExceeded)` for an animation that exceeds a limit.
    init?(_ data: Data, limits: DecodeLimits) throws(CodecError) {
        self.data = data
        guard let start = data.withUnsafeBytes({ readHead(ByteView(bytes: $0)) }) else { return nil }
        try limits.check(size: canvas, frames: statedCount)
        guard data.withUnsafeBytes({ readFrames(ByteView(bytes: $0), from: start) }) else { return nil }
    }

    /// Returns a frame as a still PNG of the frame's size; nil if the checksum of a chunk of its pixels is wrong.
    func still(of frame: CanvasFrame) -> Data? {
        data.withUnsafeBytes { bytes in
            guard let packed = Self.packed(frame, ByteView(bytes: bytes)) else { return nil }
            let size = [frame.size.width, frame.size.height].flatMap(PNGChunks.bigEndian)
            var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            file += PNGChunks.chunk(PNGChunks.ChunkName.header, size + header)
            for range in colorChunks { file.append(contentsOf: bytes[range]) }
            file += PNGChunks.chunk(PNGChunks.ChunkName.pixels, packed)
            return file + PNGChunks.chunk(PNGChunks.ChunkName.end, [])
        }
    }

    private static func packed(_ frame: CanvasFrame, _ view: ByteView) -> [UInt8]? {
        var all: [UInt8] = []
        let chunks = PNGChunks.all(in: view, from: frame.body.lowerBound)
        let name = frame.isDefaultImage ? PNGChunks.ChunkName.pixels : PNGChunks.ChunkName.frameData
        for chunk in chunks.lazy.prefix(while: { $0.end <= frame.body.upperBound }) where chunk.name == name {
            guard chunk.isIntact else { return nil }
            all += chunk.content.bytes.dropFirst(frame.isDefaultImage ? 0 : 4)
        }
        return all
    }
}

extension APNGFile {
    /// Reads the chunks before the pixels of the default image.
    ///
    /// - Returns: The offset of the first IDAT chunk; nil for a still picture.
    private mutating func readHead(_ view: ByteView) -> Int? {
        guard let first = PNGChunks.chunk(at: 8, in: view), first.name == PNGChunks.ChunkName.header, first.isIntact,
            readHeader(first.content)
        else { return nil }
        var offset = first.end
        while let next = PNGChunks.chunk(at: offset, in: view), next.name != PNGChunks.ChunkName.pixels {
            guard readBeforePixels(next, from: offset) else { return nil }
            offset = next.end
        }
        // A single frame that is the default image needs no composition.
        return statedCount > frames.count ? offset : nil
    }

    private mutating func readHeader(_ content: ByteView) -> Bool {
        guard content.bytes.count == 13, let width = content.number(at: 0, bytes: 4),
            let height = content.number(at: 4, bytes: 4), width > 0, height > 0, width <= Int32.max,
            height <= Int32.max
        else { return false }
        canvas = PixelSize(width: width, height: height)
        header = Array(content.bytes[8...])
        return true
    }

    /// Reads a chunk before the pixels; returns false if the animation is invalid.
    private mutating func readBeforePixels(_ chunk: PNGChunks.Chunk, from start: Int) -> Bool {
        switch chunk.name {
        case PNGChunks.ChunkName.animation: return chunk.isIntact && readControl(chunk.content)
        case PNGChunks.ChunkName.frame:
            guard frames.isEmpty, chunk.isIntact, readFrame(chunk.content) else { return false }
            frames[0].isDefaultImage = true
            return frames[0].size == canvas
        case PNGChunks.ChunkName.frameData, PNGChunks.ChunkName.end: return false
        case PNGChunks.ChunkName.exif where chunk.isIntact: orientation = Orientation(exif: chunk.content.bytes)
        case let name where PNGChunks.ChunkName.colors.contains(name): colorChunks.append(start..<chunk.end)
        default: break
        }
        return true
    }

    private mutating func readControl(_ content: ByteView) -> Bool {
        guard statedCount == 0, content.bytes.count == 8, let count = content.number(at: 0, bytes: 4),
            let plays = content.number(at: 4, bytes: 4), count > 0, count <= data.count / Self.smallestFrame,
            plays <= Int32.max
        else { return false }
        statedCount = count
        loopCount = plays == 0 ? nil : plays
        return true
    }

    /// Reads a frame control chunk.
    private mutating func readFrame(_ content: ByteView) -> Bool {
        guard content.bytes.count == 26, readSequence(content), let width = content.number(at: 4, bytes: 4),
            let height = content.number(at: 8, bytes: 4), let left = content.number(at: 12, bytes: 4),
            let top = content.number(at: 16, bytes: 4), let delay = content.number(at: 20, bytes: 2),
            let unit = content.number(at: 22, bytes: 2), let disposal = Self.disposals[content.bytes[24]],
            content.bytes[25] <= 1, width > 0, height > 0, left + width <= canvas.width,
            top + height <= canvas.height
        else { return false }
        frames.append(
            CanvasFrame(
                left: left, top: top, size: PixelSize(width: width, height: height),
                delay: .nanoseconds(delay * 1_000_000_000 / (unit == 0 ? 100 : unit)), disposal: disposal,
                isBlended: content.bytes[25] == 1))
        return true
    }

    private mutating func readSequence(_ content: ByteView) -> Bool {
        guard content.number(at: 0, bytes: 4) == sequence else { return false }
        sequence += 1
        return true
    }

    /// Reads the frames from the first IDAT chunk to the end mark; returns false if the animation is invalid.
    private mutating func readFrames(_ view: ByteView, from start: Int) -> Bool {
        var offset = start
        while let chunk = PNGChunks.chunk(at: offset, in: view), chunk.name == PNGChunks.ChunkName.pixels {
            if !frames.isEmpty { frames[0].body = start..<chunk.end }
            offset = chunk.end
        }
        var isAfterPixels = false
        while let chunk = PNGChunks.chunk(at: offset, in: view) {
            switch chunk.name {
            case PNGChunks.ChunkName.frame:
                guard frames.last?.body.isEmpty != true, frames.count < statedCount, chunk.isIntact,
                    readFrame(chunk.content)
                else { return false }
                isAfterPixels = true
            case PNGChunks.ChunkName.frameData:
                guard isAfterPixels, let last = frames.indices.last, readSequence(chunk.content) else { return false }
                let body = frames[last].body
                frames[last].body = (body.isEmpty ? offset : body.lowerBound)..<chunk.end
            case PNGChunks.ChunkName.end: return frames.count == statedCount && frames.last?.body.isEmpty == false
            case PNGChunks.ChunkName.animation, PNGChunks.ChunkName.pixels: return false
            default: break
            }
            offset = chunk.end
        }
        return false
    }
}

/// A reader that composes an animated PNG's frames on a canvas.
///
/// Each frame is decoded as a still PNG of its own, by the decoders of still pictures.
struct APNGFrameReader: FrameReading {
    private let file: APNGFile
    private let size: PixelSize
    private var canvas: FrameCanvas

    /// Creates a reader whose frames are scaled down to the upright size `size`.
    init(_ data: Data, size: PixelSize, limits: DecodeLimits) throws(CodecError) {
        guard let file = try APNGFile(data, limits: limits) else { throw .damaged(.png, "its animation is invalid") }
        self.file = file
        self.size = size
        canvas = FrameCanvas(size: file.canvas)
    }

    mutating func frame(at index: Int) throws(CodecError) -> PixelBuffer {
        if index < canvas.count - 1 { canvas = FrameCanvas(size: file.canvas) }
        while canvas.count <= index {
            let frame = file.frames[canvas.count]
            let pixels = try decode(frame, canvas.count)
            canvas.draw(pixels, of: frame)
        }
        return file.orientation.upright(canvas.pixels.resampled(to: file.orientation.upright(size)))
    }

    private func decode(_ frame: CanvasFrame, _ index: Int) throws(CodecError) -> PixelBuffer {
        guard let still = file.still(of: frame) else {
            throw .damaged(.png, "frame \(index + 1): the checksum of its pixels is wrong")
        }
        if let pixels = still.withUnsafeBytes({ PNGCodec($0)?.pixels(scaledTo: frame.size) }) { return pixels.pixels }
        do throws(CodecError) {
            return try VipsFile(still, format: .png).pngPicture(of: frame.size, within: nil)
        } catch {
            guard case .processor(.decodingFailed(_, let reason)) = error else { throw error }
            throw .damaged(.png, "frame \(index + 1): \(reason)")
        }
    }
}
