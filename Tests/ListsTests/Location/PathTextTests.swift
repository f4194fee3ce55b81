import AlcedoSupport
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct PathTextTests {
    @Test(
        arguments: [
            Array("/a/b.png".utf8), Array("/é/日本.png".utf8), [0x2F, 0xE9], [0xC3], [0xC3, 0x28], [0xE2, 0x82],
            [0xF0, 0x9F, 0x98], [0xED, 0xA0, 0x80], [0xFF, 0xFE, 0x41], [0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [],
        ] as [[UInt8]])
    func `text and bytes of a path correspond one to one`(bytes: [UInt8]) {
        let text = String(pathBytes: bytes)
        #expect(text.pathBytes == bytes)
        #expect(text.hasPathEscapes == (String(validating: bytes, as: UTF8.self) == nil))
    }

    @Test func `a name with the characters that stand for bytes keeps them`() {
        let name = "\u{10FE80}\u{10FEE9}\u{10FEFF}"
        let text = String(pathBytes: name.utf8)
        #expect(text != name && text.pathBytes == Array(name.utf8))
        #expect(text != String(pathBytes: [0x80, 0xE9, 0xFF]))
    }

    @Test func `random bytes are kept`() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0..<9, using: &random)).map { _ in
                UInt8.random(in: 0x7E...0xFF, using: &random)
            }
            #expect(String(pathBytes: bytes).pathBytes == bytes)
        }
    }

    @Test(arguments: [
        ([0x2F, 0xE9] as [UInt8], "file:///%E9"),
        (Array("/a b?#%;é".utf8) + [0xFF], "file:///a%20b%3F%23%25%3B%C3%A9%FF"),
    ]) func `a file URL has the bytes of its path`(bytes: [UInt8], address: String) throws {
        let url = URL(file: String(pathBytes: bytes))
        #expect(url.absoluteString == address)
        #expect(url.filePath.pathBytes == bytes)
        #expect(try #require(URL(string: address)).filePath.pathBytes == bytes)
    }

    @Test(arguments: ["/a b.png", "/é%41?.png", "/"]) func `other file URLs are Foundation's`(path: String) {
        #expect(URL(file: path).absoluteString == URL(filePath: path, directoryHint: .notDirectory).absoluteString)
        #expect(URL(file: path).filePath == path)
    }

    @Test func `an address in a list is sent with its bytes`() {
        #expect(AddressEncoder.encode("http://a/caf" + String(pathBytes: [0xE9]) + ".jpg") == "http://a/caf%E9.jpg")
    }
}
