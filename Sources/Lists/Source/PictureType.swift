import Foundation

/// Tells a picture file from a list, by its first bytes and by its extension.
public enum PictureType {
    /// Lower-case file extensions that are read as pictures in a folder.
    public static let extensions: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "apng", "gif", "webp", "avif", "heic", "heif", "jxl", "jp2", "tif",
        "tiff", "bmp", "ico", "svg", "ppm", "pgm", "pbm", "pam", "pnm", "qoi", "tga", "hdr", "exr",
    ]

    private static let signatures: [(offset: Int, bytes: [UInt8])] = [
        (0, [0xFF, 0xD8, 0xFF]), (0, [0x89, 0x50, 0x4E, 0x47]), (0, Array("GIF8".utf8)), (8, Array("WEBP".utf8)),
        (4, Array("ftypavif".utf8)), (4, Array("ftypheic".utf8)), (4, Array("ftypmif1".utf8)), (0, [0xFF, 0x0A]),
        (4, Array("JXL ".utf8)), (4, Array("jP  ".utf8)), (0, [0x49, 0x49, 0x2A, 0x00]),
        (0, [0x4D, 0x4D, 0x00, 0x2A]), (0, Array("BM".utf8)), (0, [0x00, 0x00, 0x01, 0x00]),
        (0, Array("qoif".utf8)),
    ]

    /// Whether the bytes begin as a known picture format does.
    public static func isPicture(beginning bytes: some Collection<UInt8>) -> Bool {
        signatures.contains { signature in
            bytes.dropFirst(signature.offset).starts(with: signature.bytes)
        }
    }

    public static func isPicture(name: String) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
        return extensions.contains(name[name.index(after: dot)...].lowercased())
    }

    /// Whether the file is a picture by name or content; false when it cannot be read.
    ///
    /// Only a regular file is looked into: what is read from a pipe is gone, and one without a writer has no end.
    static func isPicture(path: String) -> Bool {
        if isPicture(name: (path as NSString).lastPathComponent) { return true }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let file = FileHandle(forReadingAtPath: path)
        else { return false }
        defer { try? file.close() }
        let head = (try? file.read(upToCount: 64)) ?? Data()
        return isPicture(beginning: head) && !isText(head)
    }

    /// Whether it goes on as no picture does: some begin with letters, and so may a list, as `BMW/1.jpg`.
    private static func isText(_ head: Data) -> Bool {
        let isCut = head.count == 64
        let text = String(decoding: head, as: UTF8.self).unicodeScalars.dropLast(isCut ? 3 : 0)
        return text.allSatisfy { $0.value >= 0x20 && $0.value != 0xFFFD || "\t\n\r".unicodeScalars.contains($0) }
    }
}
