import Foundation
import ImageLoading

/// The settings of `alcedo export`.
public struct ExportSettings: Sendable {
    public var library = LibrarySettings()
    /// A path or an address.
    public var source = ""
    public var file = ""
    public var format = ImageFormat.png
    /// The quality of JPEG and WebP, 1…100; 85 by default.
    public var quality = ImageEncoder.standardQuality
    public var processor: any ImageProcessor = DefaultImageProcessor()
    /// Whether an existing file may be replaced.
    public var mayReplace = false
    /// Neither reads nor writes the disk cache.
    public var isUncached = false

    public init() {}

    /// Returns the format for a file name's extension; nil if it is none of png, jpg, jpeg, webp and gif.
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
