import AlcedoSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct PathTextTests {
    @Test(arguments: [
        ("/a/b.tar.gz", "gz", "/a/b.tar"), ("a", "", "a"), (".bashrc", "", ".bashrc"), ("/a.b/c", "", "/a.b/c"),
        ("a.", "", "a."), ("a.JPG", "JPG", "a"), ("", "", ""), ("e\u{301}.é", "é", "e\u{301}"),
    ])
    func `the extension is what follows the last dot of the name`(path: String, end: String, rest: String) {
        #expect(path.pathExtension == end)
        #expect(path.withoutPathExtension == rest)
    }

    @Test(arguments: [
        ("/a/./b//c/", "/a/b/c"), ("/a/../b", "/b"), ("/..", "/"), ("../a/../../b", "../../b"), ("a/..", "."),
        ("", "."), ("/", "/"), ("/a/b/../../..", "/"),
    ])
    func `a standard path has no components that change nothing`(path: String, expected: String) {
        #expect(path.standardPath == expected)
    }

    @Test func `bytes that are no text keep their place in a standard path`() {
        let path = String(pathBytes: Array("/a/\u{FF}".unicodeScalars.map { UInt8($0.value) }) + [0x2F, 0x2E])
        #expect(path.standardPath.pathBytes == [0x2F, 0x61, 0x2F, 0xFF])
    }

    @Test func `digits are padded with zeros and never cut`() {
        #expect(UInt8(10).digits(2, radix: 16, uppercase: true) == "0A")
        #expect(123.digits(2) == "123" && 8.digits(4, radix: 8) == "0010")
    }

    @Test(arguments: [(" \t a b\t", "a b"), ("", ""), (" \t", ""), ("\na ", "\na")])
    func `blanks and tabs around a text go`(text: String, expected: String) { #expect(text.withoutBlanks == expected) }
}
