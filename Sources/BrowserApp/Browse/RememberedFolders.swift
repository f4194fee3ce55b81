import AlcedoBrowserCore
import AlcedoScreen
import AlcedoSupport
import Foundation

/// The folders into which files were copied, moved or saved, in a file of the user's state: a line each, latest first.
struct RememberedFolders: Sendable {
    private static let limit = 9

    /// The path of the file; nil if nothing is remembered.
    let path: String?
    /// The home folder, which is shown as `~`.
    let home: String?

    private struct Entry {
        let seconds: Int
        let folder: String
    }

    /// Returns the folders as they are now.
    @concurrent
    func read(now: Date = Date()) async -> [RememberedFolder] {
        entries.map { entry in
            var status = stat()
            let isThere = entry.folder.withPath { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
            let seconds = Int(now.timeIntervalSince1970) - entry.seconds
            return RememberedFolder(
                path: entry.folder, text: SafeText.clean(shown(entry.folder)),
                age: isThere ? "\(Units.duration(seconds: seconds)) ago" : "not there now")
        }
    }

    /// Puts a folder first; a failure costs only the memory of it.
    @concurrent
    func add(_ folder: String, now: Date = Date()) async {
        guard let path, folder.hasPrefix("/"), !folder.contains("\n") else { return }
        let whole = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let new = Entry(seconds: Int(now.timeIntervalSince1970), folder: whole)
        let all = ([new] + entries.filter { $0.folder != whole }).prefix(Self.limit)
        let bytes = all.flatMap { Array("\($0.seconds) ".utf8) + $0.folder.pathBytes + [UInt8(ascii: "\n")] }
        try? FileManager.default.createDirectory(
            atPath: path.pathFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try? Data(bytes).write(to: URL(filePath: path), options: .atomic)
        chmod(path, 0o600)
    }

    private var entries: [Entry] {
        guard let path, let data = try? FileHandle(forReadingAtPath: path)?.read(upToCount: 1 << 20) else { return [] }
        return data.split(separator: UInt8(ascii: "\n")).prefix(Self.limit).compactMap { line in
            let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
            guard parts.count == 2, let seconds = Int(String(decoding: parts[0], as: UTF8.self)) else { return nil }
            return Entry(seconds: seconds, folder: String(pathBytes: parts[1]))
        }
    }

    private func shown(_ folder: String) -> String {
        guard let home, home.count > 1, folder == home || folder.hasPrefix(home + "/") else { return folder }
        return "~" + folder.dropFirst(home.count)
    }
}
