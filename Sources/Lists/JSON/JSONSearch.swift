/// The pictures in a JSON value without an address of its own, in the order of the text.
///
/// Looks for web addresses with the extension of a picture. If there are none: paths with such an extension, then web
/// addresses under a name such as `url` or `image`, then any text in a field of that name.
struct JSONSearch {
    struct Result: Hashable {
        var address: String
        /// The members of the object that has this address, if it is the object's own.
        var members: [JSONValue.Member]?
        /// The `title` of the innermost object with one.
        var title: String?
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

    /// The results of the first kind that has any.
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
            let address = JSONEntry.addressIndex(in: members)
            for (index, member) in members.enumerated() {
                let own = index == address ? members : nil
                search(member.value, Context(name: member.name, title: title, members: own))
            }
        case .null, .flag, .number: break
        }
    }

    private static func title(of member: JSONValue.Member) -> String? {
        guard ListField(name: member.name) == .title, case .string(let text) = member.value else { return nil }
        return text.trimmed.isEmpty ? nil : String(text.trimmed)
    }

    private static func kind(of text: String, name: String?) -> Kind? {
        let field = name.flatMap { ListField(name: $0) }
        if field == .title || field == .key || field == .tags || text.trimmed.isEmpty { return nil }
        let isPicture = PictureType.isPicture(url: text[...])
        if PlainAddress.isWeb(text[...]) {
            if isPicture { return .webPicture }
            return field == .url || name.map(ListField.isUsualAddressName) == true ? .namedAddress : nil
        }
        if text.hasPrefix("data:image/") { return .webPicture }
        if isPicture, URLParts(text[...]) == nil || text.hasPrefix("file:") { return .path }
        return field == .url ? .field : nil
    }
}
