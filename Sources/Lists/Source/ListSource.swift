import Foundation

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
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: location, isDirectory: &isFolder) else {
            throw .missing(file: argument)
        }
        if isFolder.boolValue { return .folder((location as NSString).standardizingPath) }
        if PictureType.isPicture(path: location) { return .picture(location) }
        return ArchiveType.isArchive(path: location) ? .archive(location) : .file(location)
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
enum ArchiveType {
    private static let extensions = [
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
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        let name = path.lowercased()
        if (extensions + packers.map { ".tar" + $0.lowercased() }).contains(where: name.hasSuffix) { return true }
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        let beginning = (try? file.read(upToCount: 262)) ?? Data()
        return signatures.contains { beginning.dropFirst($0.offset).starts(with: $0.bytes) }
    }
}
