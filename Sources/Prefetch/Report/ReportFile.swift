import AlcedoBrowserCore
import AlcedoConfig
import AlcedoFilters
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import Glibc
import Raster

/// A report that is written during a run.
///
/// The items are in a file beside it, `NAME.part`, until the lists are complete; a resumed run adds to it. At the end
/// of each run the report replaces an earlier one.
final class ReportFile {
    let path: String
    private let format: ReportFormat
    private let filter: ReportFilter?
    private let part: OpenFile
    /// The hashes of the earlier items that this run has not tried again, each with the number of its last line.
    private var earlier: [Int: Int] = [:]
    /// Hashes of the earlier items that this run lists again.
    private var seen: Set<Int> = []
    /// The number of lines of the interrupted run.
    private var earlierCount = 0
    /// The first write error.
    private(set) var problem: String?

    private var partPath: String { path + ".part" }

    /// Opens the file for the items.
    ///
    /// - Throws: `ProgramProblem` for an unknown extension, and if nothing can be written there.
    ///
    /// - Parameters:
    ///   - filter: The filter of the items; nil for all.
    ///   - continues: Whether the items of an interrupted run stay; false by default.
    init(path: String, filter: ReportFilter? = nil, continues: Bool = false) throws(ProgramProblem) {
        (self.path, format, self.filter) = (path, try ReportFormat(path: path), filter)
        try ExportFile(path: path, mayReplace: true).check()
        let mode = continues ? O_APPEND : O_TRUNC
        let descriptor = (path + ".part").withPath {
            open($0, O_WRONLY | O_CREAT | mode | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        guard descriptor >= 0 else {
            throw ProgramProblem("cannot write the report \(path): \(String(cString: strerror(errno)))")
        }
        part = OpenFile(descriptor)
        if continues { try readEarlier() }
    }

    private func readEarlier() throws(ProgramProblem) {
        try Self.forEachLine(of: partPath) { line in
            earlierCount += 1
            if let item = ReportConversion.item(line) { earlier[Self.identity(item)] = earlierCount }
        }
        // A killed run may have left an incomplete line; the line end keeps it apart from the next item.
        if earlierCount > 0 { write(Data("\n".utf8)) }
    }

    /// Returns a hash that identifies an item within a run.
    private static func identity(_ list: String?, _ line: Int?, _ url: String?) -> Int {
        var hasher = Hasher()
        hasher.combine(list)
        hasher.combine(line)
        hasher.combine(url)
        return hasher.finalize()
    }

    private static func identity(_ item: JSONValue) -> Int {
        identity(item["list"]?.text, item["line"]?.whole, item["url"]?.text)
    }

    /// Returns whether the interrupted run has reported the item.
    func contains(_ item: ItemReport) -> Bool { earlier[Self.identity(item.list, item.line, item.url)] != nil }

    /// Adds an item, or replaces the item of the interrupted run.
    ///
    /// - Parameter isNews: False if the item has no new facts, so that an earlier item is kept; true by default.
    func add(_ item: ItemReport, isNews: Bool = true) {
        if earlierCount > 0 {
            let identity = Self.identity(item.list, item.line, item.url)
            guard isNews || earlier[identity] == nil else {
                seen.insert(identity)
                return
            }
            earlier[identity] = nil
        }
        write(Data(JSONLine.bytes(of: item)))
    }

    private func write(_ data: Data) {
        do throws(SystemError) { try part.write(data) } catch { problem = problem ?? error.description }
    }

    /// Writes the report; keeps the file of items if that fails, or if a later run must complete it.
    func finish(title: String, isComplete: Bool = true) {
        guard problem == nil else {
            // On a full disk the file may have no items.
            var status = stat()
            if fstat(part.descriptor, &status) == 0, status.st_size == 0 {
                unlink(partPath)
            } else {
                problem = problem.map { "\($0); \(partPath) has the first rows" }
            }
            return
        }
        do throws(ProgramProblem) {
            if earlierCount > 0 { try removeOutdated(isComplete: isComplete) }
            try Self.write([partPath], filter, to: ExportFile(path: path, mayReplace: true), as: format, title: title)
            if isComplete { unlink(partPath) }
        } catch { problem = error.description }
    }

    /// Removes the items of the interrupted run that were tried again, and at the end those that left the lists.
    private func removeOutdated(isComplete: Bool) throws(ProgramProblem) {
        var count = 0
        try ExportFile(path: partPath, mayReplace: true).write { write throws(ProgramProblem) in
            try Self.forEachLine(of: partPath) { line in
                count += 1
                guard let item = ReportConversion.item(line) else { return }
                let identity = Self.identity(item)
                let isCurrent =
                    count > earlierCount
                    || earlier[identity] == count && (!isComplete || seen.contains(identity))
                if isCurrent { write(line + Data("\n".utf8)) }
            }
        }
    }

    /// Writes a report from files of JSON lines; lines that are not items are left out.
    ///
    /// - Returns: The number of lines of each file that are not JSON.
    /// - Throws: `ProgramProblem` if a file cannot be read or written, or if no line is JSON.
    @discardableResult
    static func write(
        _ sources: [String], _ filter: ReportFilter?, to file: ExportFile, as format: ReportFormat, title: String
    ) throws(ProgramProblem) -> [Int] {
        let filter = try filter?.resolved { body throws(ProgramProblem) in
            for source in sources { try forEachLine(of: source) { ReportConversion.item($0).map(body) } }
        }
        var conversion = ReportConversion(to: format, title: title, filter?.predicate())
        var unreadable: [Int] = []
        var (lineCount, objectCount) = (0, 0)
        try file.write { write throws(ProgramProblem) in
            write(Data(conversion.opening.utf8))
            for source in sources {
                var unreadableCount = 0
                try forEachLine(of: source) { line in
                    let object = ReportConversion.object(line)
                    lineCount += 1
                    if object == nil { unreadableCount += 1 } else { objectCount += 1 }
                    object.flatMap { conversion.text(of: $0, line) }.map { write(Data($0.utf8)) }
                }
                unreadable.append(unreadableCount)
            }
            guard lineCount == 0 || objectCount > 0 else {
                throw ProgramProblem("\(sources.joined(separator: ", ")): no JSON lines of prefetch or check")
            }
            write(Data(conversion.closing.utf8))
        }
        return unreadable
    }

    /// Calls `body` with each line, one block of the file in memory at a time.
    private static func forEachLine(of path: String, _ body: (Data) -> Void) throws(ProgramProblem) {
        let input = try reading(path) { () throws(SystemError) in try OpenFile(reading: path) }
        var rest = Data()
        while true {
            let block = try reading(path) { () throws(SystemError) in try input.read(upTo: 1 << 20) }
            if block.isEmpty { break }
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
}

extension ReportFile {
    private static func reading<Value>(
        _ path: String, _ body: () throws(SystemError) -> Value
    ) throws(ProgramProblem) -> Value {
        do { return try body() } catch { throw ProgramProblem("cannot read \(path): \(error)") }
    }
}

/// Makes a report from the JSON lines of earlier runs.
package enum ReportProgram {
    /// Writes the report.
    ///
    /// - Throws: `ProgramProblem` if a file cannot be read or written.
    package static func run(
        _ sources: [String], _ filter: ReportFilter?, to path: String, mayReplace: Bool, console: Console = Console()
    ) throws(ProgramProblem) {
        let (format, file) = (try ReportFormat(path: path), ExportFile.onCommandLine(path, mayReplace: mayReplace))
        try file.check()
        // A filter such as `dup` reads the lines twice.
        let copy = try sources.contains("-") ? copyOfInput() : nil
        defer { if let copy { unlink(copy) } }
        let names = sources.map { $0 == "-" ? "standard input" : $0 }
        let unreadable = try ReportFile.write(
            sources.map { $0 == "-" ? copy ?? $0 : $0 }, filter, to: file, as: format,
            title: names.joined(separator: ", "))
        for (source, count) in zip(names, unreadable) where count > 0 {
            console.message(
                "alcedo: \(source): \(count == 1 ? "1 line is" : "\(count) lines are") not JSON and left out")
        }
    }
}

extension ReportProgram {
    /// Returns the path of a temporary file with all of standard input.
    private static func copyOfInput() throws(ProgramProblem) -> String {
        let path = FileManager.default.temporaryDirectory.path(percentEncoded: false) + "/alcedo-\(UUID().uuidString)"
        do throws(SystemError) {
            let descriptor = path.withPath { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
            guard descriptor >= 0 else { throw SystemError() }
            let file = OpenFile(descriptor)
            while true {
                let block = try OpenFile.read(STDIN_FILENO, upTo: 1 << 20)
                if block.isEmpty { return path }
                try file.write(block)
            }
        } catch {
            unlink(path)
            throw ProgramProblem("standard input cannot be copied to \(path): \(error)")
        }
    }
}

/// The form of a report, by the extension of its file.
package enum ReportFormat: String, Sendable, CaseIterable {
    /// One JSON object a line, as `prefetch --json` prints items.
    case jsonLines = "jsonl"
    /// A table with a header line (RFC 4180).
    case csv
    /// A page that needs no server and no network.
    case html

    /// Returns the form of a file.
    ///
    /// - Throws: `ProgramProblem` for other extensions.
    init(path: String) throws(ProgramProblem) {
        guard let format = ReportFormat(rawValue: path.pathExtension.lowercased()) else {
            throw ProgramProblem("a report is a .jsonl, .csv or .html file, not \(path)")
        }
        self = format
    }
}

/// A column of a report: its name, and its place in the JSON object of an item.
struct ReportColumn {
    let name: String
    let path: [String]

    init(_ name: String, _ path: String...) {
        self.name = name
        self.path = path.isEmpty ? [name] : path
    }

    /// Returns the value of an item; text from outside has no control characters and no invisible ones.
    func value(in item: JSONValue) -> JSONValue {
        switch path.reduce(item, { $0?[$1] }) {
        // An object, such as the columns of the list, is a text of JSON.
        case .object(let members):
            .string(SafeText.clean(JSONLine.text(of: JSONValue.object(members)) ?? "", limit: .max))
        case .string(let text): .string(SafeText.clean(text, limit: .max))
        case let value: value ?? .null
        }
    }

    /// All facts, in the order of the page and of CSV.
    static let all =
        [
            ReportColumn("url"), ReportColumn("finalUrl", "via"), ReportColumn("list"), ReportColumn("line"),
            ReportColumn("status"), ReportColumn("http"), ReportColumn("errorKind", "error", "kind"),
            ReportColumn("errorCode", "error", "code"), ReportColumn("error", "error", "text"),
            ReportColumn("contentType"), ReportColumn("format"), ReportColumn("mismatch"), ReportColumn("bytes"),
        ]
        + PictureFact.all.filter { !["format", "phash"].contains($0.name) }.flatMap(columns)
        + [
            ReportColumn("sha256"), ReportColumn("phash"), ReportColumn("attempts"), ReportColumn("ms", "ms", "total"),
            ReportColumn("title"), ReportColumn("columns"), ReportColumn("file"), ReportColumn("etag"),
            ReportColumn("lastModified"), ReportColumn("fetchedAt"),
        ]

    private static func columns(of fact: PictureFact) -> [ReportColumn] {
        guard fact.name == "color" else { return [ReportColumn(fact.name)] }
        return ["model", "bits", "profile"].map { ReportColumn("color\($0.capitalized)", "color", $0) }
    }
}

extension [ReportColumn] {
    /// The columns of the page, which has thumbnails and filters by tags.
    fileprivate static let ofPage = ReportColumn.all + [ReportColumn("tags"), ReportColumn("thumbnail")]
}

/// Converts the JSON lines of items into a report.
struct ReportConversion {
    let format: ReportFormat
    /// The lists, for the heading of the page.
    let title: String
    private let isWanted: (JSONValue) -> Bool
    private var rows = 0

    /// - Parameter isWanted: Whether an item is in the report; nil for all.
    init(to format: ReportFormat, title: String, _ isWanted: ((JSONValue) -> Bool)? = nil) {
        self.format = format
        self.title = title
        self.isWanted = isWanted ?? { _ in true }
    }

    /// Returns the JSON object of a line; nil for other lines.
    static func object(_ line: Data) -> JSONValue? {
        JSONValue(line: line).flatMap { if case .object = $0 { $0 } else { nil } }
    }

    /// Returns the JSON object of an item; nil for other lines.
    static func item(_ line: Data) -> JSONValue? { object(line).flatMap { isItem($0) ? $0 : nil } }

    private static func isItem(_ object: JSONValue) -> Bool { object["type"]?.text == "item" }

    /// The text before the first item.
    var opening: String {
        switch format {
        case .jsonLines: ""
        case .csv: ReportColumn.all.map(\.name).joined(separator: ",") + "\r\n"
        case .html: ReportPage.opening(title: title, columns: [ReportColumn].ofPage.map(\.name))
        }
    }

    /// The text after the last item.
    var closing: String { format == .html ? ReportPage.closing : "" }

    /// Returns the text of a line of JSON; nil if it is not an item of the report.
    mutating func text(of item: JSONValue, _ line: Data) -> String? {
        guard Self.isItem(item), isWanted(item) else { return nil }
        rows += 1
        switch format {
        case .jsonLines: return JSONLine.escaped(String(decoding: line, as: UTF8.self)) + "\n"
        case .csv: return ReportColumn.all.map { Self.cell($0.value(in: item)) }.joined(separator: ",") + "\r\n"
        case .html: return (rows > 1 ? ",\n" : "") + Self.row([ReportColumn].ofPage.map { $0.value(in: item) })
        }
    }

    /// Returns a cell of CSV; an apostrophe precedes text that a spreadsheet would evaluate as a formula.
    private static func cell(_ value: JSONValue) -> String {
        guard var text = value.text else {
            if case .array = value { return "" }
            return value == .null ? "" : JSONLine.text(of: value) ?? ""
        }
        if let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) { text = "'" + text }
        guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
        return "\"" + text.replacingScalars(["\"": "\"\""]) + "\""
    }

    /// Returns a JSON array that may stand in a script of a page.
    private static func row(_ values: [JSONValue]) -> String {
        (JSONLine.text(of: values) ?? "[]")
            .replacingScalars(["<": "\\u003c", "\u{2028}": "\\u2028", "\u{2029}": "\\u2029"])
    }
}

extension String {
    /// Replaces scalars, also those that are part of a larger character.
    func replacingScalars(_ replacements: [Unicode.Scalar: String]) -> String {
        var result = ""
        for scalar in unicodeScalars {
            if let text = replacements[scalar] {
                result.unicodeScalars.append(contentsOf: text.unicodeScalars)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// The page of a report: `report.html` around the rows, which are JSON arrays.
///
/// The script draws totals, charts and the visible rows of the table. It makes no request, and its content policy
/// allows none. Text of items is set as text, never as markup.
enum ReportPage {
    /// Returns the text before the rows.
    static func opening(title: String, columns: [String]) -> String {
        // The title comes last, as it may contain any text.
        parts.opening.replacing("{{columns}}", with: columns.map { "\"\($0)\"" }.joined(separator: ","))
            .replacing("{{title}}", with: escaped(title))
    }

    /// The text after the rows.
    static var closing: String { parts.closing }

    private static let parts: (opening: String, closing: String) = {
        let page = String(decoding: PackageResources.report_html, as: UTF8.self)
            .replacing("{{language}}", with: JSONLine.text(of: PictureFilter.pageTable) ?? "{}")
        let place = page.firstRange(of: "{{rows}}") ?? page.endIndex..<page.endIndex
        return (String(page[..<place.lowerBound]), String(page[place.upperBound...]))
    }()

    private static func escaped(_ text: String) -> String {
        SafeText.clean(text, limit: .max).replacingScalars(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"])
    }
}
