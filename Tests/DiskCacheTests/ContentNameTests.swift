import Foundation
import Testing

@testable import AlcedoDiskCache

@Suite(.timeLimit(.minutes(1)))
struct ContentNameTests {
    private let digest = ContentDigest(of: Data("a".utf8))

    @Test(arguments: [nil, "jpg", "tar.gz", "..", "é", String(repeating: "x", count: 32)])
    func `a content name is parsed as it was written`(fileExtension: String?) {
        let name = ContentName(digest: digest, fileExtension: fileExtension)
        #expect(ContentName(name.text) == name)
        #expect(name.text.hasPrefix(digest.hexadecimal))
        #expect(name.text == digest.hexadecimal + (fileExtension.map { ".\($0)" } ?? ""))
    }

    @Test(arguments: [
        "", "a/b", "a\u{0}", "a\nb", "/", String(repeating: "x", count: 33), String(repeating: "é", count: 17),
    ])
    func `an invalid extension is refused`(text: String) {
        #expect(!ContentName.isExtension(text))
        #expect(ContentName("\(digest.hexadecimal).\(text)") == nil)
    }

    @Test(arguments: ["", "..", "../../etc/passwd", "abc.jpg", ".jpg"])
    func `a name that does not begin with a digest is refused`(text: String) { #expect(ContentName(text) == nil) }
}
