import FoundationEssentials

/// The files that are installed with the program.
public enum Assets {
    /// Returns the folder of the demo pictures; nil if it is not found.
    ///
    /// Looks in `../share/alcedo` beside the executable's folder; for a program that was built here, in `assets` beside
    /// the folder `.build`.
    public static func picturesFolder() -> URL? {
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        return picturesFolder(for: URL(filePath: program))
    }

    /// Returns the folder of the demo pictures for a program at this place.
    static func picturesFolder(for program: URL) -> URL? {
        var places = [program.deletingLastPathComponent().deletingLastPathComponent().appending(path: "share/alcedo")]
        var folder = program
        while folder.pathComponents.count > 1 {
            if folder.lastPathComponent == ".build" {
                places.append(folder.deletingLastPathComponent().appending(path: "assets"))
            }
            folder.deleteLastPathComponent()
        }
        return places.map { $0.appending(path: "pictures") }.first(where: isFolder)
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder
    }
}
