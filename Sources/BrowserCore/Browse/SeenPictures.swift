import Raster

/// The properties of the pictures that were decoded in this run.
struct SeenPictures: Sendable, Equatable {
    private struct Traits: Sendable, Equatable {
        let size: PixelSize
        let format: String
        let isMoving: Bool
    }

    private static let formats = [
        "jpg": "JPEG", "jpeg": "JPEG", "png": "PNG", "gif": "GIF", "webp": "WebP", "avif": "AVIF", "heic": "HEIC",
        "jxl": "JPEG XL", "jp2": "JPEG 2000", "tif": "TIFF", "tiff": "TIFF", "bmp": "BMP", "svg": "SVG", "svgz": "SVG",
        "ico": "ICO", "icns": "ICNS", "psd": "PSD", "tga": "TGA", "qoi": "QOI", "exr": "OpenEXR", "hdr": "Radiance HDR",
    ]

    private var pictures: [Int: Traits] = [:]

    mutating func record(_ facts: PictureFacts, of item: ItemID) {
        // A thumbnail of an animation has one frame only.
        let isMoving = facts.frames > 1 || pictures[item.rawValue]?.isMoving == true
        pictures[item.rawValue] = Traits(size: facts.originalSize, format: facts.format, isMoving: isMoving)
    }

    func size(of index: Int) -> PixelSize? { pictures[index]?.size }

    func isMoving(_ index: Int) -> Bool { pictures[index]?.isMoving == true }

    /// Returns the format, or a guess from the name's extension; nil if neither is known.
    func format(of index: Int, in items: ItemTable) -> String? {
        if let format = pictures[index]?.format { return format }
        let file = AddressParts(items.location(at: index)).file
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return nil }
        return Self.formats[file[file.index(after: dot)...].lowercased()]
    }
}
