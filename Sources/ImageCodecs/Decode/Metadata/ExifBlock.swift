import Raster

/// The position of EXIF data in image files.
enum ExifBlock {
    /// Returns the EXIF data of a JPEG, PNG or WebP file; nil if there is none.
    static func find(in file: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard let format = FormatSniffer.format(of: file) else { return nil }
        switch format {
        case .jpeg: return JPEGSegments(file).exif
        case .png: return inPNG(ByteView(bytes: file))
        case .webP: return RIFFChunks(file)["EXIF"]
        default: return nil
        }
    }

    private static func inPNG(_ file: ByteView) -> UnsafeRawBufferPointer? {
        var offset = 8
        while let length = file.number(at: offset, bytes: 4) {
            if file.has("eXIf", at: offset + 4) { return file.part(at: offset + 8, count: length) }
            offset += 12 + length
        }
        return nil
    }
}
