/// The addresses in `url(…)` of a style sheet or of a `style` attribute (CSS Syntax, 4.3.6).
enum StyleAddresses {
    /// Returns the addresses of all declarations.
    static func all(in style: String) -> [String] { read(style).map(\.address) }

    /// Returns the addresses that are pictures by their extension, or by a property such as `background-image`: a style
    /// sheet names fonts and other style sheets, too.
    static func pictures(in sheet: String) -> [String] {
        read(sheet).filter { found in
            PictureFileDetector.isPicture(url: found.address[...]) || found.address.hasPrefix("data:image/")
                || ["background", "image"].contains { found.property.contains($0) }
        }.map(\.address)
    }

    private static func read(_ text: String) -> [(address: String, property: String)] {
        var found: [(String, String)] = []
        var rest = withoutComments(text)[...]
        var before = Substring()
        while let range = rest.firstRange(of: "url(") {
            before += rest[..<range.lowerBound]
            rest = rest[range.upperBound...].trimmed
            let quote = rest.utf8.first.flatMap { "\"'".utf8.contains($0) ? Character(Unicode.Scalar($0)) : nil }
            if quote != nil { rest.removeFirst() }
            guard let end = rest.firstIndex(of: quote ?? ")") else { break }
            let address = rest[..<end].trimmed
            let start = before.lastIndex { ";{}".contains($0) }.map { before.index(after: $0) } ?? before.startIndex
            let property = before[start...].prefix { $0 != ":" }.trimmed.lowercased()
            // A fragment names a part of the page.
            if !address.isEmpty, !address.hasPrefix("#") { found.append((String(address), property)) }
            rest = rest[rest.index(after: end)...]
            if before.utf8.count > 4096 { before = before.suffix(256) }
        }
        return found
    }

    private static func withoutComments(_ text: String) -> String {
        var (kept, rest) = ("", text[...])
        while let start = rest.firstRange(of: "/*") {
            kept += rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            guard let end = rest.firstRange(of: "*/") else { return kept }
            rest = rest[end.upperBound...]
        }
        return kept + rest
    }
}

/// The pictures of linked data (JSON-LD with the words of schema.org) in a page.
enum LinkedData {
    /// Returns the addresses of `image` and its like, of objects of the type `ImageObject`, and thumbnails of objects
    /// that have no other picture.
    static func pictures(in text: Substring) -> [String] {
        guard let value = try? JSONValue(text) else { return [] }
        var found: [String] = []
        collect(value, isPicture: false, into: &found)
        return found
    }

    private static let names: Set<String> = ["image", "primaryImageOfPage", "photo", "screenshot", "logo"]

    private static func collect(_ value: JSONValue, isPicture: Bool, into found: inout [String]) {
        switch value {
        case .string(let text): if isPicture, !text.trimmed.isEmpty { found.append(text) }
        case .array(let values): for value in values { collect(value, isPicture: isPicture, into: &found) }
        case .object(let members):
            func member(_ name: String) -> JSONValue? { members.first { $0.name == name }?.value }
            let type = member("@type")
            let isObject = isPicture || type == .string("ImageObject")
            if isObject, let address = member("contentUrl") ?? member("url") {
                collect(address, isPicture: true, into: &found)
            }
            let own = members.filter { names.contains($0.name) }
            if !isObject, own.isEmpty, let small = member("thumbnailUrl") {
                collect(small, isPicture: true, into: &found)
            }
            for member in members {
                let isOwn = names.contains(member.name)
                if case .string = member.value, !isOwn { continue }
                if isObject, member.name == "contentUrl" || member.name == "url" { continue }
                collect(member.value, isPicture: isOwn, into: &found)
            }
        case .null, .flag, .number, .integer: break
        }
    }
}
