/// Parser of JSON Lines: one object a line, read by ``JSONEntry``.
///
/// Ignores blank lines and lines that begin with `#`.
struct JSONLinesParser: LineListParser {
    var splitter = LineSplitter()
    private let entry: JSONEntry

    init(base: ListBase, columns: ColumnChoice = ColumnChoice()) {
        entry = JSONEntry(base: base, columns: columns)
    }

    func read(_ line: ListLine, into events: inout [ListEvent]) {
        if case .success(let text) = line.content, text.utf8.first(where: { !$0.isBlank }) ?? comment == comment {
            return
        }
        entry.read(line, into: &events)
    }

    private let comment = UInt8(ascii: "#")
}

/// Parser of a JSON array, or of JSON objects in sequence as `jq` writes them.
///
/// Line ends have no meaning.
///
/// Each element is read by ``JSONEntry``.
struct JSONParser: ListParser {
    private var splitter: JSONElementSplitter
    private let entry: JSONEntry

    init(base: ListBase, isArray: Bool, columns: ColumnChoice = ColumnChoice()) {
        splitter = JSONElementSplitter(isArray: isArray)
        entry = JSONEntry(base: base, columns: columns)
    }

    var line: Int { splitter.line - 1 }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        for element in splitter.feed(bytes) { entry.read(element, into: &events) }
    }

    var truncation: Truncation? { splitter.truncation }
}

/// Reads entries from a JSON value: an object with `url` and any other ``ListField``, or a string, which is an address.
///
/// Ignores nulls, and other members but for the wanted columns. In a value without an address of its own, ``JSONSearch`` looks for pictures.
struct JSONEntry {
    let base: ListBase
    let columns: ColumnChoice

    /// Reads the value of a line or an element.
    func read(_ line: ListLine, into events: inout [ListEvent]) {
        switch line.content {
        case .failure(let error): events.append(.rejected(line: line.number, reason: error.rawValue))
        case .success(let text): read(text.trimmed, line: line.number, into: &events)
        }
    }

    private func read(_ text: Substring, line: Int, into events: inout [ListEvent]) {
        do {
            let value = try JSONValue(text)
            if let name = columns.address { return read(value, addressIn: name, line: line, into: &events) }
            if case .object(let members) = value, let address = Self.addressIndex(in: members),
                !members[address].value.isNested, !JSONSearch.hasVersions(members)
            {
                return read(members, address, line: line, into: &events)
            }
            if case .string(let location) = value {
                return read(JSONSearch.Result(address: location), line: line, into: &events)
            }
            search(value, line: line, into: &events)
        } catch {
            events.append(.rejected(line: line, reason: "not valid JSON at byte \(error.position)"))
        }
    }

    /// Reads an object whose address the user names.
    private func read(_ value: JSONValue, addressIn name: String, line: Int, into events: inout [ListEvent]) {
        guard case .object(let members) = value, let address = members.firstIndex(where: { $0.name == name }) else {
            return events.append(.rejected(line: line, reason: "no member '\(name)'"))
        }
        read(members, address, line: line, into: &events)
    }

    /// Returns the index of the member that is the picture's address.
    static func addressIndex(in members: [JSONValue.Member]) -> Int? {
        let known = members.indices.filter { members[$0].value != .null }
        return ListField.addressIndex(in: known.map { members[$0].name }).map { known[$0] }
    }

    private func read(_ members: [JSONValue.Member], _ address: Int?, line: Int, into events: inout [ListEvent]) {
        var builder = EntryBuilder(line: line, base: base)
        for (index, member) in members.enumerated() where member.value != .null {
            if index != address, columns.keeps(member.name) { builder.add(member.name, member.value) }
            guard let field = index == address ? .url : ListField(name: member.name),
                field != .url || index == address
            else { continue }
            // HAR files have the header fields of a recorded request, which are not for another one.
            if field == .headers, member.value.isRecordedHeaders { continue }
            if let value = FieldValue(member.value) {
                builder.set(field, to: value)
            } else {
                builder.report(FieldError("\(field.rawValue) holds a value of the wrong type"), for: field)
            }
        }
        builder.finish(into: &events)
    }

    private func read(_ picture: JSONSearch.Result, line: Int, into events: inout [ListEvent]) {
        var builder = EntryBuilder(line: line, base: base)
        builder.set(.url, to: .text(picture.address))
        if let title = picture.title { builder.set(.title, to: .text(title)) }
        if !picture.alternatives.isEmpty { builder.set(.alternatives, to: .texts(picture.alternatives)) }
        if let small = picture.lowData { builder.set(.lowData, to: .text(small)) }
        builder.finish(into: &events)
    }

    private func search(_ value: JSONValue, line: Int, into events: inout [ListEvent]) {
        let pictures = JSONSearch(value).pictures
        for picture in pictures {
            if let members = picture.members {
                read(members, Self.addressIndex(in: members), line: line, into: &events)
            } else {
                read(picture, line: line, into: &events)
            }
        }
        guard pictures.isEmpty else { return }
        if case .object(let members) = value {
            return read(members, Self.addressIndex(in: members), line: line, into: &events)
        }
        events.append(.rejected(line: line, reason: "neither an object nor a string"))
    }
}

extension FieldValue {
    /// Converts a JSON value; nil for null, for nested values, and for arrays and objects that hold anything but
    /// strings.
    fileprivate init?(_ value: JSONValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .number(let number): self = .number(number)
        case .integer(let number): self = .text(String(number))
        case .flag(let flag): self = .flag(flag)
        case .array(let values):
            let texts = values.compactMap(\.string)
            guard texts.count == values.count else { return nil }
            self = .texts(texts)
        case .object(let members):
            let pairs = members.compactMap { member in
                member.value.string.map { ListHeader(name: member.name, value: $0) }
            }
            guard pairs.count == members.count else { return nil }
            self = .pairs(pairs)
        case .null: return nil
        }
    }
}

