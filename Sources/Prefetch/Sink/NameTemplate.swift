import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import Raster

/// A template of file names: `{host}/{name}{ext}`.
package struct NameTemplate: Sendable, Hashable {
    /// A part of a name that differs from picture to picture.
    enum Field: String, CaseIterable {
        /// The host of the address, and its folders below the host.
        case host, path
        /// The last part of the address: without the extension of a picture, or without any.
        case name, stem
        /// The extension of the picture's format, with its dot.
        case ext
        /// The place in the lists, from 1; `{index:6}` has at least six digits.
        case index
        /// 16 hexadecimal digits, the same for a picture in every run.
        case key
        /// The digest of the bytes, and the title that the list gives.
        case sha256, title
    }

    /// The values of a picture's fields.
    struct Values {
        let location: String
        let index: Int
        let key: String
        var title = ""
        var sha256 = ""
        var ext = ""
        var columns: [String: JSONValue] = [:]
    }

    package struct Problem: Error, Equatable { package let text: String }

    private enum Part: Hashable {
        case text(String)
        case field(Field, width: Int)
        /// A column of the list.
        case column(String)
    }

    /// The template of `alcedo download`.
    package static let standard = NameTemplate(
        text: "{name}{ext}", parts: [.field(.name, width: 0), .field(.ext, width: 0)])

    /// The most bytes of a file's or folder's name, and those that an extension and a number may take of them.
    private static let longest = 255, reserve = 32

    /// The template as it was written.
    package let text: String
    private let parts: [Part]

    private init(text: String, parts: [Part]) { (self.text, self.parts) = (text, parts) }

    /// Reads a template; `{{` and `}}` stand for braces.
    package init(_ text: String) throws(Problem) {
        var (parts, plain, rest) = ([Part](), "", text[...])
        while let character = rest.popFirst() {
            if "{}".contains(character), rest.first == character {
                plain.append(rest.removeFirst())
            } else if character == "{" {
                guard let end = rest.firstIndex(of: "}") else { throw Problem(text: "'\(text)' has no } for its {") }
                if !plain.isEmpty { parts.append(.text(plain)) }
                plain = ""
                parts.append(try Self.field(rest[..<end]))
                rest = rest[rest.index(after: end)...]
            } else {
                plain.append(character)
            }
        }
        if !plain.isEmpty { parts.append(.text(plain)) }
        (self.text, self.parts) = (text, parts)
        let telling: [Field] = [.name, .stem, .index, .key, .sha256, .title]
        let hasColumn = parts.contains { if case .column = $0 { true } else { false } }
        guard hasColumn || telling.contains(where: uses) else {
            let names = telling.map { "{\($0.rawValue)}" }.joined(separator: ", ") + ", {column:NAME}"
            throw Problem(text: "'\(text)' gives all pictures one name: it needs one of \(names)")
        }
        guard text.first != "/", text.last != "/" else {
            throw Problem(text: "'\(text)' begins or ends with /: it names files in the folder")
        }
    }

    private static func field(_ text: Substring) throws(Problem) -> Part {
        let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if words.first == "column", words.count == 2, !words[1].isEmpty { return .column(String(words[1])) }
        guard let field = words.first.flatMap({ Field(rawValue: String($0)) }) else {
            let names = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ") + " {column:NAME}"
            throw Problem(text: "there is no field {\(text)}; there are \(names)")
        }
        guard words.count > 1 else { return .field(field, width: 0) }
        guard field == .index, let width = Int(words[1]), (1...20).contains(width) else {
            throw Problem(text: "{\(text)}: only {index:N} has a number of digits, from 1 to 20")
        }
        return .field(field, width: width)
    }

    func uses(_ field: Field) -> Bool {
        parts.contains { if case .field(field, _) = $0 { true } else { false } }
    }

    /// Returns a relative path with a number that tells it from others, from 2, before its extension.
    ///
    /// No part of it is hidden, leads up or is longer than a file system allows.
    func path(of values: Values, number: Int = 1) -> String {
        var (before, after, hasExtension) = ("", "", false)
        for part in parts {
            if part == .field(.ext, width: 0) {
                hasExtension = true
            } else if hasExtension {
                after += text(part, values)
            } else {
                before += text(part, values)
            }
        }
        let count = number > 1 ? "-\(number)" : ""
        let end = count + (hasExtension ? values.ext : "")
        let folders = before.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let last = Self.clean(folders.last ?? "", limit: Self.longest - Self.reserve) + end
        var tail = String(SafeText.clean(after).map { "/\0".contains($0) ? "_" : $0 })
        while last.pathBytes.count + tail.pathBytes.count > Self.longest, !tail.isEmpty { tail.removeLast() }
        return (folders.dropLast().map { Self.clean($0, limit: Self.longest) } + [last + tail]).joined(separator: "/")
    }

    private func text(_ part: Part, _ values: Values) -> String {
        switch part {
        case .text(let text): text
        case .field(let field, let width): Self.text(field, width, values)
        case .column(let name): String((values.columns[name]?.plainText ?? "").map { $0 == "/" ? "_" : $0 })
        }
    }

    private static func text(_ field: Field, _ width: Int, _ values: Values) -> String {
        let parts = AddressParts(values.location)
        func whole(_ text: some StringProtocol) -> String { String(text.map { $0 == "/" ? "_" : $0 }) }
        switch field {
        case .host: return parts.host.isEmpty ? "local" : whole(parts.host.replacing(":", with: "_"))
        case .path:
            // The bytes of a `data` URL are no folders.
            if values.location.hasPrefix("data:") { return "" }
            let isWeb = !parts.host.isEmpty
            let folders = parts.path.split(separator: "/").map { isWeb ? decoded(String($0)) : String($0) }
            return folders.map(whole).joined(separator: "/")
        case .name: return whole(stem(of: values.location, ofPictures: true))
        case .stem: return whole(stem(of: values.location, ofPictures: false))
        case .ext: return values.ext
        case .index:
            let digits = String(values.index)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        case .key: return values.key
        case .sha256: return values.sha256
        case .title: return whole(values.title)
        }
    }

    /// Returns the last part of an address without its extension.
    private static func stem(of location: String, ofPictures: Bool) -> String {
        let name = name(of: location)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        let ending = String(name[name.index(after: dot)...])
        return ofPictures && ImageFormat(fileExtension: ending) == nil ? name : String(name[..<dot])
    }

    /// Returns the extension that an address has, in lower case, as far as it is that of a picture.
    static func pictureExtension(of location: String) -> String {
        let name = name(of: location)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
        return ImageFormat(fileExtension: String(name[name.index(after: dot)...]))?.fileExtension ?? ""
    }

    private static func name(of location: String) -> String {
        if location.hasPrefix("data:") { return "data" }
        let parts = AddressParts(location)
        if parts.host.isEmpty { return location.pathName }
        return parts.file.isEmpty
            ? String(parts.path.split(separator: "/").last ?? parts.host) : decoded(String(parts.file))
    }

    private static func decoded(_ text: String) -> String {
        text.utf8.contains(UInt8(ascii: "%")) ? String(pathBytes: AddressEncoder.bytes(of: text)) : text
    }

    /// Returns a name without control characters that is not hidden, does not lead up and has at most so many bytes.
    private static func clean(_ name: String, limit: Int) -> String {
        var text = String(SafeText.clean(name).map { $0 == "\0" ? "_" : $0 })
        if text.first == "." { text = "_" + text.dropFirst() }
        if text.isEmpty { text = "_" }
        while text.pathBytes.count > limit { text.removeLast() }
        return text
    }
}
