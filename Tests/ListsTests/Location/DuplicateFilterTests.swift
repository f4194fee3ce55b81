import Testing

@testable import Lists

@Suite struct DuplicateFilterTests {
    @Test func newLocationHasNoEarlierPlace() {
        var filter = DuplicateFilter()
        #expect(filter.insert("http://a/1", at: 0) == nil)
        #expect(filter.insert("http://a/2", at: 1) == nil)
        #expect(filter.count == 2)
    }

    @Test func sameLocationAfterNormalisationGivesTheFirstPlace() {
        var filter = DuplicateFilter()
        _ = filter.insert("http://a/1", at: 7)
        #expect(filter.insert("HTTP://A:80/1#x", at: 8) == 7)
        #expect(filter.insert("http://a/1", at: 9) == 7)
        #expect(filter.count == 1)
    }

    @Test func aHundredThousandDifferentLocationsStayDifferent() {
        var filter = DuplicateFilter()
        let duplicates = (0..<100_000).count { filter.insert("http://a/\($0)", at: $0) != nil }
        #expect(duplicates == 0)
    }
}
