import Foundation
import ImageLoading

/// The settings of `alcedo export`.
package struct ExportSettings: Sendable {
    package var library = LibrarySettings()
    /// A path or an address.
    package var source = ""
    package var file = ""
    package var format = ImageFormat.png
    /// The quality of JPEG and WebP, 1…100; 85 by default.
    package var quality = ImageEncoder.standardQuality
    package var processor: any ImageProcessor = DefaultImageProcessor()
    /// Whether an existing file may be replaced.
    package var mayReplace = false
    /// Neither reads nor writes the disk cache.
    package var isUncached = false

    package init() {}

    /// Returns the format for a file name's extension; nil if it is none of png, jpg, jpeg, webp and gif.
    package static func format(ofFile name: String) -> ImageFormat? {
        switch URL(filePath: name).pathExtension.lowercased() {
        case "png": .png
        case "jpg", "jpeg": .jpeg
        case "webp": .webP
        case "gif": .gif
        default: nil
        }
    }
}
