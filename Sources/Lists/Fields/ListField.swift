/// What a list may say of a picture, by the names JSON Lines, tables and indented options share.
enum ListField: String {
    case url, key, title, alternatives, headers, priority, process, sha256, pin, tags
    case lowData = "low_data"
    case timeToLive = "ttl"

    /// Reads a name whatever its case, `-` as `_`; nil for a field of somebody else's.
    init?(name: some StringProtocol) {
        let name = name.lowercased().replacing("-", with: "_")
        if Self.addresses.contains(name) { self = .url } else { self.init(rawValue: name) }
    }

    /// What datasets call the address of a picture.
    private static let addresses: Set<String> = [
        "image_url", "imageurl", "img_url", "photo_image_url", "original_url", "originalurl",
    ]

    /// Of several names of an address the one that counts: `url`, else the first.
    static func address(among names: [String]) -> Int? {
        names.firstIndex { ListField(rawValue: $0.trimmed.lowercased()) == .url }
            ?? names.firstIndex { ListField(name: $0.trimmed) == .url }
    }
}

/// What is wrong with a field, as it is told.
struct FieldFault: Error, Hashable, CustomStringConvertible {
    var description: String

    /// A fault of a field's form: what it takes.
    init(_ field: ListField, takes form: String) {
        description = "\(field.rawValue) takes \(form)"
    }

    /// A fault of an address; that of the picture itself needs no name.
    init(_ fault: String, of field: ListField) {
        description = field == .url ? fault : "\(field.rawValue): \(fault)"
    }

    init(_ description: String) {
        self.description = description
    }
}
