import Foundation
import Testing

/// Texts recorded beside the tests; a missing one is recorded and fails, so that a person looks at it.
enum Golden {
    static func expect(
        _ text: String, matches name: String, file: String = #filePath, location: SourceLocation = #_sourceLocation
    ) throws {
        let golden = place(of: name, file)
        guard let expected = try? String(contentsOf: golden, encoding: .utf8) else {
            try FileManager.default.createDirectory(
                at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: golden, atomically: true, encoding: .utf8)
            Issue.record(
                "recorded a new golden at \(golden.path): look at it, then run again", sourceLocation: location)
            return
        }
        #expect(text == expected, "\(difference(text, expected))", sourceLocation: location)
    }

    /// Whether there is one of this name.
    static func isRecorded(_ name: String, file: String = #filePath) -> Bool {
        FileManager.default.fileExists(atPath: place(of: name, file).path)
    }

    /// Whether a text is the recorded one.
    static func holds(_ text: String, _ name: String, file: String = #filePath) -> Bool {
        (try? String(contentsOf: place(of: name, file), encoding: .utf8)) == text
    }

    private static func place(of name: String, _ file: String) -> URL {
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
