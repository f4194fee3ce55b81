import BrowserCore
import Foundation
import Glibc

/// A report that is written while a run goes on.
///
/// The items lie in a file beside it, `NAME.part`, until the run ends; then the report replaces an earlier one.
final class ReportFile {
    let path: String
    private let format: ReportFormat
    private let part: FileHandle
    /// The first write error.
    private(set) var problem: String?

    private var partPath: String { path + ".part" }

    /// Opens the file for the items.
    ///
    /// - Throws: `ProgramProblem` for an unknown extension, and if nothing can be written there.
    init(path: String) throws(ProgramProblem) {
        guard let format = ReportFormat(path: path) else {
            throw ProgramProblem("a report is a .jsonl, .csv or .html file, not \(path)")
        }
        (self.path, self.format) = (path, format)
        try ExportFile(path: path, mayReplace: true).check()
        let descriptor = open(path + ".part", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ProgramProblem("cannot write the report \(path): \(String(cString: strerror(errno)))")
        }
        part = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func add(_ item: ItemLine) { write(Data(JSONLine.bytes(of: item))) }

    private func write(_ data: Data) {
        do { try part.write(contentsOf: data) } catch { problem = problem ?? error.localizedDescription }
    }

    /// Writes the report; the items stay in their file if that fails.
    func finish(title: String) {
        guard problem == nil else { return }
        do throws(ProgramProblem) {
            try Self.write([partPath], to: path, as: format, title: title)
            unlink(partPath)
        } catch { problem = error.description }
    }

    /// Writes a report from files of JSON lines; lines that are no items are left out.
    static func write(
        _ sources: [String], to path: String, as format: ReportFormat, title: String
    ) throws(ProgramProblem) {
        let temporary = path + ".new"
        // A report that is replaced keeps its permissions.
        var status = stat()
        let mode = stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o644
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw ProgramProblem("cannot write \(path): \(String(cString: strerror(errno)))") }
        let output = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var conversion = ReportConversion(to: format, title: title)
        do {
            try output.write(contentsOf: Data(conversion.opening.utf8))
            for source in sources {
                try forEachLine(of: source) { line in
                    if let text = conversion.text(of: line) { try output.write(contentsOf: Data(text.utf8)) }
                }
            }
            try output.write(contentsOf: Data(conversion.closing.utf8))
            try output.close()
        } catch let error as ProgramProblem {
            unlink(temporary)
            throw error
        } catch {
            unlink(temporary)
            throw ProgramProblem("cannot write \(path): \(error.localizedDescription)")
        }
        guard rename(temporary, path) == 0 else {
            throw ProgramProblem("cannot write \(path): \(String(cString: strerror(errno)))")
        }
    }

    /// Calls `body` with each line, one block of the file in memory at a time.
    private static func forEachLine(of path: String, _ body: (Data) throws -> Void) throws {
        guard let input = FileHandle(forReadingAtPath: path) else { throw ProgramProblem("cannot read \(path)") }
        var rest = Data()
        while let block = try input.read(upToCount: 1 << 20), !block.isEmpty {
            rest.append(block)
            var start = rest.startIndex
            while let end = rest[start...].firstIndex(of: 10) {
                if end > start { try body(Data(rest[start..<end])) }
                start = end + 1
            }
            rest = Data(rest[start...])
            guard rest.count <= 64 << 20 else { throw ProgramProblem("\(path) has a line of more than 64 MiB") }
        }
        if !rest.isEmpty { try body(rest) }
    }
}

/// Makes a report from the JSON lines of earlier runs.
package enum ReportProgram {
    /// Writes the report.
    ///
    /// - Throws: `ProgramProblem` if a file cannot be read or written.
    package static func run(_ sources: [String], to path: String, mayReplace: Bool) throws(ProgramProblem) {
        guard let format = ReportFormat(path: path) else {
            throw ProgramProblem("a report is a .jsonl, .csv or .html file, not \(path)")
        }
        try ExportFile.onCommandLine(path, mayReplace: mayReplace).check()
        try ReportFile.write(sources, to: path, as: format, title: sources.joined(separator: ", "))
    }
}
