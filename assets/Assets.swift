import Foundation

/// The files that are installed with the program.
public enum Assets {
    /// Returns the folder of the demo pictures; nil if it is not found.
    ///
    ///
    /// Looks beside the executable (`alcedo_AlcedoAssets.resources`, as built), then in `../share/alcedo`, then above the
    /// executable, where the resources of a test bundle lie.
    public static func picturesFolder() -> URL? {
        guard let program = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return nil }
        return picturesFolder(for: program)
    }

    /// Returns the folder of the demo pictures for a program at this place.
    static func picturesFolder(for program: URL) -> URL? {
        let beside = program.deletingLastPathComponent()
        let above = beside.deletingLastPathComponent()
        let places = [
            beside.appendingPathComponent(bundle), above.appendingPathComponent("share/alcedo"),
            above.appendingPathComponent(bundle),
        ]
        return places.map { $0.appendingPathComponent("pictures") }.first(where: isFolder)
    }

    private static let bundle = "alcedo_AlcedoAssets.resources"

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
