import FoundationEssentials
import Raster

/// A field of a filter that has a text as its value: `host:example.org`.
enum FilterField: String, CaseIterable {
    case host, type, status, error, verdict, color, alpha, camera, taken, sha256, tag, kind, state, key, ratio, like

    /// The scopes that know the field.
    var scopes: Set<FilterScope> {
        switch self {
        case .host, .type, .verdict, .color, .alpha, .ratio, .like, .camera, .taken, .sha256: [.cache, .report, .list]
        case .status, .error: [.report, .list]
        case .tag: [.report]
        case .kind, .state, .key: [.cache]
        }
    }

    /// Returns the values to suggest; empty if any text is valid.
    func values(in scope: FilterScope) -> [String] {
        switch self {
        case .host, .error, .key, .camera, .taken, .sha256, .tag: []
        case .type: ImageFormat.allCases.map(\.shortName)
        case .status:
            scope == .list
                ? ["waiting", "loading", "cached", "failed", "duplicate"]
                : [
                    "fetched", "hit", "revalidated", "failed", "duplicate", "skipped", "planned", "cancelled", "404",
                    "5xx",
                ]
        case .verdict: PictureVerdict.allCases.map(\.rawValue)
        case .color: ColorFacts.Model.allCases.map(\.rawValue)
        case .alpha: ["yes", "no"]
        case .kind: ["original", "processed", "encoded"]
        case .state: FilterTerm.EntryState.allCases.map(\.rawValue)
        case .ratio: ["16:9", "4:3", "3:2", "1:1"]
        case .like: ["0", "6", "10"]
        }
    }

    /// The valid form, as error messages state it.
    var form: String {
        switch self {
        case .host: "host:NAME"
        case .type: "type:FORMAT"
        case .status: "status:WORD, status:CODE or status:5xx"
        case .error: "error:TEXT"
        case .verdict: "verdict:WORD"
        case .color: "color:MODEL"
        case .alpha: "alpha:yes or alpha:no"
        case .camera: "camera:TEXT"
        case .taken: "taken:YEAR, taken:2026-07 or taken:2026-07-14"
        case .sha256: "sha256:DIGITS, the first 8 to 64"
        case .tag: "tag:TEXT"
        case .kind: "kind:KIND"
        case .state: "state:STATE"
        case .key: "key:KEY"
        case .ratio: "ratio:WIDTH:HEIGHT"
        case .like: "like:BITS, 0 to 15"
        }
    }

    /// The valid values, as a regular expression that ignores case.
    func pattern(in scope: FilterScope) -> String {
        switch self {
        case .host, .type: ".*"
        case .error, .camera, .tag, .key: ".+"
        case .taken: #"\d{4}(-\d\d){0,2}"#
        case .sha256: "[0-9a-f]{8,64}"
        case .ratio: #"[\d.]+:[\d.]+"#
        case .like: #"\d|1[0-5]"#
        case .status: #"\d\d\d|\dxx|"# + values(in: scope).joined(separator: "|")
        case .verdict, .color, .alpha, .kind, .state: values(in: scope).joined(separator: "|")
        }
    }

    /// The columns of a report of which one must match, each with the way of comparison in the script of the page.
    var columns: [[String]] {
        switch self {
        case .host: [["url", "host"]]
        case .type: [["format", "format"]]
        case .status: [["http", "code"], ["status", "equal"]]
        case .error: [["errorKind", "equal"], ["error", "part"]]
        case .verdict, .alpha: [[rawValue, "equal"]]
        case .color: [["colorModel", "equal"]]
        case .camera: [["camera", "part"]]
        case .taken: [["taken", "start"]]
        case .sha256: [["sha256", "start"]]
        case .tag: [["tags", "equal"]]
        case .ratio: [["width", "ratio"]]
        case .like, .kind, .state, .key: []
        }
    }

    /// Returns the term of this field for a value.
    ///
    /// - Parameter word: The whole term as it was written, for the error.
    /// - Throws: `FilterProblem` if the field does not take the value.
    func term(_ value: String, in word: String, _ scope: FilterScope) throws(FilterProblem) -> FilterTerm {
        guard RegularExpression("^(\(pattern(in: scope)))$")?.matches(value) == true,
            let term = term(value, value.lowercased())
        else {
            throw FilterProblem(term: word, expected: expected(in: scope))
        }
        return term
    }

