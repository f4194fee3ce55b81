import AlcedoBrowserCore
import AlcedoConfig
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import Glibc

/// Folders in a file of the user's state, a line each: those that were used last, and those that the user pinned.
struct RememberedFolders: Sendable {
    private static let limit = 9

    /// The path of the file; nil if nothing is remembered.
    private let path: String?
    /// Whether a folder keeps its number when it is used again; else it becomes the first one.
    private let keepsPlaces: Bool
    /// The home folder, which is shown as `~`.
    private let home: String?

    private struct Entry {
        var seconds: Int
        var isPinned: Bool
        let folder: String

        /// Reads a line: `1795976545 /home/me/best`, with a `p` in front if the folder is pinned.
        init?(_ line: Data) {
            let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
            guard parts.count == 2 else { return nil }
            isPinned = parts[0].first == UInt8(ascii: "p")
            guard let seconds = Int(String(decoding: parts[0].dropFirst(isPinned ? 1 : 0), as: UTF8.self)) else {
                return nil
            }
            self.seconds = seconds
            folder = String(pathBytes: parts[1])
        }

        init(_ folder: String, at seconds: Int) { (self.folder, self.seconds, isPinned) = (folder, seconds, false) }

        var line: [UInt8] { Array("\(isPinned ? "p" : "")\(seconds) ".utf8) + folder.pathBytes + [UInt8(ascii: "\n")] }
    }

    /// Creates the folders of a file with this name; without sessions nothing is remembered.
    @MainActor
    init(_ name: String, _ settings: BrowserSettings, keepsPlaces: Bool = false) {
        self.keepsPlaces = keepsPlaces
        path = settings[.session] ? UserFolder.state(name, settings.environment) : nil
        home = settings.environment["HOME"]
    }

    /// Returns the folders as they are now: the pinned ones, then the others, the latest first unless they keep their
    /// places.
    @concurrent
    func read(now: Date = Date()) async -> [RememberedFolder] {
        let entries = entries
        return (entries.filter(\.isPinned) + entries.filter { !$0.isPinned }).map { entry in
            var status = stat()
            let isThere = entry.folder.withPath { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
            let seconds = Int(now.timeIntervalSince1970) - entry.seconds
            return RememberedFolder(
                path: entry.folder, text: SafeText.clean(shown(entry.folder)),
                age: isThere ? "\(Units.duration(seconds: seconds)) ago" : "not there now", isPinned: entry.isPinned)
        }
    }

    /// Remembers that a folder was used; a failure costs only the memory of it.
    ///
    /// It becomes the first one. If folders keep their places it stays where it is, and a new one is the last, or takes the
    /// place of the one that was not used for the longest time.
    @concurrent
    func add(_ folder: String, now: Date = Date()) async {
        guard folder.hasPrefix("/"), !folder.contains("\n") else { return }
        let whole = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        var entries = entries
        let place = entries.firstIndex { $0.folder == whole }
        var new = place.map { entries[$0] } ?? Entry(whole, at: 0)
        new.seconds = Int(now.timeIntervalSince1970)
        if keepsPlaces {
            let oldest = entries.indices.min { entries[$0].seconds < entries[$1].seconds }
            if let index = place ?? (entries.count < Self.limit ? nil : oldest) {
                entries[index] = new
            } else {
                entries.append(new)
            }
            return store(entries)
        }
        place.map { _ = entries.remove(at: $0) }
        store([new] + entries)
    }

    /// Pins a folder, or not any more.
    @concurrent
    func pin(_ folder: String) async {
        store(
            entries.map { entry in
                var entry = entry
                if entry.folder == folder { entry.isPinned.toggle() }
                return entry
            })
    }

    private func store(_ entries: [Entry]) {
        guard let path else { return }
        let kept = entries.filter(\.isPinned).prefix(Self.limit) + entries.filter { !$0.isPinned }.prefix(Self.limit)
        try? FileManager.default.createDirectory(
            atPath: path.pathFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try? Data(kept.flatMap(\.line)).write(to: URL(filePath: path), options: .atomic)
        chmod(path, 0o600)
    }

    private var entries: [Entry] {
        guard let path, let data = try? OpenFile(reading: path).readToEnd(limit: 1 << 20) else { return [] }
        return data.split(separator: UInt8(ascii: "\n")).prefix(Self.limit * 2).compactMap { Entry($0) }
    }

    private func shown(_ folder: String) -> String {
        guard let home, home.count > 1, folder == home || folder.hasPrefix(home + "/") else { return folder }
        return "~" + folder.dropFirst(home.count)
    }
}
