import AlcedoCDeflate
import FoundationEssentials
import Raster

/// The chunks of a PNG file that are needed to decode its picture.
///
/// Source: W3C PNG, third edition, sections 5 and 11.
struct PNGChunks {
    enum ColorType: UInt8 {
        case grey = 0, color = 2, palette = 3, greyAlpha = 4, colorAlpha = 6

        var channels: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .color: 3
            case .colorAlpha: 4
            }
        }
    }

    private(set) var width = 0
    private(set) var height = 0
    private(set) var depth = 0
    private(set) var type = ColorType.grey
    private(set) var palette: [UInt8] = []
    /// The alpha values of the palette, or the two bytes per channel of the single transparent colour.
    private(set) var transparency: [UInt8] = []
    private(set) var orientation = Orientation.upright
    /// The number of frames that an acTL chunk states.
    private var frameCount = 0
    /// Whether the default image is a frame of the animation.
    private var isFirstFrame = false
    private(set) var colorSpace = PNGColorSpace()
    /// Whether the file is of Apple's own kind, as in packages for iOS: its pixels are a bare deflate stream, in the order
    /// blue, green, red, and premultiplied by alpha.
    let isApple: Bool
    /// Whether the colour profile is an sRGB profile; true without a profile.
    private var hasStandardProfile = true
    /// The offset of the first IDAT chunk.
    private var start = 8
    private let view: ByteView

    /// Reads the chunks before the pixels; nil for an invalid or interlaced file, and for a transparent colour or Apple's
    /// own kind with 16 bits per channel.
    init?(_ bytes: UnsafeRawBufferPointer) {
        view = ByteView(bytes: bytes)
        isApple = Self.headerStart(view) != 8
        guard let header = chunk(at: Self.headerStart(view)), header.name == ChunkName.header, header.isIntact,
            readHeader(header.content)
        else { return nil }
        start = header.end
        while let next = chunk(at: start), next.name != ChunkName.pixels {
            guard read(next) else { return nil }
            start = next.end
        }
        guard chunk(at: start)?.name == ChunkName.pixels, type != .palette || !palette.isEmpty,
            depth < 16 || transparency.isEmpty
        else { return nil }
    }

    /// Whether the file may be an animation of more than the default image.
    var isAnimated: Bool { frameCount > (isFirstFrame ? 1 : 0) }

    /// Whether the colours need a colour profile other than sRGB.
    var needsProfile: Bool { colorSpace.usesProfile && !hasStandardProfile }

    /// Returns the offset of the header's chunk: 8, or 24 after the chunk `CgBI` of Apple's own kind.
    static func headerStart(_ view: ByteView) -> Int { view.has("CgBI", at: 12) ? 24 : 8 }

    /// Returns whether the first chunk is a header with a correct checksum.
    static func hasIntactHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        chunk(at: 8, in: ByteView(bytes: bytes)).map { $0.name == ChunkName.header && $0.isIntact } ?? false
    }

    /// The compressed pixels of all IDAT chunks; nil if a chunk is damaged or the file ends too early.
    var packed: [UInt8]? {
        var all: [UInt8] = []
        for next in Self.all(in: view, from: start) {
            guard next.isIntact else { return nil }
            guard next.name == ChunkName.pixels else { return all }
            all += next.content.bytes
        }
        return nil
    }

    private mutating func readHeader(_ content: ByteView) -> Bool {
        guard content.bytes.count == 13, let width = content.number(at: 0, bytes: 4),
            let height = content.number(at: 4, bytes: 4), let type = ColorType(rawValue: content.bytes[9]),
            width > 0, height > 0, width <= Int32.max, height <= Int32.max,
            content.bytes[10...12].allSatisfy({ $0 == 0 })
        else { return false }
        (self.width, self.height, self.type, depth) = (width, height, type, Int(content.bytes[8]))
        return depth == 8 || (depth == 16 && type != .palette && !isApple)
            || ([1, 2, 4].contains(depth) && (type == .grey || type == .palette))
    }

    private mutating func read(_ chunk: Chunk) -> Bool {
        guard chunk.isIntact else { return false }
        switch chunk.name {
        case ChunkName.palette:
            palette = Array(chunk.content.bytes)
            colorSpace.read(chunk)
            return palette.count % 3 == 0 && palette.count <= 768
        case ChunkName.transparency:
            transparency = Array(chunk.content.bytes)
            // Grey and RGB have one transparent colour; types with an alpha channel must not have this chunk.
            return type == .palette || (type.channels % 2 == 1 && transparency.count == type.channels * 2)
        case ChunkName.animation: frameCount = chunk.content.number(at: 0, bytes: 4) ?? 0
        case ChunkName.frame: isFirstFrame = true
        case ChunkName.exif: orientation = Orientation(exif: chunk.content.bytes)
        case ChunkName.profile:
            if !colorSpace.hasProfileChunk { hasStandardProfile = Self.isSRGB(chunk.content.bytes) }
            colorSpace.read(chunk)
        case ChunkName.codePoints, ChunkName.standard, ChunkName.gamma, ChunkName.primaries,
            ChunkName.contentLight, ChunkName.masteringDisplay:
            colorSpace.read(chunk)
        // Accepts ancillary chunks, whose names begin with a lower-case letter; refuses unknown critical chunks and
        // invalid names.
        default: return (0x61...0x7A).contains(chunk.name >> 24)
        }
        return true
    }

    /// Returns whether an iCCP chunk holds an sRGB profile.
    ///
    /// The chunk holds a name with a final zero, a byte for the method, and a zlib stream. Profiles of more than 4 MiB
    /// are not taken for sRGB.
    private static func isSRGB(_ content: UnsafeRawBufferPointer) -> Bool {
        profile(in: content) { ICCProfile($0).isSRGB } ?? false
    }

    /// Reads the profile of an iCCP chunk; nil if it is damaged or larger than 4 MiB.
    static func profile<Result>(
        in content: UnsafeRawBufferPointer, _ read: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        guard let end = content.firstIndex(of: 0), end + 2 < content.count else { return nil }
        let packed = UnsafeRawBufferPointer(rebasing: content[(end + 2)...])
        return Inflating.bytes(packed, atMost: 4 << 20)?.withUnsafeBytes(read)
    }
}

