import AlcedoSupport
import FoundationEssentials
import Glibc
import Raster

/// The source of the entries: a list file, standard input, a folder, an archive, or one picture.
package enum ListSource: Hashable, Sendable {
    case file(String)
    case standardInput
    case folder(String)
    /// A zip, tar, 7z or rar file.
    case archive(String)
    /// One URL or absolute path of a picture.
    case picture(String)

    /// Returns the source that a command-line argument names.
    ///
    /// `-` is standard input, a URL is one picture, and a folder is read recursively. A file is one picture if its
    /// extension or its first bytes say so, or an archive, otherwise a list.
    ///
    /// - Parameter folder: The folder that a relative path starts from.
    /// - Throws: ``ListError/missing(file:)`` and ``ListError/badLocation(argument:reason:)``.
    package static func detect(
        _ argument: String, from folder: String = FileManager.default.currentDirectoryPath
    ) throws(ListError) -> ListSource {
        if argument == "-" { return .standardInput }
        let location = try Location.resolve(argument: argument, from: folder)
        guard location.hasPrefix("/") else { return .picture(location) }
        var status = stat()
        guard location.withPath({ stat($0, &status) }) == 0 else { throw .missing(file: argument) }
        if status.st_mode & S_IFMT == S_IFDIR { return .folder(location.standardPath) }
        if PictureFileDetector.isPicture(path: location) { return .picture(location) }
        return ArchiveFileDetector.isArchive(path: location) ? .archive(location) : .file(location)
    }

    /// The name for messages: the path, `standard input`, or the redacted location.
    package var name: String {
        switch self {
        case .file(let path), .folder(let path), .archive(let path): path
        case .standardInput: "standard input"
        case .picture(let location): Redaction.display(location)
        }
    }
}

/// Detection of archive files by their names and by their first bytes.
enum ArchiveFileDetector {
    static let extensions = [
        ".zip", ".cbz", ".tar", ".cbt", ".7z", ".cb7", ".rar", ".cbr", ".tgz", ".tbz2", ".txz", ".tzst",
    ]
    private static let packers = [".gz", ".bz2", ".xz", ".zst", ".lz4", ".Z"]

    private static let signatures: [(offset: Int, bytes: [UInt8])] = [
        (0, Array("PK\u{3}\u{4}".utf8)), (257, Array("ustar".utf8)), (0, Array("Rar!\u{1A}\u{7}".utf8)),
        (0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
    ]

    /// Returns whether the file is an archive by name or content; false if it cannot be read.
    ///
    /// A packed tar file is recognised by its name only, as a packed list begins with the same bytes.
    static func isArchive(path: String) -> Bool {
        guard let beginning = FileBeginning(of: path)?.bytes else { return false }
        let name = path.lowercased()
        return (extensions + packers.map { ".tar" + $0.lowercased() }).contains(where: name.hasSuffix)
            || signatures.contains { beginning.dropFirst($0.offset).starts(with: $0.bytes) }
    }
}

/// The first bytes of a regular file, and the number of all.
private struct FileBeginning {
    let bytes: Data
    let count: Int

    /// Reads the beginning of a regular file; nil for other files, and if it cannot be opened.
    ///
    /// Bytes read from a pipe are lost, and opening a pipe without a writer blocks.
    init?(of path: String) {
        var status = stat()
        guard path.withPath({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let descriptor = path.withPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { return nil }
        bytes = (try? OpenFile(descriptor).readToEnd(limit: FormatSniffer.markupBytes)) ?? Data()
        count = Int(status.st_size)
    }
}

/// Detection of picture files by their extension and by their first bytes.
enum PictureFileDetector {
    /// Formats whose files are text, but text that does not look like a list.
    private static let textFormats: Set<ImageFormat> = [.svg, .xbm, .xpm]

    /// Returns the format of a picture's file by its first bytes; nil for other files.
    ///
    /// Some signatures are letters, which may begin a list too, as in `BMW/1.jpg`. So the bytes of such a format must
    /// not be text.
    ///
    /// - Parameter count: The bytes of the file; nil if it may have any number.
    static func format(beginning bytes: some Collection<UInt8>, count: Int? = nil) -> ImageFormat? {
        let isWhole = count.map { $0 <= bytes.count } ?? false
        switch FormatSniffer.judge(bytes, isWhole: isWhole, inflate: nil) {
        case .format(let format): return textFormats.contains(format) || !isText(bytes.prefix(64)) ? format : nil
        case .refused: return nil
        // A TGA file has no signature, so only a whole file can be recognised.
        case .undecided:
            guard let count, let header = TGAHeader(Array(bytes.prefix(18))) else { return nil }
            return count >= header.leastBytes / 8 ? .tga : nil
        }
    }

    /// Returns whether the bytes are valid UTF-8, up to a character cut at the end, without control characters.
    private static func isText(_ bytes: some Collection<UInt8>) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self).unicodeScalars.dropLast(bytes.count == 64 ? 3 : 0)
        return text.allSatisfy { $0.value >= 0x20 && $0.value != 0xFFFD || "\t\n\r".unicodeScalars.contains($0) }
    }

