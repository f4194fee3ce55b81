import Foundation

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
        guard let format = ReportFormat(rawValue: URL(filePath: path).pathExtension.lowercased()) else {
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

    func value(in item: [String: Any]) -> Any? {
        var value: Any? = item
        for key in path { value = (value as? [String: Any])?[key] }
        return value
    }

    /// All facts, in the order of the page and of CSV.
    static let all = [
        ReportColumn("url"), ReportColumn("finalUrl", "via"), ReportColumn("list"), ReportColumn("line"),
        ReportColumn("status"), ReportColumn("http"), ReportColumn("errorKind", "error", "kind"),
        ReportColumn("errorCode", "error", "code"), ReportColumn("error", "error", "text"), ReportColumn("contentType"),
        ReportColumn("format"), ReportColumn("mismatch"), ReportColumn("bytes"), ReportColumn("width"),
        ReportColumn("height"), ReportColumn("frames"), ReportColumn("durationMs"), ReportColumn("orientation"),
        ReportColumn("colorModel", "color", "model"), ReportColumn("colorBits", "color", "bits"),
        ReportColumn("colorProfile", "color", "profile"), ReportColumn("alpha"), ReportColumn("verdict"),
        ReportColumn("sha256"), ReportColumn("phash"), ReportColumn("attempts"), ReportColumn("ms", "ms", "total"),
        ReportColumn("title"), ReportColumn("etag"), ReportColumn("lastModified"), ReportColumn("fetchedAt"),
    ]
}

extension [ReportColumn] {
    /// The columns of the page, which has thumbnails.
    fileprivate static let ofPage = ReportColumn.all + [ReportColumn("thumbnail")]
}

/// Converts the JSON lines of items into a report.
struct ReportConversion {
    let format: ReportFormat
    /// The lists, for the heading of the page.
    let title: String
    private let isWanted: ([String: Any]) -> Bool
    private var rows = 0

    /// - Parameter isWanted: Whether an item is in the report; nil for all.
    init(to format: ReportFormat, title: String, _ isWanted: (([String: Any]) -> Bool)? = nil) {
        self.format = format
        self.title = title
        self.isWanted = isWanted ?? { _ in true }
    }

    /// Returns the JSON object of an item; nil for other lines.
    static func item(_ line: Data) -> [String: Any]? {
        let object = try? JSONSerialization.jsonObject(with: line) as? [String: Any]
        return object?["type"] as? String == "item" ? object : nil
    }

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
    mutating func text(of line: Data) -> String? {
        guard let item = Self.item(line), isWanted(item) else { return nil }
        rows += 1
        switch format {
        case .jsonLines: return String(decoding: line, as: UTF8.self) + "\n"
        case .csv: return ReportColumn.all.map { Self.cell($0.value(in: item)) }.joined(separator: ",") + "\r\n"
        case .html: return (rows > 1 ? ",\n" : "") + Self.row([ReportColumn].ofPage.map { $0.value(in: item) })
        }
    }

    /// Returns a cell of CSV; text that a spreadsheet would take for a formula begins with an apostrophe.
    private static func cell(_ value: Any?) -> String {
        guard let value, !(value is NSNull) else { return "" }
        guard var text = value as? String else { return number(value) }
        if let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) { text = "'" + text }
        guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
        return "\"" + text.replacingScalars(["\"": "\"\""]) + "\""
    }

    private static func number(_ value: Any) -> String {
        guard let number = value as? NSNumber else { return "" }
        let isFlag = ["c", "B"].contains(String(cString: number.objCType))
        return isFlag ? (number.boolValue ? "true" : "false") : number.stringValue
    }

    /// Returns a JSON array that may stand in a script of a page.
    private static func row(_ values: [Any?]) -> String {
        let data = try? JSONSerialization.data(
            withJSONObject: values.map { $0 ?? NSNull() }, options: .withoutEscapingSlashes)
        return String(decoding: data ?? Data("[]".utf8), as: UTF8.self)
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
