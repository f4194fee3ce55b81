import Foundation
import Testing

@testable import AlcedoDiskCache

@Suite(.timeLimit(.minutes(1)))
struct VerifiedContentsTests {
    private func digest(_ number: Int) -> String { ContentDigest(of: Data("\(number)".utf8)).hexadecimal }

    @Test func `inserted digests are remembered until removed`() {
        let contents = VerifiedContents()
        contents.insert(digest(1))
        #expect(contents.contains(digest(1)))
        #expect(!contents.contains(digest(2)))
        contents.remove(digest(1))
        #expect(!contents.contains(digest(1)))
    }

    @Test func `the set never exceeds its limit`() {
        let contents = VerifiedContents(limit: 10)
        for number in 0..<25 {
            contents.insert(digest(number))
            #expect((0..<25).count { contents.contains(digest($0)) } <= 10)
            #expect(contents.contains(digest(number)))
        }
    }
}