    /// Returns whether the name has the extension of a picture.
    ///
    /// A link to a document or a video is rarely meant as a picture, so these count only in folders and when they are
    /// named.
    static func isPicture(name: String) -> Bool {
        switch format(of: name) {
        case nil, .pdf, .video: false
        default: true
        }
    }

    /// Returns whether a file in a folder is a picture, a document or a video by its name.
    static func isViewable(name: String) -> Bool { format(of: name) != nil }

    private static func format(of name: String) -> ImageFormat? {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        return ImageFormat(fileExtension: String(name[name.index(after: dot)...]))
    }

    /// Returns whether a URL or URL reference names a picture by the extension of its path.
    static func isPicture(url: Substring) -> Bool {
        let path = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[path.index(after: $0)...] } ?? path[...]
        return isPicture(name: String(Substring(name).trimmed))
    }

    /// Returns whether the file begins with the signature of a picture; false if it cannot be read.
    static func hasSignature(_ path: String) -> Bool {
        FileBeginning(of: path).flatMap { format(beginning: $0.bytes, count: nil) } != nil
    }

    /// Returns whether the file is a picture by name or content; false if it cannot be read.
    static func isPicture(path: String) -> Bool {
        isViewable(name: path.pathName)
            || FileBeginning(of: path).flatMap { format(beginning: $0.bytes, count: $0.count) } != nil
    }
}

/// The location that relative locations of a list start from.
package enum ListBase: Hashable, Sendable {
    /// An absolute path.
    case folder(String)
    /// An `http` or `https` URL, usually that of the page.
    case web(String)

    /// Returns the base that the argument of `--base` names: a URL or a folder.
    ///
    /// Does not check that it exists.
    ///
    /// - Parameter folder: The folder that a relative path starts from.
    /// - Throws: ``ListError/badLocation(argument:reason:)``.
    package static func detect(
        _ argument: String, from folder: String = FileManager.default.currentDirectoryPath
    ) throws(ListError) -> ListBase {
        let location = try Location.resolve(argument: argument, from: folder)
        if location.utf8.first == UInt8(ascii: "/") { return .folder(location) }
        guard location.lowercased().hasPrefix("data:") else { return .web(location) }
        throw .badLocation(argument: Redaction.display(argument), reason: "a data URL cannot be a base")
    }

    /// Returns the location of a URL or a path in the notation of the file system.
    func location(_ text: String) throws(LocationError) -> String {
        switch self {
        case .folder(let folder):
            if let host = Location.host(beginning: text).map(String.init),
                !FileManager.default.fileExists(atPath: host.hasPrefix("/") ? host : "\(folder)/\(host)")
            {
                throw .noScheme
            }
            return try Location.resolve(text, from: folder)
        case .web(let url):
            guard !text.isEmpty else { throw .empty }
            // A name without a port may be a folder on the host, and an address may have the scheme of the base.
            if let host = Location.host(beginning: text), host.contains(":"), !host.hasPrefix("/") { throw .noScheme }
            return try Location.resolve(URLReference.resolve(text, against: url), from: "/")
        }
    }

    /// Returns the location of a field of plain text, which may have quotes or a comment around its address.
    func location(plain text: Substring) throws(LocationError) -> String {
        try location(String(plainAddress(in: text)))
    }

    /// Returns the address in a field of plain text.
    func plainAddress(in text: Substring) throws(LocationError) -> Substring {
        try PlainAddress.text(of: text, isWeb: isWeb)
    }

    private var isWeb: Bool { if case .web = self { true } else { false } }

    /// The base as a URL, for documents whose relative locations are URL references.
    var url: String {
        switch self {
        case .web(let url): return url
        case .folder(let path):
            let url = URL(file: path).absoluteString
            return url.hasSuffix("/") ? url : url + "/"
        }
    }
}
