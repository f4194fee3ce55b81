import FoundationEssentials
import Raster

extension FileFacts {
    /// Returns the facts of a file's framing, read by Swift code alone; nil if a library has to judge the file.
    ///
    /// Only a JPEG or PNG whose header is beyond doubt has a result, the same as by its library. No foreign code reads
    /// the file, so it needs no sandbox.
    package static func ofFraming(_ data: Data, limits: DecodeLimits) -> FileFacts? {
        guard limits.page <= 1, (try? limits.check(bytes: data.count)) != nil else { return nil }
        return data.withUnsafeBytes { bytes -> FileFacts? in
            guard let header = header(bytes), (try? limits.check(size: header.size, frames: 1)) != nil,
                CompletenessCheck.isThere(in: bytes, of: header.format)
            else { return nil }
            return FileFacts(header: header, orientation: StatedOrientation.read(data, header.format))
        }
    }

    private static func header(_ bytes: UnsafeRawBufferPointer) -> ImageHeader? {
        let (size, orientation): (PixelSize, Orientation)
        let format = FormatSniffer.format(of: bytes)
        switch format {
        case .jpeg:
            guard let stored = StrictJPEGHeader.size(ByteView(bytes: bytes)) else { return nil }
            (size, orientation) = (stored, JPEGSegments(bytes).orientation)
        case .png:
            guard let png = PNGCodec(bytes) else { return nil }
            (size, orientation) = (png.storedSize, png.orientation)
        default: return nil
        }
        guard let format else { return nil }
        var header = ImageHeader(format: format, size: orientation.upright(size), frameCount: 1)
        header.color = ColorFacts(bytes, format)
        return header
    }
}

/// The header of a baseline or progressive JPEG in grey or colours, whose segments follow each other without a gap and
/// hold what the standard says.
///
/// Source: ITU-T T.81, sections B.2.2 to B.2.4.
private enum StrictJPEGHeader {
    /// Returns the size of the picture; nil if anything in the header is unusual.
    static func size(_ view: ByteView) -> PixelSize? {
        var (offset, size, components) = (2, PixelSize?.none, Set<Int>())
        while let marker = view.number(at: offset, bytes: 2), let length = view.number(at: offset + 2, bytes: 2),
            length >= 2, let content = view.part(at: offset + 4, count: length - 2).map(ByteView.init(bytes:))
        {
            switch marker {
            case 0xFFC0...0xFFC2:
                guard size == nil, let frame = frame(content) else { return nil }
                (size, components) = frame
            case 0xFFC4: guard hasTables(content, length: { codes(content, $0) }) else { return nil }
            case 0xFFDB: guard hasTables(content, length: { content.bytes[$0] < 0x10 ? 65 : 129 }) else { return nil }
            case 0xFFDD: guard length == 4 else { return nil }
            case 0xFFE0...0xFFEF, 0xFFFE: break
            case 0xFFDA:
                guard let count = content.number(at: 0, bytes: 1), length == 6 + 2 * count else { return nil }
                let scanned = Set((0..<count).compactMap { content.number(at: 1 + 2 * $0, bytes: 1) })
                return (1...4).contains(count) && scanned.count == count && scanned.isSubset(of: components)
                    ? size : nil
            default: return nil
            }
            offset += 2 + length
        }
        return nil
    }

    /// Returns the size and the identifiers of the components.
    private static func frame(_ content: ByteView) -> (PixelSize, Set<Int>)? {
        guard let height = content.number(at: 1, bytes: 2), let width = content.number(at: 3, bytes: 2),
            let count = content.number(at: 5, bytes: 1), content.number(at: 0, bytes: 1) == 8, [1, 3].contains(count),
            content.bytes.count == 6 + 3 * count, (1...65_500).contains(width), (1...65_500).contains(height)
        else { return nil }
        let rows = (0..<count).map { content.bytes[(6 + 3 * $0)..<(9 + 3 * $0)].map { Int($0) } }
        let components = Set(rows.map { $0[0] })
        let isValid = rows.allSatisfy { (1...4).contains($0[1] >> 4) && (1...4).contains($0[1] & 15) && $0[2] < 4 }
        return isValid && components.count == count ? (PixelSize(width: width, height: height), components) : nil
    }

    /// Returns whether a segment holds whole tables, numbered 0 to 3 in each of two classes.
    private static func hasTables(_ content: ByteView, length: (_ start: Int) -> Int) -> Bool {
        var offset = 0
        while offset < content.bytes.count {
            guard content.bytes[offset] & 0xEC == 0, content.part(at: offset, count: 17) != nil else { return false }
            offset += length(offset)
        }
        return offset == content.bytes.count
    }

    /// Returns the length of a table of Huffman codes, which has at most 256 codes.
    private static func codes(_ content: ByteView, _ start: Int) -> Int {
        let count = content.bytes[(start + 1)...].prefix(16).reduce(0) { $0 + Int($1) }
        return count <= 256 ? 17 + count : .max >> 1
    }
}
