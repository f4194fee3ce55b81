import FoundationEssentials
import Glibc
import Raster

/// The preview in a raw file of a camera: DNG, NEF, CR2, ARW, ORF, RW2 and others that have the form of TIFF, RAF and CR3.
///
/// Sources: TIFF 6.0; DNG 1.7, chapter 4; ISO 12234-2; L. Clévy on CR3.
struct CameraRawFile {
    /// Where the preview lies.
    enum Preview {
        /// A JPEG file that begins at this byte.
        case jpeg(Int)
        /// The directory with this number below the first one.
        case directory(Int)
    }

    /// The largest preview; nil if it is the picture of the first directory, or there is none.
    let preview: Preview?
    /// The area of the largest preview in pixels; 0 if there is none.
    let area: Int
    /// The orientation that the first directory states.
    let orientation: Orientation

    /// The area of a preview in pixels that shows what people look for; many cameras store one of 1,616×1,080.
    static let ampleArea = 1_000_000

    /// Finds the preview; nil for other TIFF files.
    init?(_ file: UnsafeRawBufferPointer) {
        let view = ByteView(bytes: file)
        if view.has("FUJIFILM", at: 0) || view.has("crx ", at: 8) {
            let best = Self.jpegFiles(in: file).max { $0.area < $1.area }
            (preview, area) = (best.map { .jpeg($0.start) }, best?.area ?? 0)
            let fields = file.prefix(1 << 16).firstRange(of: Array("CMT1".utf8))?.upperBound
            orientation = fields.map { Orientation(exif: UnsafeRawBufferPointer(rebasing: file[$0...])) } ?? .upright
            return
        }
        guard let first = ExifDirectory(exif: file) else { return nil }
        let others = first.directories(330)
        let isRaw =
            first.value(50706) != nil || view.has("CR", at: 8) || view.has("RO", at: 2) || view.has("RS", at: 2)
            || view.has("OR", at: 2) || view.has("U\0", at: 2) || ([first] + others).contains(where: \.isOfSensor)
        guard isRaw else { return nil }
        var best: (area: Int, preview: Preview?) = (first.isPicture ? first.area : 0, nil)
        for (index, directory) in others.enumerated() where directory.isPicture && directory.area > best.area {
            best = (directory.area, .directory(index))
        }
        for (start, area) in Self.jpegFiles(in: file) where area >= max(1, best.area) { best = (area, .jpeg(start)) }
        (area, preview) = best
        orientation = Orientation(exif: file)
    }

    /// Returns where JPEG files begin that any decoder reads, with their areas; at most 16.
    static func jpegFiles(in file: UnsafeRawBufferPointer) -> [(start: Int, area: Int)] {
        var found: [(Int, Int)] = []
        var offset = 0
        while found.count < 16, let base = file.baseAddress, offset < file.count - 3,
            let next = memchr(base + offset, 0xFF, file.count - offset - 3)
        {
            let start = UnsafeRawPointer(next) - base
            offset = start + 1
            guard file[start + 1] == 0xD8, file[start + 2] == 0xFF, file[start + 3] >= 0xC0 else { continue }
            let segments = JPEGSegments(UnsafeRawBufferPointer(rebasing: file[start...]))
            // The sensor's samples may be lossless JPEG.
            guard let frame = segments.frame, segments.startOfScan != nil, segments.unsupportedKind == nil else {
                continue
            }
            found.append((start, frame.size.area))
        }
        return found
    }
}

extension ExifDirectory {
    /// The area of the picture in pixels; 0 if it is not stated.
    fileprivate var area: Int { PixelSize(width: number(256) ?? 0, height: number(257) ?? 0).area }
    /// Whether the samples are those of a sensor: a mosaic of colours, or linear ones.
    fileprivate var isOfSensor: Bool { [32803, 34892].contains(number(262)) }
    /// Whether the directory has an uncompressed or deflated picture that needs no development.
    fileprivate var isPicture: Bool { number(262) == 2 && [nil, 1, 5, 8, 32946].contains(number(259)) }
}
