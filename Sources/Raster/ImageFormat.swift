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
    /// One frame.
    case jpeg2000 = "JPEG 2000"
    /// PBM, PGM, PPM, PAM and PFM.
    case pnm = "PNM"
    /// One frame.
    case radianceHDR = "Radiance HDR"
    /// One frame.
    case openEXR = "OpenEXR"
    /// SVG, also compressed by gzip; rendered at the requested size.
    case svg = "SVG"
    /// One frame.
    case bmp = "BMP"
    /// The largest icon of an ICO or CUR file.
    case ico = "ICO"
    /// One frame.
    case tga = "TGA"
    /// One frame.
    case qoi = "QOI"
    /// The flattened picture.
    case psd = "PSD"
    /// One frame.
    case pcx = "PCX"
    /// One frame.
    case dds = "DDS"
    /// One frame.
    case xbm = "XBM"
    /// One frame.
    case xpm = "XPM"
    /// The largest icon.
    case icns = "ICNS"
    /// The first page.
    case pdf = "PDF"
    /// The poster of an MP4, QuickTime, Matroska, WebM or AVI file: its cover picture, or a key frame near a tenth of
    /// its duration.
    case video = "video"

    /// Returns the format with this name or file name extension, ignoring case and spaces: "JPEG XL", "jxl", "tiff".
    package static func named(_ name: String) -> ImageFormat? { names[name.lowercased().replacing(" ", with: "")] }

    /// The name in lower case without spaces.
    package var shortName: String { rawValue.lowercased().replacing(" ", with: "") }

    /// The formats by short name and by file name extension.
    package static let names = extensions.merging(allCases.map { ($0.shortName, $0) }) { $1 }

    /// The usual file name extension, without a dot.
    public var fileExtension: String { traits.extensions[0] }
}

/// The names and the first bytes of the files of a format.
struct FormatTraits: Sendable {
    /// The file name extensions without a dot, the usual one first.
    let extensions: [String]
    /// The registered media types, and those that servers use.
    let mediaTypes: [String]
    /// The bytes with which every file begins; empty for formats that `FormatSignatures` detects by further checks.
    let signatures: [[UInt8]]

    fileprivate init(_ extensions: [String], _ mediaTypes: [String], signatures: [[UInt8]] = []) {
        (self.extensions, self.mediaTypes, self.signatures) = (extensions, mediaTypes, signatures)
    }

    fileprivate init(_ extensions: [String], _ mediaTypes: [String], signatures: String...) {
        self.init(extensions, mediaTypes, signatures: signatures.map { Array($0.utf8) })
    }
}

