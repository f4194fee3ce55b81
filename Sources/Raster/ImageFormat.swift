/// An image format that can be decoded.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    /// One frame without transparency.
    case jpeg = "JPEG"
    /// One or more frames.
    case png = "PNG"
    /// One or more frames.
    case gif = "GIF"
    /// One or more frames.
    case webP = "WebP"
    /// One or more frames.
    case avif = "AVIF"
    /// The primary picture.
    case heic = "HEIC"
    /// One or more frames.
    case jpegXL = "JPEG XL"
    /// The first page.
    case tiff = "TIFF"
    case jpeg2000 = "JPEG 2000"
    /// PBM, PGM, PPM, PAM and PFM.
    case pnm = "PNM"
    case radianceHDR = "Radiance HDR"
    case openEXR = "OpenEXR"
    /// SVG, also compressed by gzip; rendered at the requested size.
    case svg = "SVG"
    case bmp = "BMP"
    /// The largest icon of an ICO or CUR file.
    case ico = "ICO"
    case tga = "TGA"
    case qoi = "QOI"
    /// The flattened picture.
    case psd = "PSD"
    case pcx = "PCX"
    case dds = "DDS"
    case xbm = "XBM"
    case xpm = "XPM"
    /// The largest icon.
    case icns = "ICNS"
    /// The first page.
    case pdf = "PDF"
    /// The poster of an MP4, QuickTime, Matroska, WebM or AVI file: its cover picture, or a key frame near a tenth of its
    /// duration.
    case video = "video"

    /// Creates the format with this name or file name extension, ignoring case and spaces: "JPEG XL", "jxl", "tiff".
    public init?(name: String) {
        let name = name.lowercased().replacing(" ", with: "")
        let known = Self.allCases.first {
            $0.rawValue.lowercased().replacing(" ", with: "") == name || $0.fileExtension == name
        }
        guard let known else { return nil }
        self = known
    }

    /// The usual file name extension, without a dot.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .jpegXL: "jxl"
        case .tiff: "tif"
        case .jpeg2000: "jp2"
        case .radianceHDR: "hdr"
        case .openEXR: "exr"
        case .video: "mp4"
        case .png, .gif, .webP, .avif, .heic, .pnm, .svg, .bmp, .ico, .tga, .qoi, .psd, .pcx, .dds, .xbm, .xpm, .icns,
            .pdf:
            rawValue.lowercased()
        }
    }
}
