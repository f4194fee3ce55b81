import Foundation

/// The README's figures: the cache's, then those of the built program in a terminal of ours, medians of several runs.
///
/// The first argument names the part to run, all by default; for `cache` the others name its cases.
@main
struct Figures {
    static let program = FileManager.default.currentDirectoryPath + "/.build/release/alcedo"
    /// For all that the parts write; removed at the end.
    static let folder = FileManager.default.temporaryDirectory.appending(path: "alcedo-figures-\(getpid())")

    /// What a picture of a long list is called, to be looked for in what a browser writes; a different one to a million.
    ///
    /// Curses writes only what differs from what stood there, and has terminals repeat signs: so neighbours have no sign in
    /// the same place, and no sign stands beside itself four times.
    static func name(_ number: Int) -> String {
        let letters = String(format: "%07d", number).utf8.enumerated().map { place, digit in
            UInt8(ascii: "a") + UInt8((Int(digit) + number + place * 3) % 26)
        }
        return String(decoding: letters, as: UTF8.self)
    }

    static func main() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        signal(SIGPIPE, SIG_IGN)
        let arguments = CommandLine.arguments.dropFirst()
        if let part = arguments.first { return try await run(part, cases: arguments.dropFirst()) }
        for part in parts { try await run(part, cases: []) }
    }

    private static let parts = ["encode", "decode", "show", "cache", "screen", "rows", "prefetch"]

    /// `memory` tells of this process, so it is not among the others.
    private static func run(_ part: String, cases: ArraySlice<String>) async throws {
        switch part {
        case "cache": try await CacheFigures.run(cases)
        case "decode": try DecodeFigures.run()
        case "encode": try await EncodeFigures.run()
        case "memory": try await MemoryFigures.run()
        case "prefetch": try PrefetchFigures.run(cases)
        case "rows": try RowFigures.run()
        case "screen": try await ScreenFigures.run()
        case "show": try ShowFigures.run()
        default: print("there is no \(part): \((parts + ["memory"]).joined(separator: ", "))")
        }
    }
}
