import Foundation

/// What long lists cost: the first frame, a key, memory, and the processor when nothing happens.
enum RowFigures {
    private static let keys = 300

    static func run() throws {
        for rows in [1_000, 100_000, 1_000_000] { try measure(rows) }
    }

    private static func measure(_ rows: Int) throws {
        let list = try list(rows)
        let start = ContinuousClock.now
        let terminal = try TimedTerminal.browser([list.path(percentEncoded: false), "--no-prefetch", "--retries", "0"])
        defer { terminal.close() }
        let first = try terminal.wait(from: 0, for: [Figures.name(0)])
        report("first frame", rows, "ms", [start.duration(to: first) / .milliseconds(1)], goal: "≤ 1000")
        // A browser that has read its list and has nothing to load writes nothing.
        try terminal.waitForQuiet(seconds: 2)
        let peak = Double(terminal.memory)
        report("memory", rows, "MiB", [peak / 1_048_576], goal: "≤ 300 bytes a row and what 1,000 rows take")
        try report("a key, from byte to bytes", rows, "ms", (1...keys).map { try press($0, terminal) }, goal: "p99 ≤ 5")
        try terminal.waitForQuiet(seconds: 2)
        // The system counts in hundredths of a second.
        let before = terminal.processorTime
        try terminal.listen(until: .now + .seconds(10))
        report("processor when idle", rows, "%", [(terminal.processorTime - before) / 10 * 100], goal: "0")
    }

    private static func press(_ number: Int, _ terminal: TimedTerminal) throws -> Double {
        let position = terminal.received.count
        let start = ContinuousClock.now
        terminal.send("j")
        let end = try terminal.wait(from: position, for: [Figures.name(number)])
        // As a key that is held repeats; frames are 16 ms apart at least, and a faster key would wait for its turn.
        try terminal.listen(until: .now + .milliseconds(25))
        return start.duration(to: end) / .milliseconds(1)
    }

    private static func list(_ rows: Int) throws -> URL {
        let file = Figures.folder.appending(path: "rows-\(rows).txt")
        let lines = (0..<rows).map { "http://127.0.0.1:9/albums/\($0 % 97)/\(Figures.name($0)).jpg?width=640" }
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        return file
    }

    private static func report(_ name: String, _ rows: Int, _ unit: String, _ values: [Double], goal: String) {
        Report.line("\(rows.formatted()) rows: \(name)", unit: unit, values, goal: goal)
    }
}
