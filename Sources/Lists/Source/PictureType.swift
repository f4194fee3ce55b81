import Foundation

/// Detection of picture files by their extension and by their first bytes.
enum PictureType {
    private static let extensions: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "apng", "gif", "webp", "avif", "heic", "heif", "jxl", "jp2", "jpf",
        "jpx", "j2k", "j2c", "tif", "tiff", "bmp", "ico", "cur", "icns", "svg", "svgz", "ppm", "pgm", "pbm", "pam",
        "pnm", "pfm", "qoi", "tga", "hdr", "exr", "psd", "pcx", "dds", "xbm", "xpm",
    ]

    /// Extensions of files that are shown by one page or frame.
    ///
    /// A link to such a file is rarely meant as a picture, so they count only in folders and when they are named.
    private static let documentExtensions: Set<String> = ["pdf", "mp4", "m4v", "mov", "webm", "mkv", "avi"]

    private static let signatures: [(offset: Int, bytes: [UInt8])] = [
        (0, [0xFF, 0xD8, 0xFF]), (0, [0x89, 0x50, 0x4E, 0x47]), (0, Array("GIF8".utf8)), (8, Array("WEBP".utf8)),
        (4, Array("ftyp".utf8)), (0, [0xFF, 0x0A]), (0, [0x1A, 0x45, 0xDF, 0xA3]), (8, Array("AVI LIST".utf8)),
        (4, Array("JXL ".utf8)), (4, Array("jP  ".utf8)), (0, [0x49, 0x49, 0x2A, 0x00]),
        (0, [0x4D, 0x4D, 0x00, 0x2A]), (0, Array("BM".utf8)), (0, [0x00, 0x00, 0x01, 0x00]),
        (0, Array("qoif".utf8)), (0, Array("8BPS".utf8)), (0, Array("DDS ".utf8)), (0, Array("icns".utf8)),
        (0, [0x76, 0x2F, 0x31, 0x01]), (0, Array("%PDF-".utf8)),
    ]

    /// Returns whether the first bytes of a file are those of a picture.
    ///
    /// Some signatures are letters, which may begin a list too, as in `BMW/1.jpg`. So the bytes must not be text.
    static func isPicture(beginning bytes: some Collection<UInt8>) -> Bool {
        signatures.contains { bytes.dropFirst($0.offset).starts(with: $0.bytes) } && !isText(bytes.prefix(64))
    }

    /// Returns whether the bytes are valid UTF-8, up to a character cut at the end, without control characters.
    private static func isText(_ bytes: some Collection<UInt8>) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self).unicodeScalars.dropLast(bytes.count == 64 ? 3 : 0)
        return text.allSatisfy { $0.value >= 0x20 && $0.value != 0xFFFD || "\t\n\r".unicodeScalars.contains($0) }
    }

    /// Returns whether the name has the extension of a picture.
    static func isPicture(name: String) -> Bool { fileExtension(of: name).map(extensions.contains) ?? false }

    /// Returns whether a file in a folder is a picture, a document or a video by its name.
    static func isViewable(name: String) -> Bool {
        fileExtension(of: name).map { extensions.contains($0) || documentExtensions.contains($0) } ?? false
    }

    private static func fileExtension(of name: String) -> String? {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        return name[name.index(after: dot)...].lowercased()
    }

    /// Returns whether a URL or URL reference names a picture by the extension of its path.
    static func isPicture(url: Substring) -> Bool {
        let path = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[path.index(after: $0)...] } ?? path[...]
        return isPicture(name: String(Substring(name).trimmed))
    }

    /// Returns whether the file is a picture by name or content; false if it cannot be read.
    ///
    /// Opens regular files only: bytes read from a pipe are lost, and opening a pipe without a writer blocks.
    static func isPicture(path: String) -> Bool {
        if isViewable(name: (path as NSString).lastPathComponent) { return true }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let file = FileHandle(forReadingAtPath: path)
        else { return false }
        defer { try? file.close() }
        return isPicture(beginning: (try? file.read(upToCount: 64)) ?? Data())
    }
}
