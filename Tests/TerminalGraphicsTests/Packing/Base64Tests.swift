import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct Base64Tests {
    /// The examples of RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `the examples of the standard come out`(text: String, expected: String) {
        #expect(Base64.encoded(Array(text.utf8)) == Array(expected.utf8))
    }

    @Test func `every byte comes back`() throws {
        var numbers = SeededRandom(seed: 3)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: numbers.next() >> 9) }
            #expect(try Unpacking.base64(Base64.encoded(bytes)[...]) == bytes)
        }
    }
}
