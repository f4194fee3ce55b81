import AlcedoBrowserCore
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import Glibc
import ImageLoading

/// A file that is written atomically: to a temporary file beside it that is then renamed.
package struct ExportFile {
    let path: String
    /// False never replaces a file, not even one that appears during the write.
    let mayReplace: Bool
    /// Advice appended to the message when the file exists, such as `; add --force to replace it`; none by default.
    let advice: String

    package init(path: String, mayReplace: Bool, advice: String = "") {
        (self.path, self.mayReplace, self.advice) = (path, mayReplace, advice)
    }

    /// Creates an export for the command line, where an option allows replacing files.
    package static func onCommandLine(_ path: String, mayReplace: Bool) -> ExportFile {
        ExportFile(path: path, mayReplace: mayReplace, advice: "; add --force to replace it")
    }

    /// Throws if the file cannot be written.
    package func check() throws(ProgramProblem) {
        var status = stat()
        if path.withPath({ lstat($0, &status) }) == 0 {
            guard mayReplace else { throw ProgramProblem(existing) }
            guard [S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT) else {
                throw ProgramProblem("\(path) is not a regular file")
            }
        }
        guard folder.withPath({ access($0, W_OK) }) == 0 else { throw problem() }
    }

    /// Writes the file; throws if a file is in the way or the disk is full, and then leaves nothing behind.
    package func write(_ data: Data) throws(ProgramProblem) { try write { $0(data) } }

    /// Writes the file in pieces; `body` calls its argument with each piece.
    ///
    /// A file that is replaced keeps its permissions.
    package func write(
        _ body: (_ write: (Data) -> Void) throws(ProgramProblem) -> Void
    ) throws(ProgramProblem) {
        let temporary = folder + "/.alcedo-export-\(UUID().uuidString)"
        // 0o666, because the umask removes the permissions that the user does not want.
        let descriptor = temporary.withPath {
            open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        }
        guard descriptor >= 0 else { throw problem() }
        defer { temporary.withPath { _ = unlink($0) } }
        var status = stat()
        if mayReplace, path.withPath({ stat($0, &status) }) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
        var failure: ProgramProblem?
        do throws(ProgramProblem) {
            try body { data in
                if failure == nil, Console.writeAll(data, to: descriptor) != 0 { failure = problem() }
            }
        } catch { failure = failure ?? error }
        if failure == nil, fsync(descriptor) != 0 { failure = problem() }
        if close(descriptor) != 0 { failure = failure ?? problem() }
        if let failure { throw failure }
        try move(temporary)
    }

    private var folder: String { path.pathFolder }

    private func move(_ temporary: String) throws(ProgramProblem) {
        if !mayReplace {
            // `link`, unlike `rename`, fails if the file exists.
            if temporary.withPath({ from in path.withPath { link(from, $0) } }) == 0 { return }
            if errno == EEXIST { throw ProgramProblem(existing) }
            // Some file systems have no hard links; there this check has to be enough.
            var status = stat()
            if path.withPath({ lstat($0, &status) }) == 0 { throw ProgramProblem(existing) }
        }
        guard temporary.withPath({ from in path.withPath { rename(from, $0) } }) == 0 else { throw problem() }
    }

    private func problem() -> ProgramProblem {
        ProgramProblem("cannot write \(path): \(String(cString: strerror(errno)))")
    }

    private var existing: String { "\(path) exists\(advice)" }
}

