/// One picture a list names.
///
/// `location` is an absolute `http`, `https` or `data` URL, or an absolute file path. Credentials in locations and
/// headers are kept as the list gives them, for use: ``Redaction`` comes before showing.
public struct ListEntry: Hashable, Sendable {
    /// What stands at the location.
    public enum Kind: Hashable, Sendable {
        case picture
        /// Another list, as a sitemap index names them; reading it is up to the caller.
        case list
    }

    /// The line it begins on, from 1; in a folder, its place among the pictures found.
    public var line: Int
    public var location: String
    /// What the list calls it; nil when it gives no name.
    public var title: String?
    /// Other places of the same picture, best first; none by default.
    public var alternatives: [String]
    /// The indented `key=value` lines below it that are no field of their own, in their order; none by default.
    public var options: [ListOption]
    public var kind = Kind.picture
    /// What the caches call it instead of its location; nil when the list gives no key.
    public var key: String?
    /// Where a smaller version lies, for costly connections.
    public var lowData: String?
    /// Request headers for this picture, in their order; none by default.
    public var headers: [ListHeader] = []
    /// 0…1, higher is sooner; nil when the list leaves it open.
    public var priority: Double?
    /// How long the picture may be kept, at most 100 years; nil when the list leaves it open.
    public var timeToLive: Duration?
    /// A processor chain in the text form of the command line, not checked here.
    public var process: String?
    /// The SHA-256 of the picture's bytes, 64 hexadecimal digits in lower case.
    public var sha256: String?
    /// Whether eviction spares the picture; nil when the list leaves it open.
    public var pin: Bool?
    /// Words to find it by; none by default.
    public var tags: [String] = []

    public init(
        line: Int, location: String, title: String? = nil, alternatives: [String] = [], options: [ListOption] = []
    ) {
        self.line = line
        self.location = location
        self.title = title
        self.alternatives = alternatives
        self.options = options
    }
}

/// One `key=value` a list gives for the entry above it.
public struct ListOption: Hashable, Sendable {
    public var key: String
    public var value: String

    public init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}

/// One request header a list gives; its value may be a secret.
public struct ListHeader: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
