import Glibc

/// An operation on local files; it never replaces a file.
package enum FileOperation: Sendable, Hashable {
    /// Moves files to the trash of the desktop.
    case trash
    /// Copies files into a folder, which is made if there is nothing; a name that is taken gets a number.
    case copy(into: String)
    /// Moves files into a folder in the same way.
    case move(into: String)
    /// Gives one file another name in its folder.
    case rename(to: String)
    /// Makes a folder, and those on the way to it.
    case makeFolder(String)
}

/// A change of a file that can be taken back.
package struct FileChange: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case moved
        /// The size and the modification time of the copy; a copy that was changed since is not removed.
        case copied(FileStamp)
        /// The path of the note that the trash keeps beside the file.
        case trashed(note: String)
        case made
    }

    package let kind: Kind
    /// The path before; that of the original of a copy.
    package let from: String
    /// The path after.
    package let to: String
}

/// What tells whether a file was changed: its size and modification time.
package struct FileStamp: Sendable, Hashable {
    let bytes, seconds, nanoseconds: Int

    init(_ status: stat) {
        (bytes, seconds, nanoseconds) = (Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
}

/// The changes that were made, and the files that stayed as they were.
package struct FileOutcome: Sendable, Hashable {
    package struct Failure: Sendable, Hashable {
        package let path: String
        package let reason: String
    }

    package internal(set) var changes: [FileChange] = []
    package internal(set) var failures: [Failure] = []

    package init() {}
}
