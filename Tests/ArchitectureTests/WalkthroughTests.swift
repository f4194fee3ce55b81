import Foundation
import Testing

/// `docs/walkthrough.md` names functions that exist.
@Suite(.timeLimit(.minutes(1))) struct WalkthroughTests {
    private struct Step: CustomStringConvertible {
        let file: String
        let function: String

        var description: String { "\(file): \(function)" }
    }

    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardized

    /// The rows of the tables: a number, a file and a function.
    private static func steps() throws -> [Step] {
        let page = try String(contentsOf: repository.appending(path: "docs/walkthrough.md"), encoding: .utf8)
        return page.matches(of: /\|\s*\d+\s*\|\s*`([^`]+)`\s*\|\s*`([^`]+)`\s*\|/)
            .map { Step(file: String($0.1), function: String($0.2)) }
    }

    @Test func `every function of the walkthrough is in its file`() throws {
        let steps = try Self.steps()
        try #require(steps.count > 40)
        let missing = steps.filter { step in
            let file = Self.repository.appending(path: "Sources").appending(path: step.file)
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { return true }
            return !text.contains("func \(step.function)(") && !text.contains("func \(step.function)<")
        }
        #expect(missing.map(\.description) == [])
    }

    @Test func `the walks have at most 45 and 28 steps, those in helper processes included`() throws {
        let page = try String(contentsOf: Self.repository.appending(path: "docs/walkthrough.md"), encoding: .utf8)
        let counts = page.components(separatedBy: "\n## ").dropFirst().map { $0.matches(of: /\n\|\s*\d+\s*\|/).count }
        #expect(counts.count == 2 && counts[0] <= 45 && counts[1] <= 28)
    }
}
