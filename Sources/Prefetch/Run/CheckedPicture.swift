import AlcedoFileOperations
import AlcedoLists
import ImageLoading
import Raster

/// A usable picture of a run, with the facts by which pictures are compared.
package struct CheckedPicture: Sendable {
    /// A path or an address, as the list gives it.
    package let location: String
    /// The location without secrets, for display.
    package let shown: String
    /// The name of its list.
    package let list: String
    package let sha256: String?
    package let hash: PerceptualHash?
    package let format: ImageFormat?
    package let size: PixelSize?
    /// The pixels of the picture; fewer if a border of one colour does not count.
    package var pixels: Int
    package let bytes: Int
    /// Whether no pixel is missing.
    package let isWhole: Bool
    /// The state of its file before it was read; nil for other pictures.
    package let stamp: FileStamp?

    init(_ item: ItemRecord, _ result: DataResult) {
        (location, shown, list) = (item.entry.location, item.shown, item.list)
        let facts = result.facts?.picture
        (sha256, hash, format) = (result.facts?.sha256, facts?.perceptualHash, facts?.format)
        size = facts?.width.flatMap { width in facts?.height.map { PixelSize(width: width, height: $0) } }
        (pixels, bytes) = (size?.area ?? 0, result.byteCount)
        isWhole = facts?.verdict.map { $0 == .whole } ?? true
        stamp = item.stamp
    }
}