/// An export of one file, or of several into a folder; a failed file does not stop the others.
///
/// Existing files are only replaced where the user says so. Files of a batch that would have the same name are numbered.
@MainActor
package struct ExportBatch {
    private let path: String
    private let count: Int
    private let isFolder: Bool
    /// The number of files that were left out because their names are taken.
    package var skipped = 0
    private var names: Set<String> = []
    /// The last number of each name that occurred again.
    private var lastNumbers: [String: Int] = [:]
    private var written = 0
    private var failed = 0
    private var problem: String?

    /// Creates the folder if there are several files or the path ends with `/`.
    ///
    /// An existing folder is always used as a folder. A leading `~` is expanded.
    package init(of count: Int, to path: String) {
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

    /// The folder that gets the files; nil if there is one file with a name of its own.
    package var folder: String? { isFolder ? path : nil }

    /// Replaces a leading `~` as shells do: with `$HOME`, not with the home folder of the user database.
    package nonisolated static func withHome(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"] else {
            return Self.inHomeOfUser(path)
        }
        return home + path.dropFirst()
    }

    /// Replaces `~` and `~name` at the start of a path by that user's home folder.
    private nonisolated static func inHomeOfUser(_ path: String) -> String {
        guard path.hasPrefix("~") else { return path }
        let name = path.dropFirst().prefix { $0 != "/" }
        let user = name.isEmpty ? getpwuid(getuid()) : getpwnam(String(name))
        return user.map { String(cString: $0.pointee.pw_dir) + path.dropFirst(name.count + 1) } ?? path
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    /// Writes the data that `content` returns for the file's path.
    ///
    /// - Parameters:
    ///   - name: Used only inside a folder.
    ///   - mayReplace: Whether a file with the name is replaced; false by default.
    ///   - keepsBoth: Whether the file gets a number if the name is taken; false by default, which is a failure.
    /// - Returns: The path of the file; nil if it could not be written.
    @discardableResult
    package mutating func add(
        _ name: String, mayReplace: Bool = false, keepsBoth: Bool = false,
        _ content: @MainActor (_ path: String) async throws(ProgramProblem) -> Data
    ) async -> String? {
        let file = ExportFile(
            path: isFolder ? path.inFolder(unused(name, keepsBoth)) : path, mayReplace: mayReplace,
            advice: ": name another file")
        do throws(ProgramProblem) {
            try file.check()
            try file.write(try await content(file.path))
            written += 1
            return file.path
        } catch {
            failed += 1
            problem = problem ?? error.description
            return nil
        }
    }

    /// Writes the bytes of a cached entry; `entry` is nil if it has disappeared.
    package mutating func add(_ entry: CacheEntry?, of disk: DiskStorage?) async {
        await add(entry?.fileName ?? "picture") { _ throws(ProgramProblem) in
            guard let entry, let data = await disk?.contents(of: entry) else {
                throw ProgramProblem("its bytes are damaged or gone")
            }
            return data
        }
    }

    private mutating func unused(_ name: String, _ isNew: Bool) -> String {
        let (stem, end) = (name.withoutPathExtension, name.pathExtension)
        var (candidate, number) = (name, lastNumbers[name] ?? 1)
        defer { lastNumbers[name] = number }
        // Only of the name itself the user may have said that it is replaced.
        while !names.insert(candidate).inserted
            || (isNew || candidate != name) && Self.isThere(path.inFolder(candidate))
        {
            number += 1
            candidate = end.isEmpty ? "\(stem)-\(number)" : "\(stem)-\(number).\(end)"
        }
        return candidate
    }

    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return path.withPath { lstat($0, &status) } == 0
    }

    /// Whether any file could not be written.
    package var hasFailed: Bool { problem != nil }

    /// A line with the result; it names only the first of several problems.
    package var outcome: String {
        let left = skipped > 0 ? ", \(skipped) skipped" : ""
        guard let problem else {
            let what = isFolder ? "\(written == 1 ? "1 picture" : "\(written) pictures") to \(path)" : path
            return "exported \(what)\(left)"
        }
        return count == 1
            ? problem : "exported \(written) of \(count); \(failed) failed: \(problem)\(failed > 1 ? " …" : "")"
    }
}

extension CacheEntry {
    /// A file name from the address, with the extension of the format; for a processed picture, the key distinguishes
    /// the variants.
    fileprivate var fileName: String {
        let last = (URL(string: facts.url)?.lastPathComponent ?? "").replacing("/", with: "_")
        let file = SafeText.clean(["", "_", ".", ".."].contains(last) ? "picture" : last)
        let named = ImageFormat(fileExtension: file.pathExtension)
        var stem = named == nil ? file : file.withoutPathExtension
        // A key and a number find room beside it.
        while stem.utf8.count > 160 { stem.removeLast() }
        let format = facts.format ?? named
        let ending = named != nil && named == format ? file.pathExtension : format?.fileExtension ?? ""
        let whole = ending.isEmpty ? stem : "\(stem).\(ending)"
        return key.processor.isEmpty ? whole : "\(name)-\(whole)"
    }
}