extension PNGChunks {
    enum ChunkName {
        static let header = 0x4948_4452  // IHDR
        static let palette = 0x504C_5445  // PLTE
        static let transparency = 0x7452_4E53  // tRNS
        static let exif = 0x6558_4966  // eXIf
        static let text = 0x7445_5874  // tEXt
        static let profile = 0x6943_4350  // iCCP
        static let pixels = 0x4944_4154  // IDAT
        static let end = 0x4945_4E44  // IEND
        static let animation = 0x6163_544C  // acTL
        static let frame = 0x6663_544C  // fcTL
        static let frameData = 0x6664_4154  // fdAT
        static let codePoints = 0x6349_4350  // cICP
        static let standard = 0x7352_4742  // sRGB
        static let gamma = 0x6741_4D41  // gAMA
        static let primaries = 0x6348_524D  // cHRM
        static let contentLight = 0x634C_4C49  // cLLI
        static let masteringDisplay = 0x6D44_4356  // mDCV
        /// The chunks that affect the colours of pixels.
        static let colors: Set = [
            palette, transparency, codePoints, profile, standard, gamma, primaries, contentLight, masteringDisplay,
        ]
    }

    struct Chunk {
        /// The four letters of the chunk type as a big-endian number.
        let name: Int
        let content: ByteView
        let end: Int
        /// The bytes that the checksum covers: the chunk type and the content.
        let checked: UnsafeRawBufferPointer
        let sum: Int

        /// Whether the checksum is correct.
        ///
        /// It is computed on each access, and only for chunks that are used: for the pixels it takes longer than
        /// reading all chunks before them.
        var isIntact: Bool {
            libdeflate_crc32(0, checked.baseAddress, checked.count) == UInt32(truncatingIfNeeded: sum)
        }
    }

    private func chunk(at offset: Int) -> Chunk? { Self.chunk(at: offset, in: view) }

    static func chunk(at offset: Int, in view: ByteView) -> Chunk? {
        guard let length = view.number(at: offset, bytes: 4),
            let checked = view.part(at: offset + 4, count: length + 4),
            let name = view.number(at: offset + 4, bytes: 4), let content = view.part(at: offset + 8, count: length),
            let sum = view.number(at: offset + 8 + length, bytes: 4)
        else { return nil }
        return Chunk(
            name: name, content: ByteView(bytes: content), end: offset + 12 + length, checked: checked, sum: sum)
    }

    /// Returns the chunks from an offset to the first that is not whole.
    static func all(in view: ByteView, from start: Int = 8) -> UnfoldSequence<Chunk, Int> {
        sequence(state: start) { offset in
            let next = chunk(at: offset, in: view)
            offset = next?.end ?? offset
            return next
        }
    }

