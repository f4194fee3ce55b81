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
    package init?(name: String) {
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

extension ImageFormat {
    /// The format that a file name extension stands for, without a dot and ignoring case; nil for others.
    package init?(fileExtension text: String) {
        guard let format = Self.extensions[text.lowercased()] else { return nil }
        self = format
    }

    /// The format that a media type stands for, whose parameters are ignored; nil for others.
    package init?(mediaType text: String) {
        let type = text.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        let format = Self.mediaTypes[type] ?? (type.hasPrefix("video/") ? .video : nil)
        guard let format else { return nil }
        self = format
    }

    /// Returns the file name or media type that says another format; nil if neither does.
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
        let isText = contentType.lowercased().hasPrefix("text/") && self != .svg
        return isText ? "Content-Type: \(contentType)" : nil
    }

    private static let extensions = allCases.reduce(into: otherExtensions) { $0[$1.fileExtension] = $1 }

    private static let otherExtensions: [String: ImageFormat] = [
        "jpeg": .jpeg, "jpe": .jpeg, "jfif": .jpeg, "apng": .png, "heif": .heic, "hif": .heic, "avifs": .avif,
        "tiff": .tiff, "j2k": .jpeg2000, "j2c": .jpeg2000, "jpf": .jpeg2000, "jpx": .jpeg2000, "pgm": .pnm, "ppm": .pnm,
        "pbm": .pnm,
        "pam": .pnm, "pfm": .pnm, "svgz": .svg, "dib": .bmp, "cur": .ico, "m4v": .video, "mov": .video, "webm": .video,
        "mkv": .video, "avi": .video,
    ]

    /// Source: the IANA registry of media types, and the unregistered names that servers use.
    private static let mediaTypes: [String: ImageFormat] = [
        "image/jpeg": .jpeg, "image/jpg": .jpeg, "image/pjpeg": .jpeg, "image/png": .png, "image/x-png": .png,
        "image/apng": .png, "image/gif": .gif, "image/webp": .webP, "image/avif": .avif, "image/avif-sequence": .avif,
        "image/heic": .heic, "image/heif": .heic, "image/jxl": .jpegXL, "image/tiff": .tiff, "image/jp2": .jpeg2000,
        "image/jpx": .jpeg2000, "image/jpm": .jpeg2000, "image/x-portable-anymap": .pnm,
        "image/x-portable-bitmap": .pnm, "image/x-portable-graymap": .pnm, "image/x-portable-pixmap": .pnm,
        "image/vnd.radiance": .radianceHDR, "image/x-exr": .openEXR, "image/aces": .openEXR, "image/svg+xml": .svg,
        "image/bmp": .bmp, "image/x-ms-bmp": .bmp, "image/x-icon": .ico, "image/vnd.microsoft.icon": .ico,
        "image/x-tga": .tga, "image/qoi": .qoi, "image/vnd.adobe.photoshop": .psd, "image/vnd.zbrush.pcx": .pcx,
        "image/vnd.ms-dds": .dds, "image/x-xbitmap": .xbm, "image/x-xpixmap": .xpm, "application/pdf": .pdf,
    ]
}
