import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct IgnoredQueryTests {
    @Test(arguments: [
        ("https://a/x.jpg?sig=1&w=2&Expires=9#top", "https://a/x.jpg?w=2"),
        ("https://a/x.jpg?X-Amz-Date=1&X-Amz-Signature=2", "https://a/x.jpg"),
        ("https://a/x.jpg?a&sig&b", "https://a/x.jpg?a&b"),
    ])
    func `named parameters, and those with a named beginning, are left out`(location: String, key: String) {
        #expect(IgnoredQuery(" sig, Expires,X-Amz-*,").key(of: location) == key)
    }

    @Test(arguments: ["https://a/x.jpg", "https://a/x.jpg?signed=1&w=2", "/p/x.jpg?sig=1", "data:image/png,?sig=1"])
    func `other locations have no key of their own`(location: String) {
        #expect(IgnoredQuery("sig").key(of: location) == nil)
        #expect(IgnoredQuery().key(of: "https://a/x.jpg?sig=1") == nil)
    }
}
