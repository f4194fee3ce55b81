import Foundation
import Retrying
import TestSupport
import Testing

/// The tables of first delays in the documentation, held against the code.
@Suite(.timeLimit(.minutes(1)))
struct DelayTableTests {
    private struct Table {
        let title: String
        let source: String
        let rows: [(name: String, policy: any RetryPolicy)]
    }

    private static let tables = [
        Table(
            title: "Exponential", source: "ExponentialPolicy",
            rows: [
                ("none", .exponential(jitter: .none)), ("full", .exponential()),
                ("decorrelated", .exponential(jitter: .decorrelated())),
            ]),
        Table(
            title: "Constant", source: "ConstantPolicy",
            rows: [("constant", .constant()), ("none", .none)]),
        Table(title: "Back-off", source: "BackOffPolicy", rows: [("backOff", .backOff())]),
        Table(
            title: "Delays", source: "DelaysPolicy",
            rows: [
                ("seconds", .delays(maxRetryCount: .max)),
                ("accumulated", .delays(.accumulated(3), maxRetryCount: .max)),
                ("custom, n² s", .delays(.custom { .seconds($0 * $0) }, maxRetryCount: .max)),
            ]),
    ]

    private static let retrying = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/Retrying").standardized

    @Test func `the documentation page matches the generated one`() throws {
        let file = Self.retrying.appending(path: "Retrying.docc/Delays.md")
        let page = Self.page
        guard let written = try? String(contentsOf: file, encoding: .utf8) else {
            try page.write(to: file, atomically: true, encoding: .utf8)
            Issue.record("\(file.path) was missing and has been written; read it and run again")
            return
        }
        #expect(written == page, "delete \(file.path) and run again to have it written anew")
    }

    @Test(arguments: tables.indices)
    func `the documentation of the policy has the same rows`(table: Int) throws {
        let table = Self.tables[table]
        let file = Self.retrying.appending(path: "Policy/RetryPolicy.swift")
        let source = try String(contentsOf: file, encoding: .utf8)
        for row in table.rows where !row.name.hasPrefix("custom") {
            let line = Self.line(row.name, row.policy)
            let isThere = source.contains("/// \(line)\n")
            #expect(isThere, "\(table.source) lacks: \(line)")
        }
    }

    private static var page: String {
        let head = """
            # Delays

            The first eight delays of each policy.

            ## Overview

            Default arguments are used where nothing else is said. A range is what chance can make of a delay; each \
            end of it supposes the same end of all delays before it. This page is written by `DelayTableTests`.

            """
        return head + tables.map(section).joined()
    }

    private static func section(_ table: Table) -> String {
        let lines = table.rows.map { line($0.name, $0.policy) }.joined(separator: "\n")
        return """

            ### \(table.title)

            See ``\(table.source)``.

            | policy | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
            |---|---|---|---|---|---|---|---|---|
            \(lines)

            """
    }

    private static func line(_ name: String, _ policy: any RetryPolicy) -> String {
        let lowest = delays(of: policy, using: FixedRandom.lowest)
        let highest = delays(of: policy, using: FixedRandom.highest)
        let cells = zip(lowest, highest).map { $0 == $1 ? "\(text($0)) s" : "\(text($0))–\(text($1)) s" }
        return "| \(name) | " + cells.joined(separator: " | ") + " |"
    }

    private static func text(_ delay: Duration) -> String {
        let hundredths = Int((delay / .milliseconds(10)).rounded())
        let digits = String(format: "%d.%02d", hundredths / 100, hundredths % 100)
        return digits.replacing(/\.?0+$/, with: "")
    }
}
