import BrowserCore
import Foundation

/// What a path that is being typed may become.
enum PathCompletion {
    /// At most so many are told.
    private static let limit = 100

    /// The paths that begin so, in order, those of folders with a slash at the end; hidden ones only where a dot is typed.
    ///
    /// Names that a terminal must not see are left out. A folder that hangs keeps nobody waiting but the caller.
    @concurrent
    static func paths(beginning: String) async -> [String] {
        let (folder, name) = split(beginning)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        let fitting = names.filter { $0.hasPrefix(name) && (name.hasPrefix(".") || !$0.hasPrefix(".")) }
        return fitting.filter { SafeText.clean($0) == $0 }.sorted().prefix(limit).map { name in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: folder + name, isDirectory: &isFolder)
            return folder + name + (isFolder.boolValue ? "/" : "")
        }
    }

    /// Returns whether the export path is a file, a folder or new.
    @concurrent
    static func standing(of path: String) async -> PathKind {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: ExportBatch.withHome(path), isDirectory: &isFolder) else {
            return .nothing
        }
        return isFolder.boolValue ? .folder : .file
    }

    /// The folder with its slash, and the beginning of a name in it.
    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }
}
