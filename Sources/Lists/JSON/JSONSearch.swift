/// The pictures in a JSON value in which no known field says which they are, in the order they are written.
///
/// The first of these kinds that is found counts: texts that are a picture's web address by its name, a picture's path, a
/// web address under a name such as `url` or `image`, and a known field with anything in it.
struct JSONSearch {
    struct Found: Hashable {
        var address: String
        /// The members of its object, where it is the object's address.
        var members: [JSONValue.Member]?
        /// The `title` of the innermost object with one.
        var title: String?
    }

    private enum Kind: Int {
        case webPicture, path, named, field
    }

    private var found: [Kind: [Found]] = [:]

    init(_ value: JSONValue) {
        look(at: value, Surroundings())
    }

    /// What counts; empty where nothing does.
    var pictures: [Found] {
        [Kind.webPicture, .path, .named, .field].lazy.compactMap { found[$0] }.first ?? []
    }

    private struct Surroundings {
        var name: String?
        var title: String?
        var members: [JSONValue.Member]?
    }

    private mutating func look(at value: JSONValue, _ around: Surroundings) {
        switch value {
        case .text(let text):
            guard let kind = Self.kind(of: text, name: around.name) else { return }
            found[kind, default: []].append(Found(address: text, members: around.members, title: around.title))
        case .array(let values):
            let around = Surroundings(name: around.name, title: around.title)
            for value in values { look(at: value, around) }
        case .object(let members):
            let title = members.lazy.compactMap { Self.title(of: $0) }.first ?? around.title
            let address = JSONEntry.address(in: members)
            for (place, member) in members.enumerated() {
                let known = place == address ? members : nil
                look(at: member.value, Surroundings(name: member.name, title: title, members: known))
            }
        case .null, .flag, .number: break
        }
    }

    private static func title(of member: JSONValue.Member) -> String? {
        guard ListField(name: member.name) == .title, case .text(let text) = member.value else { return nil }
        return text.trimmed.isEmpty ? nil : String(text.trimmed)
    }

    private static func kind(of text: String, name: String?) -> Kind? {
        let field = name.flatMap { ListField(name: $0) }
        if field == .title || field == .key || field == .tags || text.trimmed.isEmpty { return nil }
        let isWeb = PlainAddress.isWeb(text[...])
        if isWeb ? isPicture(text) : text.hasPrefix("data:image/") { return .webPicture }
        if isWeb { return field == .url || name.map(AddressColumn.isUsual) == true ? .named : nil }
        if isPicture(text), URLParts(text[...]) == nil || text.hasPrefix("file:") { return .path }
        return field == .url ? .field : nil
    }

    private static func isPicture(_ text: String) -> Bool { PageParser.isPicture(text) }
}
