import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct DuplicateFilterTests {
    @Test func `a new location has no earlier position`() {
        var filter = DuplicateFilter()
        #expect(filter.insert("http://a/1", at: 0) == nil)
        #expect(filter.insert("http://a/2", at: 1) == nil)
    }

    @Test func `a repeated location returns its first position`() {
        var filter = DuplicateFilter()
        _ = filter.insert("http://a/1#x", at: 7)
        #expect(filter.insert("http://a/1#y", at: 8) == nil)
        #expect(filter.insert("http://a/1#x", at: 9) == 7)
    }

    @Test func `a hundred thousand locations have no false duplicates`() {
        var filter = DuplicateFilter()
        let duplicates = (0..<100_000).count { filter.insert("http://a/\($0)", at: $0) != nil }
        #expect(duplicates == 0)
    }
}