    private func term(_ value: String, _ lower: String) -> FilterTerm? {
        switch self {
        case .host: .host(value)
        case .key: .key(value)
        case .error: .error(lower)
        case .camera: .camera(lower)
        case .tag: .tag(lower)
        case .taken: .taken(value)
        case .sha256: .digest(lower)
        case .type: value.isEmpty ? .format(nil) : ImageFormat.named(value).map { .format($0) }
        case .status: Self.codes(lower).map { .code($0) } ?? .status(lower)
        case .verdict: PictureVerdict(rawValue: lower).map { .verdict($0) }
        case .color: ColorFacts.Model.allCases.first { $0.rawValue.lowercased() == lower }.map { .color($0) }
        case .alpha: .alpha(lower == "yes")
        case .kind: .kind(lower)
        case .state: FilterTerm.EntryState(rawValue: lower).map { .state($0) }
        case .ratio: Self.ratio(value).map { .ratio($0) }
        case .like: Int(value).map { .similar($0) }
        }
    }

    private func expected(in scope: FilterScope) -> String {
        switch self {
        case .host, .error, .key, .ratio, .like, .camera, .taken, .sha256, .tag: form
        case .type, .status, .verdict, .color, .alpha, .kind, .state:
            "\(rawValue): and one of " + values(in: scope).joined(separator: ", ")
        }
    }

    private static func ratio(_ text: String) -> Double? {
        let parts = text.split(separator: ":").compactMap { Double($0) }
        let ratio = parts.count == 2 ? parts[0] / parts[1] : 0
        return ratio > 0 && ratio.isNormal ? ratio : nil
    }

    /// Returns the codes of `404` and `4xx`; nil for other texts.
    private static func codes(_ text: String) -> ClosedRange<Int>? {
        if text.hasSuffix("xx"), let hundreds = text.first?.wholeNumberValue {
            return hundreds * 100...hundreds * 100 + 99
        }
        return Int(text).map { $0...$0 }
    }
}

extension PictureFilter {
    /// The fields, numbers and formats of reports as an object of JSON, for the script of their page.
    package static var pageTable: some Encodable {
        let fields = FilterField.allCases.map {
            ($0.rawValue, PageTable.Field(pattern: $0.pattern(in: .report), columns: $0.columns))
        }
        let numbers = FilterTerm.Number.allCases.filter { $0.isKnown(in: .report) }.map { ($0.rawValue, $0.columns) }
        return PageTable(
            fields: Dictionary(uniqueKeysWithValues: fields),
            numbers: Dictionary(uniqueKeysWithValues: numbers + [("size", ["bytes"])]),
            formats: ImageFormat.names.mapValues(\.shortName))
    }

    private struct PageTable: Encodable {
        struct Field: Encodable {
            let pattern: String
            let columns: [[String]]
        }

        let fields: [String: Field]
        let numbers: [String: [String]]
        let formats: [String: String]
    }

    /// Returns the completions of the last word; each one is the whole text with that word completed.
    package static func completions(of text: String, in scope: FilterScope) -> [String] {
        let start = text.lastIndex { " |!".contains($0) }.map { text.index(after: $0) } ?? text.startIndex
        let (lead, word) = (text[..<start], text[start...].lowercased())
        var forms = ["dup", "mismatch"] + (scope == .list ? ["marked"] : [])
        for field in FilterField.allCases where field.scopes.contains(scope) {
            let isChosen = word.hasPrefix(field.rawValue + ":")
            forms += isChosen ? field.values(in: scope).map { "\(field.rawValue):\($0)" } : [field.rawValue + ":"]
        }
        for number in FilterTerm.Number.allCases where number.isKnown(in: scope) {
            forms += [number.rawValue + ">", number.rawValue + "<"]
        }
        return forms.filter { $0.lowercased().hasPrefix(word) && $0.lowercased() != word }.sorted().map { lead + $0 }
    }
}
