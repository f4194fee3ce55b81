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
