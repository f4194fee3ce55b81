import AlcedoLists
import AlcedoSupport
import FoundationEssentials
import Glibc

/// The marks, the position and the filter of a list, which the browser restores when the list is opened again.
///
/// Pictures are recorded by hashes of their addresses, so that no address and no secret is written.
struct BrowserSession: Equatable {
    /// The largest number of marks that are kept.
    static let markLimit = 100_000

    var filter = ""
    /// The columns of thumbnails that the user chose; nil for what suits the width.
    var columns: Int?
    /// Whether a folder was listed with the pictures of its subfolders.
    var isFlat = false
    /// The selected picture; nil for the first one.
    var selected: UInt64?
    var marks: Set<UInt64> = []

    var isEmpty: Bool { self == BrowserSession() }

    /// Returns the hash of a picture's location.
    static func hash(_ location: String) -> UInt64 { StableHash.hash(URLNormalizer.normalize(location)) }

    /// Reads the text of a file; nil if it has another form.
    init?(text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        guard lines.popFirst() == Substring(Self.head) else { return nil }
        for line in lines.prefix(Self.markLimit + 4) {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "view": isFlat = parts[1] == "flat"
            case "columns": columns = Int(parts[1]).flatMap { (1...100).contains($0) ? $0 : nil }
            case "filter": filter = String(parts[1].prefix(1000))
            case "selected": selected = UInt64(parts[1], radix: 16)
            case "mark": UInt64(parts[1], radix: 16).map { _ = marks.insert($0) }
            default: continue
            }
        }
    }

    init() {}

    var text: String {
        let filterLine = filter.isEmpty || filter.contains("\n") ? [] : ["filter \(filter)"]
        let columnsLine = columns.map { ["columns \($0)"] } ?? []
        let selectedLine = selected.map { ["selected \(String($0, radix: 16))"] } ?? []
        let markLines = marks.sorted().prefix(Self.markLimit).map { "mark \(String($0, radix: 16))" }
        return ([Self.head] + filterLine + columnsLine + (isFlat ? ["view flat"] : []) + selectedLine + markLines)
            .joined(separator: "\n") + "\n"
    }

    private static let head = "alcedo-session 1"
}

/// The file of a session in the folder of all sessions.
struct SessionFile: Sendable {
    /// The number of sessions that are kept; the oldest are removed.
    static let fileLimit = 200
    private static let byteLimit = 4 << 20

    let folder: String
    private let name: String

    /// Creates the file of some lists; nil for standard input and other pipes, whose content is not known beforehand.
    init?(folder: String?, lists: [String], workingFolder: String = FileManager.default.currentDirectoryPath) {
        guard let folder, !lists.contains("-") else { return nil }
        let isPipe = lists.contains { list in
            var facts = stat()
            return stat(list, &facts) == 0 && ![S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT)
        }
        guard !isPipe else { return nil }
        self.folder = folder
        let places = lists.map { list in
            list.contains("://") || list.hasPrefix("/")
                ? list : (workingFolder + "/" + list).standardPath
        }
        name = StableHash.hash(places.joined(separator: "\n")).digits(16, radix: 16)
    }

    private var path: String { "\(folder)/\(name)" }

    /// Returns the stored session; an empty one if there is none.
    func load() -> BrowserSession {
        guard let data = try? OpenFile(reading: path).readToEnd(limit: Self.byteLimit) else {
            return BrowserSession()
        }
        return BrowserSession(text: String(decoding: data, as: UTF8.self)) ?? BrowserSession()
    }

    /// Stores the session, or removes the file of an empty one; a failure costs only the session.
    func store(_ session: BrowserSession) {
        guard !session.isEmpty else {
            unlink(path)
            return
        }
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try? Data(session.text.utf8).write(to: URL(filePath: path), options: .atomic)
        chmod(path, 0o600)
        removeOldest()
    }

    private func removeOldest() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard names.count > Self.fileLimit else { return }
        let dated = names.map { name in
            let path = "\(folder)/\(name)"
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return (path, attributes?[.modificationDate] as? Date ?? .distantPast)
        }
        for (path, _) in dated.sorted(by: { $0.1 > $1.1 }).dropFirst(Self.fileLimit) { unlink(path) }
    }
}
