import Foundation

/// Files that the user asks a screen for: one, or several into a folder; what one lacks does not keep the others back.
///
/// A file that is there is never replaced; those of one batch that would have the same name are numbered.
@MainActor
struct ExportBatch {
    private let path: String
    private let count: Int
    private let isFolder: Bool
    private var names: Set<String> = []
    private var written = 0
    private var failed = 0
    private var problem: String?

    /// Makes the folder when there are several, or the path ends with `/`.
    ///
    /// One that is there is a folder in any case; `~` is the user's own.
    init(of count: Int, to path: String) {
        var path = Self.withHome(path)
        isFolder = count > 1 || path.hasSuffix("/") || Self.isFolder(path)
        if path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
        self.count = count
        guard isFolder else { return }
        do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
            problem = "cannot make \(path)"
        }
    }

    /// As shells take it: what HOME says, not what the system knows.
    nonisolated static func withHome(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"] else {
            return (path as NSString).expandingTildeInPath
        }
        return home + path.dropFirst()
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = ObjCBool(false)
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Writes what `content` answers for a file's path; the name counts within a folder alone.
    mutating func add(
        _ name: String, _ content: @MainActor (_ path: String) async throws(ProgramProblem) -> Data
    ) async {
        let file = ExportFile(
            path: isFolder ? "\(path == "/" ? "" : path)/\(unused(name))" : path, mayReplace: false,
            advice: ": name another file")
        do throws(ProgramProblem) {
            try file.check()
            try file.write(try await content(file.path))
            written += 1
        } catch {
            failed += 1
            problem = problem ?? error.description
        }
    }

    private mutating func unused(_ name: String) -> String {
        let (stem, end) = ((name as NSString).deletingPathExtension, (name as NSString).pathExtension)
        var (candidate, number) = (name, 1)
        while !names.insert(candidate).inserted {
            number += 1
            candidate = end.isEmpty ? "\(stem)-\(number)" : "\(stem)-\(number).\(end)"
        }
        return candidate
    }

    /// Whether any file was not written.
    var hasFailed: Bool { problem != nil }

    /// A line that says how it went; of several problems it names the first.
    var outcome: String {
        guard let problem else {
            return "exported \(isFolder ? "\(written == 1 ? "1 picture" : "\(written) pictures") to \(path)" : path)"
        }
        return count == 1
            ? problem : "exported \(written) of \(count); \(failed) failed: \(problem)\(failed > 1 ? " …" : "")"
    }
}
