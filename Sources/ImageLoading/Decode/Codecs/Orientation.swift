import Raster

/// How a stored picture must be turned to stand upright.
///
/// Source: Exif 2.32, section 4.6.4, tag 274.
enum Orientation: UInt16 {
    case upright = 1, mirrored, turnedHalf, flipped, transposed, turnedRight, transversed, turnedLeft

    /// Whether width and height change places.
    var isLying: Bool { rawValue > 4 }

    /// The size of an upright picture for a stored one's, and the other way round.
    func upright(_ size: PixelSize) -> PixelSize {
        isLying ? PixelSize(width: size.height, height: size.width) : size
    }

    /// The picture upright.
    func upright(_ picture: PixelBuffer) -> PixelBuffer {
        let (right, bottom) = (picture.size.width - 1, picture.size.height - 1)
        let size = upright(picture.size)
        switch self {
        case .upright: return picture
        case .mirrored: return picture.rearranged(to: size) { (right - $0, $1) }
        case .turnedHalf: return picture.rearranged(to: size) { (right - $0, bottom - $1) }
        case .flipped: return picture.rearranged(to: size) { ($0, bottom - $1) }
        case .transposed: return picture.rearranged(to: size) { ($1, $0) }
        case .turnedRight: return picture.rearranged(to: size) { ($1, bottom - $0) }
        case .transversed: return picture.rearranged(to: size) { (right - $1, bottom - $0) }
        case .turnedLeft: return picture.rearranged(to: size) { (right - $1, $0) }
        }
    }
}

extension Orientation {
    /// The one that Exif data states; upright where it states none.
    ///
    /// The data may begin with Exif's own mark, as in JPEG, or with TIFF's. Source: TIFF 6.0, section 2.
    init(exif: UnsafeRawBufferPointer) {
        let isMarked = exif.starts(with: Array("Exif\0\0".utf8))
        let tiff = ByteView(bytes: isMarked ? UnsafeRawBufferPointer(rebasing: exif.dropFirst(6)) : exif)
        self = Self.entry(in: tiff) ?? .upright
    }

    private static func entry(in tiff: ByteView) -> Orientation? {
        let isLittle = tiff.has("II", at: 0)
        guard isLittle || tiff.has("MM", at: 0), let start = tiff.number(at: 4, bytes: 4, isLittle: isLittle),
            let count = tiff.number(at: start, bytes: 2, isLittle: isLittle)
        else { return nil }
        for entry in 0..<count {
            let offset = start + 2 + entry * 12
            guard let tag = tiff.number(at: offset, bytes: 2, isLittle: isLittle) else { return nil }
            guard tag == 274, tiff.number(at: offset + 2, bytes: 2, isLittle: isLittle) == 3 else { continue }
            let value = tiff.number(at: offset + 8, bytes: 2, isLittle: isLittle)
            return value.flatMap { Orientation(rawValue: UInt16(truncatingIfNeeded: $0)) }
        }
        return nil
    }
}
