import AlcedoBrowserCore
import AlcedoConfig
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import Glibc

/// Completions for a path that is being typed.
enum PathCompletion {
    /// Maximum number of completions.
    private static let limit = 100

    /// Returns the sorted paths with this beginning.
    ///
    /// Folders end with a slash. Hidden files are included only if a dot is typed.
    ///
    /// Names with unsafe characters are left out. A file system that hangs blocks only the caller.
    @concurrent
    static func paths(beginning: String, from place: String? = nil) async -> [String] {
        // The slash opens the home folder.
        let beginning = beginning == "~" ? "~/" : beginning
        let (shown, name) = split(beginning)
        let folder = whole(shown.isEmpty ? "./" : shown, from: place)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let fitting = names.filter { $0.hasPrefix(name) && (name.hasPrefix(".") || !$0.hasPrefix(".")) }
        return fitting.filter { SafeText.clean($0) == $0 }.sorted().prefix(limit).map { name in
            var isFolder: Bool = false
            _ = FileManager.default.fileExists(atPath: folder.inFolder(name), isDirectory: &isFolder)
            return shown + name + (isFolder ? "/" : "")
        }
    }

    /// Returns whether the export path is a file, a folder or new.
    @concurrent
    static func kind(of path: String, from place: String? = nil) async -> PathKind {
        var isFolder: Bool = false
        guard FileManager.default.fileExists(atPath: whole(path, from: place), isDirectory: &isFolder) else {
            return .nothing
        }
        return isFolder ? .folder : .file
    }

    /// Returns the whole path of a typed one: `~` is the home folder, and what has no beginning starts from the folder
    /// that is shown, else from the working folder.
    ///
    /// Follows a path with `..` through the file system, because the folder before it may be a link.
    static func whole(_ path: String, from place: String?) -> String {
        let typed = ExportBatch.withHome(path)
        let whole = typed.hasPrefix("/") ? typed : place?.inFolder(typed) ?? typed
        let parts = whole.split(separator: "/", omittingEmptySubsequences: false)
        guard let up = parts.lastIndex(of: ".."), whole.hasPrefix("/") else { return whole }
        return parts[...up].joined(separator: "/").withPath { path in
            guard let real = realpath(path, nil) else { return whole }
            defer { free(real) }
            let rest = parts[(up + 1)...].joined(separator: "/")
            return up + 1 == parts.count ? String(pathCString: real) : String(pathCString: real).inFolder(rest)
        }
    }

    /// Splits a path into the folder with its slash and the beginning of a name.
    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }
}
