import Foundation

/// Texts recorded in `Snapshots` beside the tests.
package enum Golden {
    /// How a text differs from the recorded one.
    package struct Mismatch: Equatable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Returns how a text differs from the recorded one; nil when it is the same.
    ///
    /// A missing text is recorded and counts as different once, so that a person looks at it.
    package static func mismatch(of text: String, with name: String, file: String = #filePath) throws -> Mismatch? {
        try mismatch(of: text, at: url(of: name, file))
    }

    /// Returns how a text differs from the one recorded in a file, as above.
    package static func mismatch(of text: String, at golden: URL) throws -> Mismatch? {
        guard let expected = try? String(contentsOf: golden, encoding: .utf8) else {
            try FileManager.default.createDirectory(
                at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: golden, atomically: true, encoding: .utf8)
            return Mismatch(description: "recorded a new text at \(golden.path): look at it, then run again")
        }
        return text == expected ? nil : Mismatch(description: difference(text, expected))
    }

    /// Whether there is one of this name.
    package static func isRecorded(_ name: String, file: String = #filePath) -> Bool {
        FileManager.default.fileExists(atPath: url(of: name, file).path)
    }

    /// Whether a text is the recorded one.
    package static func holds(_ text: String, _ name: String, file: String = #filePath) -> Bool {
        (try? String(contentsOf: url(of: name, file), encoding: .utf8)) == text
    }

    private static func url(of name: String, _ file: String) -> URL {
        URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Snapshots/\(name).txt")
    }

    private static func difference(_ text: String, _ expected: String) -> String {
        let got = text.split(separator: "\n", omittingEmptySubsequences: false)
        let wanted = expected.split(separator: "\n", omittingEmptySubsequences: false)
        return (0..<max(got.count, wanted.count)).compactMap { row in
            let (new, old) = (row < got.count ? got[row] : "", row < wanted.count ? wanted[row] : "")
            return new == old ? nil : "row \(row)\n  expected |\(old)\n  got      |\(new)"
        }.joined(separator: "\n")
    }
}
