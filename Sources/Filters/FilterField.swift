import Raster

/// A field of a filter that has a text as its value: `host:example.org`.
enum FilterField: String, CaseIterable {
    case host, type, status, error, verdict, color, alpha, camera, taken, tag, kind, state, key, ratio, like

    /// The scopes that know the field.
    var scopes: Set<FilterScope> {
        switch self {
        case .host, .type, .verdict, .color, .alpha, .ratio, .like, .camera, .taken: [.cache, .report, .list]
        case .status, .error: [.report, .list]
        case .tag: [.report]
        case .kind, .state, .key: [.cache]
        }
    }

    /// Returns the values to suggest; empty if any text is valid.
    func values(in scope: FilterScope) -> [String] {
        switch self {
        case .host, .error, .key, .camera, .taken, .tag: []
        case .type: ImageFormat.allCases.map { $0.rawValue.lowercased().replacing(" ", with: "") }
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
        case .tag: "tag:TEXT"
        case .kind: "kind:KIND"
        case .state: "state:STATE"
        case .key: "key:KEY"
        case .ratio: "ratio:WIDTH:HEIGHT"
        case .like: "like:BITS, 0 to 15"
        }
    }

    /// Reads the term with a value.
    ///
    /// - Throws: `FilterProblem` with the whole term.
    func term(_ value: String, in word: String, _ scope: FilterScope) throws(FilterProblem) -> FilterTerm {
        switch self {
        case .host: return .host(value)
        case .key:
            if !value.isEmpty { return .key(value) }
        case .error:
            if !value.isEmpty { return .error(value.lowercased()) }
        case .camera:
            if !value.isEmpty { return .camera(value.lowercased()) }
        case .tag:
            if !value.isEmpty { return .tag(value.lowercased()) }
        case .taken:
            let parts = value.split(separator: "-", omittingEmptySubsequences: false)
            let isDate = parts.allSatisfy { $0.utf8.allSatisfy { (48...57).contains($0) } }
            if isDate, [[4], [4, 2], [4, 2, 2]].contains(parts.map(\.count)) { return .taken(value) }
        case .type:
            if value.isEmpty { return .format(nil) }
            if let format = ImageFormat(fileExtension: value) ?? ImageFormat(name: value) { return .format(format) }
        case .status:
            if let codes = Self.codes(value) { return .code(codes) }
            if let known = known(value, scope), Int(known) == nil, known != "5xx" { return .status(known) }
        case .verdict:
            if let known = known(value, scope).flatMap(PictureVerdict.init) { return .verdict(known) }
        case .color:
            if let known = known(value, scope).flatMap(ColorFacts.Model.init) { return .color(known) }
        case .alpha:
            if let known = known(value, scope) { return .alpha(known == "yes") }
        case .kind:
            if let known = known(value, scope) { return .kind(known) }
        case .state:
            if let state = FilterTerm.EntryState(rawValue: value.lowercased()) { return .state(state) }
        case .ratio:
            let parts = value.split(separator: ":").compactMap { Double($0) }
            if parts.count == 2, parts.allSatisfy({ $0 > 0 }), (parts[0] / parts[1]).isNormal {
                return .ratio(parts[0] / parts[1])
            }
        case .like:
            if let bits = Int(value), 0...15 ~= bits { return .similar(bits) }
        }
        throw FilterProblem(term: word, expected: expected(in: scope))
    }

    private func known(_ value: String, _ scope: FilterScope) -> String? {
        values(in: scope).first { $0.lowercased() == value.lowercased() }
    }

    private func expected(in scope: FilterScope) -> String {
        switch self {
        case .host, .error, .key, .ratio, .like, .camera, .taken, .tag: form
        case .type, .status, .verdict, .color, .alpha, .kind, .state:
            "\(rawValue): and one of " + values(in: scope).joined(separator: ", ")
        }
    }

    /// Returns the codes of `404` and `4xx`; nil for other texts.
    private static func codes(_ text: String) -> ClosedRange<Int>? {
        if text.count == 3, text.lowercased().hasSuffix("xx"), let hundreds = text.first?.wholeNumberValue {
            return hundreds * 100...hundreds * 100 + 99
        }
        return text.count == 3 ? Int(text).map { $0...$0 } : nil
    }
}

extension PictureFilter {
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
