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
