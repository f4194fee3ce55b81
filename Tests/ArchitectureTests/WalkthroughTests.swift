import Foundation
import Testing

/// `docs/walkthrough.md` names functions that exist and call each other.
@Suite(.timeLimit(.minutes(1))) struct WalkthroughTests {
    private struct Step: CustomStringConvertible {
        let file: String
        let function: String
        let text: String

        /// Whether a message to another task leads here, not a call.
        var comesByMessage: Bool { text.contains("by a message") }

        var description: String { "\(file): \(function)" }
    }

    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardized

    /// The rows of each table: a number, a file, a function and what happens.
    private static func walks() throws -> [[Step]] {
        let page = try String(contentsOf: repository.appending(path: "docs/walkthrough.md"), encoding: .utf8)
        return page.components(separatedBy: "\n## ").dropFirst().map { table in
            table.matches(of: /\|\s*\d+\s*\|\s*`([^`]+)`\s*\|\s*`([^`]+)`\s*\|([^|\n]*)\|/)
                .map { Step(file: String($0.1), function: String($0.2), text: String($0.3)) }
        }
    }

    private static func source(of step: Step) throws -> String {
        try String(contentsOf: repository.appending(path: "Sources").appending(path: step.file), encoding: .utf8)
    }

    @Test func `every function of the walkthrough is in its file`() throws {
        let steps = try Self.walks().flatMap(\.self)
        try #require(steps.count > 40)
        let missing = steps.filter { step in
            let file = Self.repository.appending(path: "Sources").appending(path: step.file)
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { return true }
            return !text.contains("func \(step.function)(") && !text.contains("func \(step.function)<")
        }
        #expect(missing.map(\.description) == [])
    }

    @Test func `every function is called in the file of an earlier row, unless a message leads to its row`() throws {
        for walk in try Self.walks() {
            for (place, step) in walk.enumerated().dropFirst() where !step.comesByMessage {
                let name = try Regex("(func |\\b)\(step.function)\\b *[(<{]").wordBoundaryKind(.simple)
                let isCalled = try walk[..<place].contains { earlier in
                    try Self.source(of: earlier).matches(of: name)
                        .contains { $0.output[0].substring?.hasPrefix("func ") == false }
                }
                #expect(isCalled, "nothing before row \(place + 1) calls \(step)")
            }
        }
    }

    @Test func `the two walkthroughs have at most 45 and 28 steps`() throws {
        let counts = try Self.walks().map(\.count)
        #expect(counts.count == 2 && counts[0] <= 45 && counts[1] <= 28)
    }
}
