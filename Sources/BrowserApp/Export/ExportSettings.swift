import Foundation
import ImageLoading

/// Which picture is written to which file, and how.
public struct ExportSettings: Sendable {
    public var library = LibrarySettings()
    /// A file or an address.
    public var source = ""
    public var file = ""
    public var format = ImageFormat.png
    /// JPEG's and WebP's, 1…100; 85 by default.
    public var quality = ImageEncoder.standardQuality
    public var processor: any ImageProcessor = DefaultImageProcessor()
    /// Whether a file that is there may be replaced.
    public var mayReplace = false
    /// Neither looks into the disk cache nor writes to it.
    public var isUncached = false

    public init() {}

    /// The format that a file's name asks for; nil when its extension is none of png, jpg, jpeg, webp and gif.
    public static func format(ofFile name: String) -> ImageFormat? {
        switch URL(filePath: name).pathExtension.lowercased() {
        case "png": .png
        case "jpg", "jpeg": .jpeg
        case "webp": .webP
        case "gif": .gif
        default: nil
        }
    }
}
