import AlcedoSupport
import FoundationEssentials
import ImageLoading
import Raster

/// The small picture that a camera stored in a JPEG file, made as large as the thumbnail that replaces it.
struct EmbeddedPreview: ImageDataProvider {
    let cacheKey: String
    /// The upright size of the file's picture.
    let size: PixelSize
    /// Cuts the bars off that cameras add to reach 4:3, and scales.
    let processor: any ImageProcessor
    private let bytes: Data

    /// The least share of a preview that shows the picture; a smaller one belongs to another picture.
    private static let leastShare = 0.7

    /// Reads the preview of a local JPEG file; nil if there is none.
    @concurrent
    init?(of file: LocalFileImageDataProvider, within box: PixelSize) async {
        guard let start = CaptureDate.beginning(of: file.fileURL.filePath), let header = DeclaredHeader.read(start),
            header.format == .jpeg, let preview = StatedOrientation.preview(in: start),
            let stored = DeclaredHeader.read(preview)?.size
        else { return nil }
        let orientation = StatedOrientation.read(start, .jpeg) ?? 1
        func upright(_ size: PixelSize) -> PixelSize {
            orientation > 4 ? PixelSize(width: size.height, height: size.width) : size
        }
        size = upright(header.size)
        let shown = size.scaled(to: upright(stored), upscale: true)
        guard Double(shown.area) >= Self.leastShare * Double(stored.area) else { return nil }
        processor = ChainedImageProcessor([
            CroppingImageProcessor(size: shown), ResizingImageProcessor(referenceSize: size.scaled(to: box)),
        ])
        bytes = Self.oriented(preview, orientation)
        cacheKey = "\(file.cacheKey)#preview"
    }

    var isWorthCachingOnDisk: Bool { false }

    func data() async throws -> Data { bytes }

    /// Returns a JPEG file with EXIF data that states an orientation (Exif 2.32, section 4.5.4; TIFF 6.0, section 2).
    private static func oriented(_ preview: Data, _ orientation: Int) -> Data {
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(clamping: orientation), 0, 0]
        let tiff = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1] + entry + [0, 0, 0, 0]
        let exif = Array("Exif".utf8) + [0, 0] + tiff
        return Data([0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif) + preview.dropFirst(2)
    }
}