extension JSONValue {
    fileprivate var isNested: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    /// Whether it is an array of objects, as HAR files have it, or empty.
    fileprivate var isRecordedHeaders: Bool {
        guard case .array(let values) = self else { return false }
        return values.allSatisfy { if case .object = $0 { true } else { false } }
    }

    fileprivate var string: String? {
        if case .string(let text) = self { text } else { nil }
    }
}

/// The pictures in a JSON value without an address of its own, in the order of the text.
///
/// Looks for web addresses with the extension of a picture. If there are none: paths with such an extension, then web
/// addresses under a name such as `url` or `image`, then any text in a field of that name.
///
/// An object called `urls`, `image_urls` or `src` with addresses under the names of versions, such as `full` and `small`, is
/// one picture. An HAR entry is one if its answer was. `coco_url` and `flickr_url` are the same picture.
struct JSONSearch {
    struct Result: Hashable {
        var address: String
        /// The members of the object whose own address this is; nil if no object claims it.
        var members: [JSONValue.Member]?
        /// The `title` of the innermost object with one.
        var title: String?
        /// Other addresses of the picture, and that of the smallest version.
        var alternatives: [String] = []
        var lowData: String?
    }

    private enum Kind: CaseIterable {
        case webPicture, path, namedAddress, field
    }

    private struct Context {
        var name: String?
        var title: String?
        var members: [JSONValue.Member]?
    }

    private var results: [Kind: [Result]] = [:]

    init(_ value: JSONValue) {
        search(value, Context())
    }

    /// The results of the first kind that has results.
    var pictures: [Result] {
        Kind.allCases.lazy.compactMap { results[$0] }.first ?? []
    }

    private mutating func search(_ value: JSONValue, _ context: Context) {
        switch value {
        case .string(let text):
            guard let kind = Self.kind(of: text, name: context.name) else { return }
            results[kind, default: []].append(Result(address: text, members: context.members, title: context.title))
        case .array(let values):
            let context = Context(name: context.name, title: context.title)
            for value in values { search(value, context) }
        case .object(let members):
            let title = members.lazy.compactMap { Self.title(of: $0) }.first ?? context.title
            if let versions = Self.versions(members, context.name) {
                let result = Result(
                    address: versions[0], title: title, alternatives: Array(versions.dropFirst().prefix(2)),
                    lowData: versions.count > 1 ? versions.last : nil)
                results[.webPicture, default: []].append(result)
                return
            }
            if let request = Self.pictureRequest(members) {
                let result = Result(address: request.address, members: request.members, title: title)
                results[.webPicture, default: []].append(result)
                return
            }
            let address = JSONEntry.addressIndex(in: members)
            var hosts: Set<String> = []
            if let first = members.text(named: "coco_url"), let copy = members.text(named: "flickr_url") {
                results[.webPicture, default: []].append(Result(address: first, title: title, alternatives: [copy]))
                hosts = ["coco_url", "flickr_url"]
            }
            for (index, member) in members.enumerated() where !hosts.contains(member.name) {
                let own = index == address ? members : nil
                search(member.value, Context(name: member.name, title: title, members: own))
            }
        case .null, .flag, .number, .integer: break
        }
    }

    /// Returns the request of an HAR entry whose answer was a picture, by its media type.
    private static func pictureRequest(
        _ members: [JSONValue.Member]
    ) -> (address: String, members: [JSONValue.Member])? {
        let entry = JSONValue.object(members)
        guard case .object(let request)? = entry["request"], let address = request.text(named: "url"),
            case .string(let type)? = entry["response"]?["content"]?["mimeType"],
            type.lowercased().hasPrefix("image/"), PlainAddress.isWeb(address[...])
        else { return nil }
        return (address, request)
    }

    /// The names of versions in the answers of picture services, the largest first.
    private static let versionNames = [
        "raw", "original", "full", "large2x", "large", "regular", "medium", "small", "thumb",
    ]

    /// Whether a member is the versions of one picture; another address is that of its page.
    fileprivate static func hasVersions(_ members: [JSONValue.Member]) -> Bool {
        members.contains { member in
            if case .object(let versions) = member.value { Self.versions(versions, member.name) != nil } else { false }
        }
    }

    /// Returns the addresses of an object that is the versions of one picture, the largest first.
    private static func versions(_ members: [JSONValue.Member], _ name: String?) -> [String]? {
        guard let name = name?.lowercased(), name == "urls" || name == "image_urls" || name == "src" else { return nil }
        let known = versionNames.compactMap { version in
            members.text(named: version).flatMap { PlainAddress.isWeb($0[...]) ? $0 : nil }
        }
        return known.isEmpty ? nil : known
    }

    private static func title(of member: JSONValue.Member) -> String? {
        guard ListField(name: member.name) == .title, case .string(let text) = member.value else { return nil }
        return text.trimmed.isEmpty ? nil : String(text.trimmed)
    }

    private static func kind(of text: String, name: String?) -> Kind? {
        let field = name.flatMap { ListField(name: $0) }
        if field == .title || field == .key || field == .tags || text.trimmed.isEmpty { return nil }
        let isPicture = PictureFileDetector.isPicture(url: text[...])
        if PlainAddress.isWeb(text[...]) {
            if isPicture { return .webPicture }
            return field == .url || name.map(ListField.isUsualAddressName) == true ? .namedAddress : nil
        }
        if text.hasPrefix("data:image/") { return .webPicture }
        if isPicture, URLParts(text[...]) == nil || text.hasPrefix("file:") { return .path }
        return field == .url ? .field : nil
    }
}
