import Raster

/// What the pictures that were decoded in this run are like.
struct SeenPictures: Sendable, Equatable {
    private struct Traits: Sendable, Equatable {
        let size: PixelSize
        let format: String
        let isMoving: Bool
    }

    private static let formats = [
        "jpg": "JPEG", "jpeg": "JPEG", "png": "PNG", "gif": "GIF", "webp": "WebP", "avif": "AVIF", "heic": "HEIC",
        "jxl": "JXL", "tif": "TIFF", "tiff": "TIFF", "bmp": "BMP", "svg": "SVG",
    ]

    private var pictures: [Int: Traits] = [:]

    mutating func note(_ facts: PictureFacts, of item: ItemID) {
        // A thumbnail of a picture that moves is one frame of it.
        let isMoving = facts.frames > 1 || pictures[item.rawValue]?.isMoving == true
        pictures[item.rawValue] = Traits(size: facts.originalSize, format: facts.format, isMoving: isMoving)
    }

    func size(of index: Int) -> PixelSize? { pictures[index]?.size }

    func isMoving(_ index: Int) -> Bool { pictures[index]?.isMoving == true }

    /// The format, or the one that the name's extension stands for; nil where neither is known.
    func format(of index: Int, in items: ItemTable) -> String? {
        if let format = pictures[index]?.format { return format }
        let file = AddressParts(items.location(at: index)).file
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return nil }
        return Self.formats[file[file.index(after: dot)...].lowercased()]
    }
}
