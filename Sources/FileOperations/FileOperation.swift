import AlcedoCFiles
import AlcedoScreen
import AlcedoSupport
import Glibc
import Raster

/// An operation on local files; it replaces a file only where the user said so.
package enum FileOperation: Sendable, Hashable {
    /// Moves files to the trash of the desktop.
    case trash
    /// Removes files for good.
    case delete
    /// Copies files into a folder, which is made if there is nothing; a name that is taken gets a number.
    case copy(into: String)
    /// Moves files into a folder in the same way.
    case move(into: String)
    /// Gives one file another name in its folder.
    case rename(to: String)
    /// Gives each file another name in its folder, all or none; files may swap their names.
    case renameAll(to: [String])
    /// Turns the pictures of JPEG files, each by its own turn, in their EXIF data.
    case turn(by: [Orientation])
    /// Makes a folder, and those on the way to it.
    case makeFolder(String)
}

extension FileOperation {
    /// Returns the operation with its folder's path changed by a function.
    package func mapFolder(_ transform: (String) -> String) -> FileOperation {
        switch self {
        case .trash, .delete, .rename, .renameAll, .turn: self
        case .copy(into: let folder): .copy(into: transform(folder))
        case .move(into: let folder): .move(into: transform(folder))
        case .makeFolder(let path): .makeFolder(transform(path))
        }
    }

    /// The paths of files that change, as far as they are known before.
    package func paths(of paths: [String]) -> Set<String> {
        let names: [String] =
            switch self {
            case .rename(to: let name): [name]
            case .renameAll(to: let names): names
            case .trash, .delete, .copy, .move, .turn, .makeFolder: []
            }
        return Set(paths + zip(paths, names).map { $0.pathFolder.inFolder($1) })
    }

    /// Whether it changes folders, too: as a whole, within their file system.
    package var takesFolders: Bool {
        switch self {
        case .trash, .move, .rename: true
        case .delete, .copy, .renameAll, .turn, .makeFolder: false
        }
    }

    /// The folder into which files go; nil for operations without one.
    package var folder: String? {
        switch self {
        case .copy(into: let folder), .move(into: let folder): folder
        case .trash, .delete, .rename, .renameAll, .turn, .makeFolder: nil
        }
    }
}

/// The user's answer for a file whose name is taken where it goes.
package enum ConflictAnswer: Sendable, Hashable {
    /// It stays where it is.
    case skip
    /// It gets a number.
    case keepBoth
    /// The file that is there goes to the trash.
    case replace
}

/// A change of a file that can be taken back.
package struct FileChange: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case moved
        case copied
        /// The path of the note that the trash keeps beside the file.
        case trashed(note: String)
        /// It is gone, and nothing brings it back.
        case deleted
        /// The picture in the file was turned.
        case turned(Orientation)
        case made
        /// It was written by another part of the program; undo puts it into the trash.
        case written
    }

    package let kind: Kind
    /// The path before; that of the original of a copy.
    package let from: String
    /// The path after.
    package let to: String
    /// The file at the path after; undo leaves another one there alone.
    let stamp: FileStamp?

    init(_ kind: Kind, from: String, to: String) {
        (self.kind, self.from, self.to) = (kind, from, to)
        stamp = FileStep.status(to, followsLink: false).map(FileStamp.init)
    }
}

/// The identity of a file with its size and modification time; a later state of it has another stamp.
package struct FileStamp: Sendable, Hashable {
    let device, file: UInt64
    let bytes, seconds, nanoseconds: Int
    /// Whether it is a regular file, and no link to one.
    package let isFile: Bool

    init(_ status: stat) {
        (device, file) = (UInt64(status.st_dev), UInt64(status.st_ino))
        (bytes, seconds, nanoseconds) = (Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        isFile = status.st_mode & S_IFMT == S_IFREG
    }

    /// Looks at a file, not at what a link leads to; nil if there is none.
    package init?(path: String) {
        guard let status = FileStep.status(path, followsLink: false) else { return nil }
        self.init(status)
    }

    /// Whether two names lead to one file.
    package func isSameFile(as other: FileStamp) -> Bool { device == other.device && file == other.file }
}

extension String {
    /// The path that all links lead to; the path itself if that is not known.
    package var resolvedPath: String {
        guard let real = withPath({ realpath($0, nil) }) else { return self }
        defer { free(real) }
        return String(pathCString: real)
    }
}

/// The changes that were made, and the files that stayed as they were.
package struct FileOutcome: Sendable, Hashable {
    package struct Failure: Sendable, Hashable {
        package let path: String
        package let reason: String

        /// The name of the file and the reason; only the reason if there is no file.
        package var text: String {
            let name = Fitting.truncateMiddle(SafeText.clean(path.pathName), to: 40)
            return path.isEmpty ? reason : "\(name): \(reason)"
        }
    }

    package internal(set) var changes: [FileChange] = []
    package internal(set) var failures: [Failure] = []
    /// The files that stay because the user skipped them.
    package internal(set) var skippedCount = 0
    /// The files that stay because the operation was stopped.
    package internal(set) var leftCount = 0

    package init() {}
}

/// Why a file could not be changed.
struct FileProblem: Error {
    let reason: String
    /// The system's error number; 0 for others.
    var code: Int32 = 0

    init(_ reason: String, code: Int32 = 0) { (self.reason, self.code) = (reason, code) }

    static func system(_ code: Int32) -> FileProblem {
        var problem = FileProblem(code == EEXIST ? "the name is taken" : String(cString: strerror(code)))
        problem.code = code
        return problem
    }
}
