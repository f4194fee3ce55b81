/// What a list may say of a picture, by the names JSON Lines, tables and indented options share.
enum ListField: String {
    case url, key, title, alternatives, headers, priority, process, sha256, pin, tags
    case lowData = "low_data"
    case timeToLive = "ttl"

    /// Reads a name whatever its case, `-` as `_`; nil for a field of somebody else's.
    init?(name: some StringProtocol) {
        self.init(rawValue: name.lowercased().replacing("-", with: "_"))
    }
}

/// What is wrong with a field, as it is told.
struct FieldFault: Error, Hashable, CustomStringConvertible {
    var description: String

    /// A fault of a field's form: what it takes.
    init(_ field: ListField, takes form: String) {
        description = "\(field.rawValue) takes \(form)"
    }

    init(_ description: String) {
        self.description = description
    }
}
