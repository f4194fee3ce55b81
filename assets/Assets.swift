import Foundation

/// What ships with the program, wherever it was installed or built.
public enum Assets {
    /// The folder of the demo pictures; nil when it is in none of the known places.
    ///
    /// Looked for beside the executable (`alcedo_Assets.resources`, as the build leaves it), then in
    /// `../share/alcedo`, then above the executable, where a test bundle's resources lie.
    public static func picturesFolder() -> URL? {
        guard let program = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return nil }
        return picturesFolder(for: program)
    }

    /// The demo pictures that belong to a program at this place.
    static func picturesFolder(for program: URL) -> URL? {
        let beside = program.deletingLastPathComponent()
        let above = beside.deletingLastPathComponent()
        let places = [
            beside.appendingPathComponent(bundle), above.appendingPathComponent("share/alcedo"),
            above.appendingPathComponent(bundle),
        ]
        return places.map { $0.appendingPathComponent("pictures") }.first(where: isFolder)
    }

    private static let bundle = "alcedo_Assets.resources"

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
