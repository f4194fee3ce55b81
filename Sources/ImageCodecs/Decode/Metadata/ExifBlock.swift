import Foundation
import Raster

/// The position of EXIF data in image files.
enum ExifBlock {
    /// Returns the EXIF data of a JPEG, PNG, WebP or TIFF file; nil if there is none.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - format: The format of the file.
    ///   - isApplied: Whether data that decoders ignore is left out: in a PNG, behind the pixels or with a wrong checksum.
    static func find(
        in file: UnsafeRawBufferPointer, _ format: ImageFormat, isApplied: Bool = false
    ) -> UnsafeRawBufferPointer? {
        switch format {
        case .jpeg: JPEGSegments(file).exif
        case .png: inPNG(ByteView(bytes: file), isApplied: isApplied)
        case .webP: RIFFChunks(file)["EXIF"]
        case .tiff: file
        default: nil
        }
    }

    private static func inPNG(_ file: ByteView, isApplied: Bool) -> UnsafeRawBufferPointer? {
        var offset = 8
        while let chunk = PNGChunks.chunk(at: offset, in: file) {
            if isApplied, chunk.name == PNGChunks.ChunkName.pixels { return nil }
            if chunk.name == PNGChunks.ChunkName.exif, !isApplied || chunk.isIntact { return chunk.content.bytes }
            offset = chunk.end
        }
        return nil
    }
}

/// The EXIF orientation that a file states, which decoding applies.
package enum StatedOrientation {
    /// Returns the number from 1 to 8, 1 if the file states none; nil for formats that have no EXIF data, or whose library
    /// turns pictures itself.
    package static func read(_ file: Data, _ format: ImageFormat) -> Int? {
        guard [.jpeg, .png, .webP, .tiff].contains(format) else { return nil }
        let orientation = file.withUnsafeBytes { bytes -> Orientation in
            ExifBlock.find(in: bytes, format, isApplied: true).map(Orientation.init(exif:)) ?? .upright
        }
        return Int(orientation.rawValue)
    }
}