extension ImageFormat {
    /// The traits of the format, one row each: a new format begins here and continues in `VipsFormatLoader`.
    ///
    /// Sources: the IANA registry of media types; JPEG (ITU-T T.81, SOI then a marker), PNG (W3C PNG, section 5.2), GIF
    /// (GIF89a, section 17), TIFF 6.0, section 2, ISO/IEC 15444-1, annexes A and I, ISO/IEC 18181-2 (JPEG XL),
    /// OpenEXR's file layout, PDF 1.7, annex H.
    var traits: FormatTraits {
        switch self {
        case .jpeg:
            FormatTraits(
                ["jpg", "jpeg", "jpe", "jfif", "mpo", "jpg_large", "jps"], ["image/jpeg", "image/jpg", "image/pjpeg"],
                signatures: [[0xFF, 0xD8, 0xFF]])
        case .png:
            FormatTraits(
                ["png", "apng"], ["image/png", "image/x-png", "image/apng"],
                signatures: [[0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]])
        case .gif: FormatTraits(["gif"], ["image/gif"], signatures: "GIF87a", "GIF89a")
        case .webP: FormatTraits(["webp"], ["image/webp"])
        case .avif: FormatTraits(["avif", "avifs"], ["image/avif", "image/avif-sequence"])
        case .heic: FormatTraits(["heic", "heif", "hif"], ["image/heic", "image/heif"])
        case .jpegXL:
            FormatTraits(
                ["jxl"], ["image/jxl"],
                signatures: [[0xFF, 0x0A], [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 13, 10, 0x87, 10]])
        case .tiff:
            FormatTraits(
                // The raw files of most cameras have its form; of all of them the preview is shown.
                ["tif", "tiff", "dng", "nef", "nrw", "cr2", "cr3", "arw", "sr2", "srw", "orf", "rw2", "pef", "raf"],
                ["image/tiff"],
                signatures: [
                    [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0, 8, 0],
                    [0x4D, 0x4D, 0, 0x2B, 0, 8],
                    // Olympus, Panasonic and Fujifilm
                    Array("IIRO".utf8), Array("IIRS".utf8), Array("MMOR".utf8), [0x49, 0x49, 0x55, 0],
                    Array("FUJIFILMCCD-RAW".utf8),
                ])
        case .jpeg2000:
            FormatTraits(
                ["jp2", "j2k", "j2c", "jpf", "jpx"], ["image/jp2", "image/jpx", "image/jpm"],
                signatures: [[0xFF, 0x4F, 0xFF, 0x51], [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 13, 10, 0x87, 10]])
        case .pnm:
            FormatTraits(
                ["pnm", "pgm", "ppm", "pbm", "pam", "pfm"],
                [
                    "image/x-portable-anymap", "image/x-portable-bitmap", "image/x-portable-graymap",
                    "image/x-portable-pixmap",
                ])
        case .radianceHDR: FormatTraits(["hdr"], ["image/vnd.radiance"], signatures: "#?RADIANCE", "#?RGBE")
        case .openEXR:
            FormatTraits(["exr"], ["image/x-exr", "image/aces"], signatures: [[0x76, 0x2F, 0x31, 1]])
        case .svg: FormatTraits(["svg", "svgz"], ["image/svg+xml"])
        case .bmp: FormatTraits(["bmp", "dib"], ["image/bmp", "image/x-ms-bmp"])
        case .ico: FormatTraits(["ico", "cur"], ["image/x-icon", "image/vnd.microsoft.icon"])
        case .tga: FormatTraits(["tga"], ["image/x-tga"])
        case .qoi: FormatTraits(["qoi"], ["image/qoi"], signatures: "qoif")
        case .psd:
            FormatTraits(
                ["psd"], ["image/vnd.adobe.photoshop"], signatures: "8BPS\0\u{1}", "8BPS\0\u{2}")
        case .pcx: FormatTraits(["pcx"], ["image/vnd.zbrush.pcx"])
        case .dds: FormatTraits(["dds"], ["image/vnd.ms-dds"], signatures: "DDS |\0\0\0")
        case .xbm: FormatTraits(["xbm"], ["image/x-xbitmap"])
        case .xpm: FormatTraits(["xpm"], ["image/x-xpixmap"], signatures: "/* XPM */")
        case .icns: FormatTraits(["icns"], [], signatures: "icns")
        case .pdf: FormatTraits(["pdf"], ["application/pdf"], signatures: "%PDF-")
        case .video: FormatTraits(["mp4", "m4v", "mov", "webm", "mkv", "avi"], [])
        }
    }

    /// The signatures and their formats, in the order of the formats.
    static let signatures = allCases.flatMap { format in format.traits.signatures.map { (bytes: $0, format: format) } }

    private static let extensions = table(of: \.extensions)
    private static let mediaTypes = table(of: \.mediaTypes)

    private static func table(of names: (FormatTraits) -> [String]) -> [String: ImageFormat] {
        Dictionary(uniqueKeysWithValues: allCases.flatMap { format in names(format.traits).map { ($0, format) } })
    }
}

extension ImageFormat {
    /// Creates the format of a file name extension without a dot, ignoring case; nil for unknown ones.
    package init?(fileExtension text: String) {
        guard let format = Self.extensions[text.lowercased()] else { return nil }
        self = format
    }

    /// Creates the format of a media type, whose parameters are ignored; nil for unknown ones.
    package init?(mediaType text: String) {
        let type = text.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        let format = Self.mediaTypes[type] ?? (type.hasPrefix("video/") ? .video : nil)
        guard let format else { return nil }
        self = format
    }

    /// Returns the format of the file name, or the media type, if it contradicts this format; otherwise nil.
    ///
    /// - Parameter contentType: The media type that the server sent; nil if there is none.
    package func mismatch(address: String, contentType: String?) -> String? {
        let path = address.prefix { $0 != "?" && $0 != "#" }
        let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
        if let dot = name.lastIndex(of: "."),
            let named = ImageFormat(fileExtension: String(name[name.index(after: dot)...])), named != self
        {
            return "name: \(named.rawValue)"
        }
        guard let contentType else { return nil }
        if let stated = ImageFormat(mediaType: contentType) {
            return stated == self ? nil : "Content-Type: \(contentType)"
        }
        return contentType.lowercased().hasPrefix("text/") && self != .svg ? "Content-Type: \(contentType)" : nil
    }
}
