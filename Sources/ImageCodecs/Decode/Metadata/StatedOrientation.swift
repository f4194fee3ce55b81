import Foundation
import Raster

/// The EXIF orientation that a file states, which decoding applies.
package enum StatedOrientation {
    /// Returns the number from 1 to 8, 1 if the file states none; nil for formats that have no EXIF data, or whose library
    /// turns pictures itself.
    package static func read(_ file: Data, _ format: ImageFormat) -> Int? {
        file.withUnsafeBytes { bytes -> Orientation? in
            switch format {
            case .jpeg: JPEGSegments(bytes).orientation
            case .png: PNGChunks(bytes)?.orientation
            case .webP: RIFFChunks(bytes)["EXIF"].map(Orientation.init(exif:)) ?? .upright
            case .tiff: Orientation(exif: bytes)
            default: nil
            }
        }.map { Int($0.rawValue) }
    }
}
