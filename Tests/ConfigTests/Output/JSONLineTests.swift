import AlcedoConfig
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct JSONLineTests {
    private func text(_ value: some Encodable) -> String { String(decoding: JSONLine.bytes(of: value), as: UTF8.self) }

    @Test func `a line carries the version and ends in a newline`() {
        #expect(text(["url": "a/b"]) == "{\"url\":\"a/b\",\"v\":1}\n")
    }

    @Test(arguments: ["\u{1B}[2J", "\u{7F}", "\u{9B}31m", "\u{202E}gpj.exe", "\u{2066}", "a\u{0}b", "line\nline"])
    func `control and bidi characters are escaped in a JSON line`(hostile: String) throws {
        // Given a value with a control character, when it is written
        let line = text(["url": hostile])
        // Then only plain characters are in the line, and a reader gets the value back
        #expect(line.dropLast().unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.isASCII && $0.value != 0x7F })
        let back = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(back?["url"] as? String == hostile)
    }

    @Test func `printable letters of every script are not escaped`() {
        #expect(text(["name": "Eisvögel 翡翠"]).contains("Eisvögel 翡翠"))
    }
}
