/// One picture a list names.
///
/// `location` is an absolute `http`, `https` or `data` URL, or an absolute file path.
public struct ListEntry: Hashable, Sendable {
    /// The line it stands on, from 1; in a folder, its place among the pictures found.
    public var line: Int
    public var location: String
    /// What the list calls it; nil when it gives no name.
    public var title: String?
    /// Other places of the same picture, best first; none by default.
    public var alternatives: [String]
    /// The indented `key=value` lines below it that are not its title, in their order; none by default.
    public var options: [ListOption]

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
