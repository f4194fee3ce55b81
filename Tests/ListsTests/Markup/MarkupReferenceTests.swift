import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct MarkupReferenceTests {
    @Test(arguments: [
        ("a&amp;b", "a&b"), ("&lt;&gt;&quot;&apos;", "<>\"'"), ("&#65;&#x1F426;&#X42;", "A🐦B"), ("&amp;lt;", "&lt;"),
        ("?a=1&copy=2", "?a=1&copy=2"), ("&lol9;", "&lol9;"), ("&", "&"), ("&;", "&;"), ("&#xD800;", "&#xD800;"),
        ("&#99999999999;", "&#99999999999;"), ("&#-1;", "&#-1;"), ("é&é;", "é&é;"),
    ])
    func `XML entities and numeric references are resolved, others are kept`(text: String, resolved: String) {
        #expect(MarkupReference.resolve(text) == resolved)
    }
}
