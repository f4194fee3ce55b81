import Foundation
import TestSupport
import Testing

/// Texts recorded beside the tests; a missing one fails, and `ALCEDO_RECORD=1` records them all anew.
enum Golden {
    static func expect(_ text: String, matches name: String, location: SourceLocation = #_sourceLocation) throws {
        let folder = BuiltProgram.root.appending(path: "Tests/CommandTests/Snapshots")
        let golden = folder.appending(path: "\(name).txt")
        if ProcessInfo.processInfo.environment["ALCEDO_RECORD"] == "1" {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try text.write(to: golden, atomically: true, encoding: .utf8)
        }
        let expected = try? String(contentsOf: golden, encoding: .utf8)
        #expect(
            expected != nil, "no golden at \(golden.path); record it with ALCEDO_RECORD=1", sourceLocation: location)
        #expect(text == expected ?? text, sourceLocation: location)
    }
}
