import CDeflate

/// A PNG file's chunks as far as its picture needs them.
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
    /// Alphas of the palette, or the two bytes of each channel of the one transparent colour.
    private(set) var transparency: [UInt8] = []
    private(set) var orientation = Orientation.upright
    private(set) var isSRGB = true
    /// The first chunk of pixels.
    private var start = 8
    private let view: ByteView

    /// Reads up to the pixels; nil where something is wrong, interlaced or of 16 bits.
    init?(_ bytes: UnsafeRawBufferPointer) {
        view = ByteView(bytes: bytes)
        guard let header = chunk(at: 8), header.name == ChunkName.header, header.isIntact,
            readHeader(header.content)
        else { return nil }
        start = header.end
        while let next = chunk(at: start), next.name != ChunkName.pixels {
            guard read(next) else { return nil }
            start = next.end
        }
        guard chunk(at: start)?.name == ChunkName.pixels, type != .palette || !palette.isEmpty else { return nil }
    }

    /// Whether the first chunk is a header with the right checksum.
    static func hasIntactHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        chunk(at: 8, in: ByteView(bytes: bytes)).map { $0.name == ChunkName.header && $0.isIntact } ?? false
    }

    /// What the pixels are packed into; nil where a chunk is damaged or the file ends too early.
    var packed: [UInt8]? {
        var (offset, all): (Int, [UInt8]) = (start, [])
        while let next = chunk(at: offset) {
            guard next.name == ChunkName.pixels else { return next.isIntact ? all : nil }
            guard next.isIntact else { return nil }
            all += next.content.bytes
            offset = next.end
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
        return depth == 8 || ([1, 2, 4].contains(depth) && (type == .grey || type == .palette))
    }

    private mutating func read(_ chunk: Chunk) -> Bool {
        guard chunk.isIntact else { return false }
        switch chunk.name {
        case ChunkName.palette:
            palette = Array(chunk.content.bytes)
            return palette.count % 3 == 0 && palette.count <= 768
        case ChunkName.transparency:
            transparency = Array(chunk.content.bytes)
            // Grey and colour have one transparent colour; with alpha there may be none.
            return type == .palette || (type.channels % 2 == 1 && transparency.count == type.channels * 2)
        case ChunkName.exif: orientation = Orientation(exif: chunk.content.bytes)
        case ChunkName.profile: isSRGB = Self.isSRGB(chunk.content.bytes)
        // A critical chunk, by its capital, that is not known here, or a name that is none.
        default: return (0x61...0x7A).contains(chunk.name >> 24)
        }
        return true
    }

    /// A name that ends in a zero, the method, zlib's stream; profiles beyond 64 KiB are not sRGB's.
    private static func isSRGB(_ content: UnsafeRawBufferPointer) -> Bool {
        guard let end = content.firstIndex(of: 0), end + 2 < content.count else { return false }
        let packed = UnsafeRawBufferPointer(rebasing: content[(end + 2)...])
        guard let profile = Inflating.bytes(packed, atMost: 64 << 10) else { return false }
        return profile.withUnsafeBytes(ColorProfileCheck.isSRGB)
    }
}

extension PNGChunks {
    private enum ChunkName {
        static let header = 0x4948_4452  // IHDR
        static let palette = 0x504C_5445  // PLTE
        static let transparency = 0x7452_4E53  // tRNS
        static let exif = 0x6558_4966  // eXIf
        static let profile = 0x6943_4350  // iCCP
        static let pixels = 0x4944_4154  // IDAT
    }

    fileprivate struct Chunk {
        /// Its four letters as a number.
        let name: Int
        let content: ByteView
        let end: Int
        /// The name and the content, and what the file says of them.
        let checked: UnsafeRawBufferPointer
        let sum: Int

        /// Asked of what is used only: for the pixels it takes longer than to read all before them.
        var isIntact: Bool {
            libdeflate_crc32(0, checked.baseAddress, checked.count) == UInt32(truncatingIfNeeded: sum)
        }
    }

    private func chunk(at offset: Int) -> Chunk? { Self.chunk(at: offset, in: view) }

    private static func chunk(at offset: Int, in view: ByteView) -> Chunk? {
        guard let length = view.number(at: offset, bytes: 4),
            let checked = view.part(at: offset + 4, count: length + 4),
            let name = view.number(at: offset + 4, bytes: 4), let content = view.part(at: offset + 8, count: length),
            let sum = view.number(at: offset + 8 + length, bytes: 4)
        else { return nil }
        return Chunk(
            name: name, content: ByteView(bytes: content), end: offset + 12 + length, checked: checked, sum: sum)
    }
}
