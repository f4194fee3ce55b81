import Assets
import DemoServer
import Foundation

/// The README's figures: the cache's, then those of the built program in a terminal of ours, medians of several runs.
///
/// The first argument names the part to run, all by default; for `cache` the others name its cases.
@main
struct Figures {
    static let runs = 7
    /// How a sixel picture begins and ends.
    static let picture = ["\u{1B}P", "\u{1B}\\"]
    static let program = FileManager.default.currentDirectoryPath + "/.build/release/alcedo"

    static let cache = FileManager.default.temporaryDirectory.appending(path: "alcedo-figures-cache-\(getpid())")

    static func main() async throws {
        defer { try? FileManager.default.removeItem(at: cache) }
        signal(SIGPIPE, SIG_IGN)
        let arguments = CommandLine.arguments.dropFirst()
        if let part = arguments.first { return try await run(part, cases: arguments.dropFirst()) }
        for part in parts { try await run(part, cases: []) }
    }

    private static let parts = ["encode", "show", "cache", "screen"]

    /// `memory` tells of this process, so it is not among the others.
    private static func run(_ part: String, cases: ArraySlice<String>) async throws {
        switch part {
        case "cache": try await CacheFigures.run(cases)
        case "encode": try await EncodeFigures.run()
        case "memory": try await MemoryFigures.run()
        case "screen": try await screen()
        case "show": try ShowFigures.run()
        default: print("there is no \(part): \((parts + ["memory"]).joined(separator: ", "))")
        }
    }

    private static func screen() async throws {
        guard FileManager.default.isExecutableFile(atPath: program), let pictures = Assets.picturesFolder() else {
            print("make build first: there is no \(program)")
            exit(1)
        }
        let folder = pictures.path(percentEncoded: false)
        try report("start to first frame", unit: "ms", (0..<runs).map { _ in try firstFrame(folder) })
        let (fresh, cached) = try selections(folder)
        report("selection to picture, decoded anew, 936×700 px box", unit: "ms", fresh)
        report("selection to picture, from memory, 936×700 px box", unit: "ms", cached)
        try await report("memory with 10,000 URLs, all prefetched", unit: "MiB", [memory(urls: 10_000, folder)])
    }

    private static func report(_ name: String, unit: String, _ values: [Double]) {
        let sorted = values.sorted()
        let median = sorted[sorted.count / 2]
        let title = name.padding(toLength: 52, withPad: " ", startingAt: 0)
        let range = String(format: "%.1f to %.1f", sorted.first ?? 0, sorted.last ?? 0)
        let line = String(format: "%@  %.1f %@  (%d runs, %@)\n", title, median, unit, sorted.count, range)
        FileHandle.standardOutput.write(Data(line.utf8))
    }

    /// From the start of the process to the first list on the screen.
    private static func firstFrame(_ folder: String) throws -> Double {
        let start = ContinuousClock.now
        let terminal = try open([folder])
        defer { terminal.close() }
        let end = try terminal.wait(from: 0, for: ["aurora-over-lake.jpg"])
        return milliseconds(start.duration(to: end))
    }

    /// From the key to the last byte of the picture: each picture first decoded, then from memory.
    private static func selections(_ folder: String) throws -> (fresh: [Double], cached: [Double]) {
        let terminal = try open([folder, "--no-transitions"])
        defer { terminal.close() }
        _ = try terminal.wait(from: 0, for: picture)
        var fresh: [Double] = []
        var cached: [Double] = []
        for _ in 0..<runs {
            fresh.append(try press("j", terminal))
            cached.append(try press("k", terminal))
            _ = try press("j", terminal)
        }
        return (fresh, cached)
    }

    private static func press(_ key: String, _ terminal: TimedTerminal) throws -> Double {
        let position = terminal.received.count
        let start = ContinuousClock.now
        terminal.send(key)
        let end = try terminal.wait(from: position, for: picture)
        return milliseconds(start.duration(to: end))
    }

    /// The most memory of a browser that has listed and prefetched so many addresses.
    private static func memory(urls: Int, _ folder: String) async throws -> Double {
        let server = try await DemoServer.start(pictures: URL(filePath: folder), rate: nil)
        let list = FileManager.default.temporaryDirectory.appending(path: "alcedo-figures-\(getpid()).txt")
        defer { try? FileManager.default.removeItem(at: list) }
        let base = server.urls.filter { !$0.contains("lost") && !$0.contains("busy") && !$0.contains("moved") }
        let lines = (0..<urls).map { "\(base[$0 % base.count])?n=\($0)" }
        try Data(lines.joined(separator: "\n").utf8).write(to: list)
        let terminal = try open([list.path(percentEncoded: false)])
        let done = try waitForAll(terminal)
        terminal.close()
        await server.stop()
        return done
    }

    /// A browser with nothing left to load writes nothing.
    private static func waitForAll(_ terminal: TimedTerminal) throws -> Double {
        try terminal.waitForQuiet(seconds: 3)
        return Double(terminal.peakMemory) / 1_048_576
    }

    private static func open(_ arguments: [String]) throws -> TimedTerminal {
        let environment = [
            "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": "/tmp",
            "ALCEDO_CACHE_DIR": cache.path(percentEncoded: false),
            "SWIFT_BACKTRACE": "enable=no",
        ]
        return try TimedTerminal(
            [program] + arguments, environment: environment, columns: 200, rows: 45, cell: (8, 16))
    }

    private static func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }
}
