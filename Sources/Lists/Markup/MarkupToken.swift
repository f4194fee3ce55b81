/// One piece of HTML or XML, with the line it begins on.
struct MarkupToken: Hashable {
    enum Content: Hashable {
        case open(MarkupTag)
        /// The name in lower case, without a prefix.
        case close(String)
        /// A part of the text between tags, references not resolved.
        case text([UInt8])
        /// What is wrong with a tag that was left out.
        case fault(String)
    }

    var line: Int
    var content: Content
}

/// What the two kinds of markup do differently.
enum MarkupDialect: Hashable {
    /// Scripts, styles and titles hold no tags; text between tags means nothing.
    case html
    /// Text is given, and prefixes of names are dropped.
    case xml
}
