import AlcedoConfig
import AlcedoScreen
import AlcedoSupport
import AlcedoTools
import FoundationEssentials
import Glibc

/// Lets the user edit names of files, one a line, in `$VISUAL`, else `$EDITOR`, else `vi`.
struct NameEditor {
    let environment: [String: String]

    /// Returns the edited names, as many as there were; the screen is the editor's meanwhile.
    ///
    /// - Throws: Why the names cannot be edited, or are not usable.
    @MainActor
    func edit(_ names: [String], on screen: any Screen) throws(ProgramProblem) -> [String] {
        if let name = names.first(where: { $0.utf8.contains(UInt8(ascii: "\n")) }) {
            throw ProgramProblem("\(SafeText.clean(name)) has a line end: rename it alone")
        }
        let folder = environment["TMPDIR"] ?? "/tmp"
        var template = folder.inFolder("alcedo-names-XXXXXX").pathBytes.map { CChar(bitPattern: $0) } + [0]
        let file = mkstemp(&template)
        let path = String(pathCString: template)
        guard file >= 0 else { throw ProgramProblem("\(path): \(String(cString: strerror(errno)))") }
        var keepsNames = false
        defer { if !keepsNames { _ = path.withPath { unlink($0) } } }
        let handle = OpenFile(file)
        let text = Data(names.flatMap { $0.pathBytes + [UInt8(ascii: "\n")] })
        do { try handle.write(text) } catch { throw ProgramProblem("\(path): no room for the names") }
        let editor = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
        var status: Int32 = 0
        screen.lend { status = system("\(editor) \(Console.quoted(path))") }
        // What a shell returns for a command that it does not find.
        guard status != 127 << 8 else { throw ProgramProblem("\(editor) is not there: EDITOR names another editor") }
        guard status == 0 else { throw ProgramProblem("\(editor) ended with an error: no name was changed") }
        // An editor may have put another file there.
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ProgramProblem("\(editor) removed the names: no name was changed")
        }
        var lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard lines.count == names.count else {
            keepsNames = true
            throw ProgramProblem("\(lines.count) names for \(names.count) pictures, which are kept in \(path)")
        }
        // An editor may end lines as other systems do.
        let hasReturns = lines.allSatisfy { $0.last == 13 } && !names.contains { $0.utf8.last == 13 }
        return lines.map { String(pathBytes: hasReturns ? $0.dropLast() : $0) }
    }
}
