/// The addresses in `url(…)` of a style sheet or of a `style` attribute (CSS Syntax, 4.3.6).
enum StyleAddresses {
    /// Returns the addresses of all declarations.
    static func all(in style: String) -> [String] { read(style).map(\.address) }

    /// Returns the addresses that are pictures by their extension, or by a property such as `background-image`: a style
    /// sheet names fonts and other style sheets, too.
    static func pictures(in sheet: String) -> [String] {
        read(sheet).filter { found in
            // The sources of a font may be SVG.
            found.property != "src" && PictureFileDetector.isPicture(url: found.address[...])
                || found.address.hasPrefix("data:image/")
                || ["background", "image"].contains { found.property.contains($0) }
        }.map(\.address)
    }

    private static func read(_ text: String) -> [(address: String, property: String)] {
        var found: [(String, String)] = []
        var rest = withoutComments(text)[...]
        var property: String?
        while let word = firstWord(of: rest) {
            let before = rest[..<word.lowerBound]
            let mark = before.utf8.lastIndex { ";{}".utf8.contains($0) }
            // Several addresses may follow a property.
            if mark != nil || property == nil {
                let start = mark.map { before.utf8.index(after: $0) } ?? before.startIndex
                property = Substring(before.utf8[start...].prefix { $0 != UInt8(ascii: ":") }).trimmed.lowercased()
            }
            rest = rest[word.upperBound...].trimmed
            let quote = rest.utf8.first.flatMap { "\"'".utf8.contains($0) ? $0 : nil }
            if quote != nil { rest = Substring(rest.utf8.dropFirst()) }
            guard let end = rest.utf8.firstIndex(of: quote ?? UInt8(ascii: ")")) else { break }
            let address = rest[..<end].trimmed
            // A fragment names a part of the page.
            let isOther = ["#", "javascript:", "about:"].contains { address.lowercased().hasPrefix($0) }
            if !address.isEmpty, !isOther, !Self.effects.contains(property ?? "") {
                found.append((String(address), property ?? ""))
            }
            rest = Substring(rest.utf8[rest.utf8.index(after: end)...])
        }
        return found
    }

    /// Properties whose addresses are shapes, filters and scripts.
    private static let effects: Set = ["clip-path", "-webkit-clip-path", "filter", "backdrop-filter", "behavior"]

    /// Returns the place of the first `url(`, in any case.
    private static func firstWord(of text: Substring) -> Range<Substring.Index>? {
        var rest = text.utf8[...]
        while let start = rest.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "u") }) {
            let word = rest[start...].prefix(4)
            if word.lazy.map({ $0 | 0x20 }).elementsEqual("url(".utf8) { return start..<word.endIndex }
            rest = rest[rest.index(after: start)...]
        }
        return nil
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
        // XHTML pages and old editors put the data between marks.
        let data = text.firstRange(of: "<![CDATA[").map { text[$0.upperBound...] } ?? text
        let end = (data.firstRange(of: "]]>")?.lowerBound ?? data.endIndex)
        guard let start = data[..<end].firstIndex(where: { "{[".contains($0) }),
            let last = data[..<end].lastIndex(where: { "}]".contains($0) }), start < last,
            let value = try? JSONValue(data[start...last])
        else { return [] }
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
            let isObject = isPicture || member("@type").map(isImageObject) == true
            if isObject, let address = member("contentUrl") ?? member("url") ?? member("@id") {
                collect(address, isPicture: true, into: &found)
            }
            let own = members.filter { names.contains($0.name) }
            if !isObject, own.isEmpty, let small = member("thumbnailUrl") {
                collect(small, isPicture: true, into: &found)
            }
            for member in members {
                let isItem = isPicture && ["@list", "@set", "@value"].contains(member.name)
                let isOwn = names.contains(member.name) || isItem
                if case .string = member.value, !isOwn { continue }
                if isObject, member.name == "contentUrl" || member.name == "url" { continue }
                collect(member.value, isPicture: isOwn, into: &found)
            }
        case .null, .flag, .number, .integer: break
        }
    }

    /// Returns whether a type, or one of several, is `ImageObject`, which may be a whole address.
    private static func isImageObject(_ type: JSONValue) -> Bool {
        switch type {
        case .string(let name): name.split(whereSeparator: { "/:#".contains($0) }).last == "ImageObject"
        case .array(let types): types.contains(where: isImageObject)
        default: false
        }
    }
}