    /// Returns the bytes of a chunk with its length and checksum.
    static func chunk(_ name: Int, _ content: [UInt8]) -> [UInt8] {
        let checked = bigEndian(name) + content
        let sum = libdeflate_crc32(0, checked, checked.count)
        return bigEndian(content.count) + checked + bigEndian(Int(sum))
    }

    /// Returns the four bytes of a number, the highest first.
    static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

/// A PNG file whose faults between chunks are mended so that a decoder reads as many pixels as there are.
///
/// Wrong checksums are computed again, the last chunk is shortened to the bytes that are there, and a missing end chunk
/// is added. A chunk that is longer than the file never reaches a decoder, which would allocate that much.
///
/// Source: W3C PNG, third edition, sections 5 and 13.
struct PNGRepair {
    /// The file to decode; the original one if it has no fault.
    private(set) var file: Data
    /// The first fault; nil if there is none.
    private(set) var damage: PictureDamage?
    private(set) var hasPixels = false

    /// Searches a file for faults, and copies it without them if there are any.
    init(_ data: Data) {
        file = data
        data.withUnsafeBytes { bytes in
            let view = ByteView(bytes: bytes)
            walk(view) { _ in }
            guard damage != nil else { return }
            var mended = data.prefix(8)
            walk(view) { mended += PNGChunks.chunk($0.name, Array($0.content)) }
            file = mended
        }
    }

    /// Visits the chunks that a decoder can use, and finally an end chunk; records the first fault.
    private mutating func walk(_ view: ByteView, _ use: (PartOfChunk) -> Void) {
        var (offset, isAnimated) = (8, false)
        while let chunk = partOfChunk(at: offset, in: view) {
            let isPixels = chunk.name == PNGChunks.ChunkName.pixels
            // A damaged ancillary chunk is dropped, as decoders ignore it; of a cut-off chunk only pixels are of use.
            if chunk.isIntact || (chunk.isCritical && (isPixels || chunk.stated != nil)) { use(chunk) }
            if chunk.name == PNGChunks.ChunkName.end, chunk.stated != nil { return }
            hasPixels = hasPixels || isPixels
            isAnimated = isAnimated || chunk.name == PNGChunks.ChunkName.animation
            offset += 12 + chunk.length
        }
        record(offset < view.bytes.count || isAnimated ? .incomplete("the file is cut off") : .missingEnd)
        use(.end)
    }

    private mutating func record(_ fault: PictureDamage) { damage = damage ?? fault }

    /// A chunk whose end may be missing.
    private struct PartOfChunk {
        let name: Int
        let length: Int
        /// The part of the content that the file has.
        let content: UnsafeRawBufferPointer
        /// The checksum in the file; nil if the file ends before it.
        let stated: Int?
        let isIntact: Bool

        var isCritical: Bool { name & 0x2000_0000 == 0 }

        /// An end chunk that is not in the file.
        static var end: PartOfChunk {
            PartOfChunk(
                name: PNGChunks.ChunkName.end, length: 0, content: UnsafeRawBufferPointer(start: nil, count: 0),
                stated: nil, isIntact: true)
        }
    }

    /// Reads a chunk and records its fault; nil at the end, and for bytes that are no chunk.
    private mutating func partOfChunk(at offset: Int, in view: ByteView) -> PartOfChunk? {
        guard let length = view.number(at: offset, bytes: 4), let name = view.number(at: offset + 4, bytes: 4),
            let content = view.part(at: offset + 8, count: min(length, view.bytes.count - offset - 8)),
            let checked = view.part(at: offset + 4, count: 4 + content.count)
        else { return nil }
        let letters = PNGChunks.bigEndian(name)
        guard letters.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else {
            record(.corrupt("what should be a chunk at byte \(offset) is none"))
            return nil
        }
        let stated = view.number(at: offset + 8 + length, bytes: 4)
        let sum = Int(libdeflate_crc32(0, checked.baseAddress, checked.count))
        let chunk = PartOfChunk(name: name, length: length, content: content, stated: stated, isIntact: stated == sum)
        if stated == nil { record(.incomplete("the chunk at byte \(offset) is longer than the file")) }
        if stated != nil, chunk.isCritical, !chunk.isIntact {
            record(.corrupt("the checksum of \(String(decoding: letters, as: UTF8.self)) at byte \(offset) is wrong"))
        }
        return chunk
    }
}
