import Foundation
import Raster

/// The structure of a GIF file: its canvas, its loop count and the position of each frame; no pixels are decoded.
///
/// libnsgif 8.14, the GIF reader of libvips, stops after 4,097 frames, has to scan all earlier pages to find one, and
/// accepts files that end within a frame. Therefore frames are found and decoded here.
///
/// Source: the GIF89a specification, sections 17 to 27; the loop extension is Netscape's.
struct GIFFile {
    struct Frame: CanvasFrame {
        var left = 0
        var top = 0
        var size = PixelSize.zero
        var delay = Duration.zero
        var disposal = Disposal.keep
        let isBlended = true
        /// The index of the transparent colour.
        var transparentIndex: UInt8?
        /// The packed flags of the image descriptor.
        fileprivate var flags: UInt8 = 0
        /// The range of the local colour table and the codes in the file.
        fileprivate var body = 0..<0
    }

    private static let disposals: [UInt8: Disposal] = [2: .clear, 3: .restore]

    private(set) var canvas = PixelSize.zero
    /// The number of plays; nil for endless.
    private(set) var loopCount: Int? = 1
    private(set) var frames: [Frame] = []
    /// The fault of a file that ends too early; its last frame may lack pixels.
    private(set) var damage: PictureDamage?
    private let data: Data
    private var flags: UInt8 = 0
    private var palette = 0..<0
    /// The next frame, with the values of its graphic control extension.
    private var coming = Frame()

    /// Reads the structure of a GIF file.
    ///
    /// - Throws: `.processor(.decodingFailed)` for a damaged or truncated file, `.processor(.limitExceeded)` for one
    ///   that exceeds a limit.
    init(_ data: Data, limits: DecodeLimits) throws(CodecError) {
        self.data = data
        var cursor = GIFCursor(data)
        do throws(GIFCursor.Cut) {
            try readScreen(&cursor)
            while frames.count <= limits.frames, try readBlock(&cursor) {}
        } catch {
            // Some programs omit the last byte. Whether a whole frame is missing, too, cannot be known.
            damage =
                cursor.isBetweenBlocks ? .missingEnd : .incomplete("the file ends in frame \(max(1, frames.count))")
            if frames.isEmpty { throw Self.damaged("the file is cut off") }
            try limits.check(damage, of: .gif)
        }
        guard let first = frames.first else { throw Self.damaged("no frame") }
        // The first frame enlarges the canvas, as in browsers; later frames are clipped to the canvas.
        canvas = PixelSize(
            width: max(canvas.width, first.left + first.size.width),
            height: max(canvas.height, first.top + first.size.height))
        guard !canvas.isEmpty else { throw Self.damaged("no pixels") }
        for size in [canvas] + frames.map(\.size) { try limits.check(size: size, frames: frames.count) }
    }

    static func damaged(_ reason: String) -> CodecError {
        .processor(.decodingFailed(format: ImageFormat.gif.rawValue, reason))
    }

    /// The pixels of a frame, including transparent ones, with the first fault of its codes.
    func pixels(of frame: Frame) -> DecodedPixels {
        let tableCount = frame.flags & 0x80 == 0 ? 0 : 3 << (Int(frame.flags & 7) + 1)
        let body = bytes(frame.body)
        let table = Array(tableCount > 0 ? body.prefix(tableCount) : bytes(palette))
        var cursor = GIFCursor(body.dropFirst(tableCount))
        let bits = (try? cursor.byte()) ?? 0
        let indices = GIFCodes(bits: Int(bits), bytes: cursor.blocksToTheEnd()).indices(frame.size.area)
        let colors = GIFColors(table: table, transparentIndex: frame.transparentIndex)
        let damage = colors.covers(indices.values) ? nil : PictureDamage.corrupt("a pixel has no colour")
        return DecodedPixels(
            pixels: colors.picture(frame.size, indices.values, isInterlaced: frame.flags & 0x40 != 0),
            damage: indices.damage ?? damage)
    }

    private func bytes(_ range: Range<Int>) -> Data {
        data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound]
    }
}

extension GIFFile {
    private mutating func readScreen(_ cursor: inout GIFCursor) throws(GIFCursor.Cut) {
        try cursor.skip(6)
        canvas = PixelSize(width: try cursor.number(), height: try cursor.number())
        flags = try cursor.byte()
        try cursor.skip(2)
        palette = try cursor.colorTable(flags)
    }

    /// Reads the next block; returns false at the trailer and at an unknown block.
    private mutating func readBlock(_ cursor: inout GIFCursor) throws(GIFCursor.Cut) -> Bool {
        cursor.isBetweenBlocks = true
        let kind = try cursor.byte()
        cursor.isBetweenBlocks = false
        switch kind {
        case 0x21: try readExtension(&cursor)
        case 0x2C: try readFrame(&cursor)
        default: return false
        }
        return true
    }

    private mutating func readExtension(_ cursor: inout GIFCursor) throws(GIFCursor.Cut) {
        let label = try cursor.byte()
        let head = try cursor.block()
        guard !head.isEmpty else { return }
        switch (label, head.count) {
        case (0xF9, 4...): readControl(head)
        case (0xFF, 11) where ["NETSCAPE2.0", "ANIMEXTS1.0"].contains(String(decoding: head, as: UTF8.self)):
            let loop = try cursor.block()
            if loop.isEmpty { return }
            if loop.count >= 3, loop[0] == 1 {
                let repeats = Int(loop[1]) | Int(loop[2]) << 8
                loopCount = repeats == 0 ? nil : repeats + 1
            }
        default: break
        }
        try cursor.skipBlocks()
    }

    /// Reads a graphic control extension, which applies to the next frame.
    private mutating func readControl(_ bytes: [UInt8]) {
        coming.disposal = Self.disposals[bytes[0] >> 2 & 7] ?? .keep
        coming.delay = .milliseconds((Int(bytes[1]) | Int(bytes[2]) << 8) * 10)
        coming.transparentIndex = bytes[0] & 1 == 1 ? bytes[3] : nil
    }

    private mutating func readFrame(_ cursor: inout GIFCursor) throws(GIFCursor.Cut) {
        var frame = coming
        frame.left = try cursor.number()
        frame.top = try cursor.number()
        frame.size = PixelSize(width: try cursor.number(), height: try cursor.number())
        frame.flags = try cursor.byte()
        let start = cursor.offset
        _ = try cursor.colorTable(frame.flags)
        _ = try cursor.byte()
        coming = Frame()
        do throws(GIFCursor.Cut) { try cursor.skipBlocks() } catch {
            frame.body = start..<data.count
            frames.append(frame)
            throw error
        }
        frame.body = start..<cursor.offset
        frames.append(frame)
    }
}
