import Foundation
import Testing

@testable import AlcedoDiskCache

@Suite(.timeLimit(.minutes(1)))
struct ContentDigestTests {
    /// FIPS 180-4's example and the digest of nothing.
    @Test(arguments: [
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ])
    func `the digest is the SHA-256 of the bytes`(text: String, digest: String) {
        #expect(ContentDigest(of: Data(text.utf8)).hexadecimal == digest)
    }

    @Test func `only 64 lower-case hexadecimal digits are a valid digest`() {
        let digest = ContentDigest(of: Data()).hexadecimal
        #expect(ContentDigest(hexadecimal: digest)?.hexadecimal == digest)
        for text in [
            "", "ab", digest + "0", digest.uppercased(), "../" + digest.dropFirst(3), "g" + digest.dropFirst(),
        ] {
            #expect(ContentDigest(hexadecimal: text) == nil)
        }
    }
}
