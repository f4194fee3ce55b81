import BrowserCore
import Foundation
import Glibc

/// A report that is written while a run goes on.
///
/// The items lie in a file beside it, `NAME.part`, until the run ends; then the report replaces an earlier one.
final class ReportFile {
    let path: String
    private let format: ReportFormat
    private let filter: ReportFilter?
    private let part: FileHandle
    /// The first write error.
    private(set) var problem: String?

    private var partPath: String { path + ".part" }

    /// Opens the file for the items.
    ///
    /// - Throws: `ProgramProblem` for an unknown extension, and if nothing can be written there.
    ///
    /// - Parameter filter: The filter of the items; nil for all.
    init(path: String, filter: ReportFilter? = nil) throws(ProgramProblem) {
        (self.path, format, self.filter) = (path, try ReportFormat(path: path), filter)
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
            try Self.write([partPath], filter, to: ExportFile(path: path, mayReplace: true), as: format, title: title)
            unlink(partPath)
        } catch { problem = error.description }
    }

    /// Writes a report from files of JSON lines; lines that are no items are left out.
    static func write(
        _ sources: [String], _ filter: ReportFilter?, to file: ExportFile, as format: ReportFormat, title: String
    ) throws(ProgramProblem) {
        let filter = try filter?.resolved { body throws(ProgramProblem) in
            for source in sources { try forEachLine(of: source) { ReportConversion.item($0).map(body) } }
        }
        var conversion = ReportConversion(to: format, title: title, filter?.predicate())
        try file.write { write throws(ProgramProblem) in
            write(Data(conversion.opening.utf8))
            for source in sources {
                try forEachLine(of: source) { line in conversion.text(of: line).map { write(Data($0.utf8)) } }
            }
            write(Data(conversion.closing.utf8))
        }
    }

    /// Calls `body` with each line, one block of the file in memory at a time.
    private static func forEachLine(of path: String, _ body: (Data) -> Void) throws(ProgramProblem) {
        guard let input = FileHandle(forReadingAtPath: path) else { throw ProgramProblem("cannot read \(path)") }
        var rest = Data()
        while let block = try readBlock(of: input, path), !block.isEmpty {
            rest.append(block)
            var start = rest.startIndex
            while let end = rest[start...].firstIndex(of: 10) {
                if end > start { body(Data(rest[start..<end])) }
                start = end + 1
            }
            rest = Data(rest[start...])
            guard rest.count <= 64 << 20 else { throw ProgramProblem("\(path) has a line of more than 64 MiB") }
        }
        if !rest.isEmpty { body(rest) }
    }

    private static func readBlock(of input: FileHandle, _ path: String) throws(ProgramProblem) -> Data? {
        do { return try input.read(upToCount: 1 << 20) } catch {
            throw ProgramProblem("cannot read \(path): \(error.localizedDescription)")
        }
    }
}

/// Makes a report from the JSON lines of earlier runs.
package enum ReportProgram {
    /// Writes the report.
    ///
    /// - Throws: `ProgramProblem` if a file cannot be read or written.
    package static func run(
        _ sources: [String], _ filter: ReportFilter?, to path: String, mayReplace: Bool
    ) throws(ProgramProblem) {
        let (format, file) = (try ReportFormat(path: path), ExportFile.onCommandLine(path, mayReplace: mayReplace))
        try file.check()
        try ReportFile.write(sources, filter, to: file, as: format, title: sources.joined(separator: ", "))
    }
}
