import FoundationEssentials
import Raster

/// The structure of a GIF file: its canvas, its loop count and the position of each frame; no pixels are decoded.
///
/// libnsgif 8.14, the GIF reader of libvips, stops after 4,097 frames, has to scan all earlier pages to find one, and
/// accepts files that end within a frame. Therefore frames are found and decoded here.
///
/// Source: the GIF89a specification, sections 17 to 27; the loop extension is Netscape's.
struct GIFFile {
    // Old encoders wrote 4 for 3, and browsers read it so.
    private static let disposals: [UInt8: Disposal] = [2: .clear, 3: .restore, 4: .restore]

    private(set) var canvas = PixelSize.zero
    /// The number of plays; nil for endless.
    private(set) var loopCount: Int? = 1
    private(set) var frames: [CanvasFrame] = []
    /// The fault of the file's blocks; if it ends too early, its last frame may lack pixels.
    private(set) var damage: PictureDamage?
    private let data: Data
    private var flags: UInt8 = 0
    private var palette = 0..<0
    /// The next frame, with the values of its graphic control extension.
    private var coming = CanvasFrame()

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
            let cut = PictureDamage.incomplete("the file ends in frame \(max(1, frames.count))")
            damage = damage ?? (cursor.isBetweenBlocks ? .missingEnd : cut)
            if frames.isEmpty { throw .damaged(.gif, "the file is cut off") }
        }
        guard let first = frames.first else { throw .damaged(.gif, "no frame") }
        try limits.check(damage, of: .gif)
        // The first frame enlarges the canvas, as in browsers; later frames are clipped to the canvas.
        canvas = PixelSize(
            width: max(canvas.width, first.left + first.size.width),
            height: max(canvas.height, first.top + first.size.height))
        guard !canvas.isEmpty else { throw .damaged(.gif, "no pixels") }
        for size in [canvas] + frames.map(\.size) { try limits.check(size: size, frames: frames.count) }
    }

    /// Returns the pixels of a frame, including transparent ones, with the first fault of its codes.
    func pixels(of frame: CanvasFrame) -> DecodedPixels {
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

    /// Reads the next block; returns false at the trailer, and at an unknown block after a frame.
    ///
    /// Unknown bytes before the first frame are skipped, as the GIF87a specification asks.
    private mutating func readBlock(_ cursor: inout GIFCursor) throws(GIFCursor.Cut) -> Bool {
        cursor.isBetweenBlocks = true
        let kind = try cursor.byte()
        cursor.isBetweenBlocks = false
        switch kind {
        case 0x21: try readExtension(&cursor)
        case 0x2C: try readFrame(&cursor)
        case 0x3B: return false
        default:
            guard frames.isEmpty else { return false }
            damage = .corrupt("unknown bytes precede its first frame")
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
        coming = CanvasFrame()
        do throws(GIFCursor.Cut) { try cursor.skipBlocks() } catch {
            frame.body = start..<data.count
            frames.append(frame)
            throw error
        }
        frame.body = start..<cursor.offset
        frames.append(frame)
    }
}

/// A reader that composes a GIF's frames on a canvas.
struct GIFFrameReader: FrameReading {
    private let file: GIFFile
    private let size: PixelSize
    private let limits: DecodeLimits
    /// The first fault of the frames that were drawn, or of the file.
    private(set) var damage: PictureDamage?
    private var canvas: FrameCanvas

    /// Creates a reader whose frames are scaled down to `size`.
    init(_ data: Data, size: PixelSize, limits: DecodeLimits) throws(CodecError) {
        file = try GIFFile(data, limits: limits)
        self.size = size
        self.limits = limits
        damage = file.damage
        canvas = FrameCanvas(size: file.canvas)
    }

    mutating func frame(at index: Int) throws(CodecError) -> PixelBuffer {
        if index < canvas.count - 1 { canvas = FrameCanvas(size: file.canvas) }
        while canvas.count <= index {
            let frame = file.frames[canvas.count]
            let pixels = frame.size.isEmpty ? nil : try decode(frame, canvas.count)
            canvas.draw(pixels, of: frame)
        }
        return canvas.pixels.resampled(to: size)
    }

    private mutating func decode(_ frame: CanvasFrame, _ index: Int) throws(CodecError) -> PixelBuffer {
        InProcessDecoding.check()
        let decoded = file.pixels(of: frame)
        let found = decoded.damage.map { $0.in(frame: index, of: file.frames.count) }
        try limits.check(found, of: .gif)
        damage = damage ?? found
        return decoded.pixels
    }
}

extension PictureDamage {
    /// Returns the damage with the number of the frame, if there are several.
    fileprivate func `in`(frame index: Int, of count: Int) -> PictureDamage {
        guard count > 1 else { return self }
        return switch self {
        case .missingEnd: self
        case .incomplete(let reason): .incomplete("frame \(index + 1): \(reason)")
        case .corrupt(let reason): .corrupt("frame \(index + 1): \(reason)")
        }
    }
}

/// A forward reader of a GIF's bytes that never reads past the end.
struct GIFCursor {
    /// The error for bytes that end too early.
    struct Cut: Error {}

    private(set) var offset = 0
    /// Whether the next byte is the first of a block.
    var isBetweenBlocks = false
    private let data: Data

    init(_ data: Data) { self.data = data }

    mutating func byte() throws(Cut) -> UInt8 {
        guard offset < data.count else { throw Cut() }
        defer { offset += 1 }
        return data[data.startIndex + offset]
    }

    /// Reads a 16-bit number in little-endian order.
    mutating func number() throws(Cut) -> Int { Int(try byte()) | Int(try byte()) << 8 }

    mutating func skip(_ count: Int) throws(Cut) {
        guard count <= data.count - offset else { throw Cut() }
        offset += count
    }

    /// Skips the colour table that the flags announce.
    ///
    /// - Returns: The range of the table's bytes; empty if there is none.
    mutating func colorTable(_ flags: UInt8) throws(Cut) -> Range<Int> {
        let start = offset
        if flags & 0x80 != 0 { try skip(3 << (Int(flags & 7) + 1)) }
        return start..<offset
    }

    /// Reads the next sub-block; empty for the terminator.
    mutating func block() throws(Cut) -> [UInt8] {
        let count = Int(try byte())
        let start = data.startIndex + offset
        try skip(count)
        return Array(data[start..<start + count])
    }

    /// Reads the sub-blocks up to the terminator, or to the end of the bytes, and joins their bytes.
    mutating func blocksToTheEnd() -> [UInt8] {
        var all: [UInt8] = []
        while let count = try? byte(), count > 0 {
            let part = data.dropFirst(offset).prefix(Int(count))
            all += part
            offset += part.count
        }
        return all
    }

    /// Skips all sub-blocks and the terminator.
    mutating func skipBlocks() throws(Cut) {
        while case let count = Int(try byte()), count > 0 { try skip(count) }
    }
}

/// The LZW codes of one GIF frame, which encode its colour indices.
///
/// Source: GIF89a, appendix F; T. Welch, "A Technique for High-Performance Data Compression" (1984).
struct GIFCodes {
    /// The number of bits of an index (LZW minimum code size), which determines the initial code length.
    let bits: Int
    /// The data of the code blocks, without their length bytes.
    let bytes: [UInt8]

    /// The indices up to the first fault.
    struct Indices {
        var values: [UInt8] = []
        /// The first fault; nil if all indices are there.
        var damage: PictureDamage?
    }

    /// Decodes the first `count` indices, or those before the first fault.
    func indices(_ count: Int) -> Indices {
        // Up to 11, codes of more bits than an index are within the 12 bits of the longest code.
        guard (1...11).contains(bits) else { return Indices(damage: .corrupt("its codes have \(bits) bits")) }
        var strings = Strings(bits: bits)
        var damage: PictureDamage?
        let values = [UInt8](unsafeUninitializedCapacity: count) { output, written in
            (written, damage) = unpack(into: output, &strings)
        }
        return Indices(values: values, damage: damage)
    }

    /// Writes indices and returns their number and the first fault.
    private func unpack(
        into output: UnsafeMutableBufferPointer<UInt8>, _ strings: inout Strings
    ) -> (Int, PictureDamage?) {
        let (clear, end) = (1 << bits, 1 << bits + 1)
        var (window, available, place, written) = (0, 0, 0, 0)
        var previous: Int?
        while written < output.count {
            while available < strings.codeLength {
                guard place < bytes.count else { return (written, tooFew(written, output.count)) }
                window |= Int(bytes[place]) << available
                (available, place) = (available + 8, place + 1)
            }
            let code = window & (1 << strings.codeLength - 1)
            window >>= strings.codeLength
            available -= strings.codeLength
            if code == clear {
                strings.clear()
                previous = nil
                continue
            }
            guard code != end else { return (written, tooFew(written, output.count)) }
            guard code < strings.count || (code == strings.count && previous != nil) else {
                return (written, .corrupt("pixel \(written + 1) has an invalid code"))
            }
            written += strings.write(code, after: previous, to: output, at: written)
            previous = code
        }
        return (written, nil)
    }

    private func tooFew(_ count: Int, _ expected: Int) -> PictureDamage {
        .corrupt("its codes end at pixel \(count) of \(expected)")
    }
}

/// The LZW string table: each string is an earlier string and one index.
private struct Strings {
    private let bits: Int
    private(set) var count: Int
    private(set) var codeLength: Int
    private var prefixes = [Int](repeating: 0, count: capacity)
    private var lasts = [UInt8](repeating: 0, count: capacity)
    private var firsts = [UInt8](repeating: 0, count: capacity)
    private var lengths = [Int](repeating: 1, count: capacity)

    private static let capacity = 4096

    init(bits: Int) {
        self.bits = bits
        (count, codeLength) = (1 << bits + 2, bits + 1)
        for index in 0..<1 << bits { (lasts[index], firsts[index]) = (UInt8(clamping: index), UInt8(clamping: index)) }
    }

    mutating func clear() { (count, codeLength) = (1 << bits + 2, bits + 1) }

    /// Writes the string of a code as far as it fits, and adds a string to the table.
    ///
    /// The added string is the previous code's string and the first index of the current one.
    ///
    /// - Returns: The number of indices written.
    mutating func write(
        _ code: Int, after previous: Int?, to output: UnsafeMutableBufferPointer<UInt8>, at start: Int
    ) -> Int {
        if let previous, count < Self.capacity { learn(previous, firsts[code == count ? previous : code]) }
        let length = lengths[code]
        var (place, next) = (start + length - 1, code)
        while place >= start {
            if place < output.count { output[place] = lasts[next] }
            (place, next) = (place - 1, prefixes[next])
        }
        return min(length, output.count - start)
    }

    private mutating func learn(_ prefix: Int, _ last: UInt8) {
        (prefixes[count], lasts[count], firsts[count]) = (prefix, last, firsts[prefix])
        lengths[count] = lengths[prefix] + 1
        count += 1
        if count == 1 << codeLength, codeLength < 12 { codeLength += 1 }
    }
}

/// The colour table of a GIF frame.
struct GIFColors {
    /// Three bytes for each index: red, green and blue.
    let table: [UInt8]
    let transparentIndex: UInt8?

    /// The first row and the row step of the four passes of an interlaced frame.
    ///
    /// Source: GIF89a, appendix E.
    private static let passes = [(0, 8), (4, 8), (2, 4), (1, 2)]

    /// Returns whether every index has a colour.
    func covers(_ indices: [UInt8]) -> Bool { Int(indices.max() ?? 0) < table.count / 3 }

    /// Returns the pixels for the frame's indices; missing indices, and those without a colour, are transparent.
    func picture(_ size: PixelSize, _ indices: [UInt8], isInterlaced: Bool) -> PixelBuffer {
        let words = words
        let rows = isInterlaced ? Self.passes.flatMap { stride(from: $0.0, to: size.height, by: $0.1) } : nil
        return PixelBuffer(size: size) { bytes in
            let memory = UnsafeMutableRawBufferPointer(bytes)
            for place in 0..<size.height {
                let (source, target) = (place * size.width, (rows?[place] ?? place) * size.width)
                for x in 0..<size.width {
                    let word = source + x < indices.count ? words[Int(indices[source + x])] : 0
                    memory.storeBytes(of: word, toByteOffset: (target + x) * 4, as: UInt32.self)
                }
            }
        }
    }

    /// The pixel of each of 256 indices as four bytes: red in the lowest byte, alpha in the highest.
    private var words: [UInt32] {
        (0..<256).map { index in
            if index >= table.count / 3 || transparentIndex.map(Int.init) == index { return 0 }
            return UInt32(table[index * 3]) | UInt32(table[index * 3 + 1]) << 8 | UInt32(table[index * 3 + 2]) << 16
                | 0xFF00_0000
        }
    }
}
