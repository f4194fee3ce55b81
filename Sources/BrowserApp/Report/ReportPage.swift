/// The page of a report: `report.html` around the rows, which are JSON arrays.
///
/// The script draws totals, charts and the visible rows of the table. It makes no request, and its content policy allows
/// none. Text of items is set as text, never as markup.
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
        let place = page.firstRange(of: "{{rows}}") ?? page.endIndex..<page.endIndex
        return (String(page[..<place.lowerBound]), String(page[place.upperBound...]))
    }()

    private static func escaped(_ text: String) -> String {
        text.replacingScalars(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"])
    }
}
