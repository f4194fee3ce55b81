import Raster

/// The EXIF orientation of a stored picture.
///
/// Source: Exif 2.32, section 4.6.4, tag 274.
enum Orientation: UInt16 {
    case upright = 1, mirrored, turnedHalf, flipped, transposed, turnedRight, transversed, turnedLeft

    /// Whether the orientation swaps width and height.
    var isLying: Bool { rawValue > 4 }

    /// Converts a stored size to the upright one, and an upright size to the stored one.
    func upright(_ size: PixelSize) -> PixelSize {
        isLying ? PixelSize(width: size.height, height: size.width) : size
    }

    /// Returns the upright picture.
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
    /// Creates the orientation that EXIF data states; upright if it states none.
    init(exif: UnsafeRawBufferPointer) {
        let number = ExifDirectory(exif: exif)?.number(274)
        self = number.flatMap { Orientation(rawValue: UInt16(truncatingIfNeeded: $0)) } ?? .upright
    }
}
