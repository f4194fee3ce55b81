extension ImageFormat {
    /// The format that a file name extension stands for, without a dot and ignoring case; nil for others.
    package init?(fileExtension text: String) {
        let text = text.lowercased()
        let format = Self.extensions[text] ?? Self.allCases.first { $0.fileExtension == text }
        guard let format else { return nil }
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

    private static let extensions: [String: ImageFormat] = [
        "jpeg": .jpeg, "jpe": .jpeg, "jfif": .jpeg, "apng": .png, "heif": .heic, "hif": .heic, "avifs": .avif,
        "tiff": .tiff, "j2k": .jpeg2000, "jpf": .jpeg2000, "jpx": .jpeg2000, "pgm": .pnm, "ppm": .pnm, "pbm": .pnm,
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
