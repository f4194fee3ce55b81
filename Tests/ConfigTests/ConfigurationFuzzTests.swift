import AlcedoBrowserCore
import TestSupport
import Testing

@testable import AlcedoConfig

/// Texts that are nearly config files: whatever is wrong with them, reading them ends with faults at most.
@Suite(.timeLimit(.minutes(1))) struct ConfigurationFuzzTests {
    private static let pieces = [
        "\"", "'", "\"\"\"", "'''", "[", "]", "[[", "]]", "{", "}", "=", ".", "#", "\n", "\r", "\r\n", ",", "\\",
        "\\u0000",
        "\\ud800", "\\UFFFFFFFF", "0x", "1e9", "inf", "nan", "1979-05-27T07:32:00Z", "07:32", "-", "_", " ", "\t", "ä",
        "\u{FEFF}", "\u{A0}", "\u{B}", "\u{1B}", "😀", "true", "a.b.c", "[transfers]", "99999999999999999999",
    ]

    private func text(from start: String, using random: inout SeededRandom) -> String {
        var scalars = Array(start.unicodeScalars)
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            let place = Int.random(in: 0...scalars.count, using: &random)
            if Bool.random(using: &random), let piece = Self.pieces.randomElement(using: &random) {
                scalars.insert(contentsOf: piece.unicodeScalars, at: place)
            } else {
                let end = min(scalars.count, place + Int.random(in: 0...20, using: &random))
                scalars.removeSubrange(place..<end)
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    @Test(arguments: [ConfigurationText.text(), "", "[browser]\n"]) func `no text stops the reader`(start: String) {
        var random = SeededRandom(seed: 7)
        var refused = 0
        for _ in 0..<300 {
            let text = text(from: start, using: &random)
            let faults = ConfigurationContents(text: text).faults
            guard !faults.isEmpty else { continue }
            refused += 1
            #expect(faults.count <= FaultList.limit, "\(text)")
            let lines = text.unicodeScalars.count { $0 == "\n" } + 1
            #expect(faults.allSatisfy { (1...lines).contains($0.line ?? 0) && $0.column ?? 0 > 0 }, "\(text)")
        }
        #expect(refused > 100)
    }
}
