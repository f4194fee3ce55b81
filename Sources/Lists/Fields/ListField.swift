/// A field of a picture, by its name in JSON, tables and indented options.
enum ListField: String {
    case url, key, title, alternatives, headers, priority, process, sha256, pin, tags
    case lowData = "low_data"
    case timeToLive = "ttl"

    /// Reads a name; ignores case and treats `-` as `_`.
    ///
    /// Nil for unknown names.
    init?(name: some StringProtocol) {
        let name = name.lowercased().replacing("-", with: "_")
        if Self.addresses.contains(name) { self = .url } else { self.init(rawValue: name) }
    }

    /// The names of a picture's address in common datasets.
    private static let addresses: Set<String> = [
        "image_url", "imageurl", "img_url", "photo_image_url", "original_url", "originalurl",
    ]

    /// Returns the index of the name of the address: `url`, else the first that means one.
    static func addressIndex(in names: [String]) -> Int? {
        names.firstIndex { ListField(rawValue: $0.trimmed.lowercased()) == .url }
            ?? names.firstIndex { ListField(name: $0.trimmed) == .url }
    }

    /// Returns whether a column or member without a field's name probably holds addresses or paths of pictures.
    static func isUsualAddressName(_ name: String) -> Bool {
        usualAddresses.contains(name.lowercased().filter(\.isLetter))
    }

    private static let usualAddresses: Set<String> = [
        "image", "imagelink", "imagepath", "imagesrc", "img", "imgsrc", "picture", "picturelink", "photo", "photolink",
        "photourl", "bild", "foto", "src", "source", "link", "href", "uri", "address", "file", "filename", "filepath",
        "path",
    ]
}

/// An error of a field, with a message for the user.
struct FieldError: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Creates the error of a location.
    ///
    /// That of the picture itself needs no field name.
    init(_ error: LocationError, of field: ListField) {
        description = field == .url ? error.description : "\(field.rawValue): \(error.description)"
    }
}
