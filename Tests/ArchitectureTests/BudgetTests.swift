import Foundation
import Testing

/// Limits of size, and of how many files name one thing; a limit may only become smaller.
///
/// The goals are in the second number of a row where today's code is above them.
@Suite(.timeLimit(.minutes(1))) struct BudgetTests {
    /// The lines of Swift that a target may have, and the goal.
    private static let lines: [(target: String, limit: Int, goal: Int)] = [
        ("HTTPDownload", 2_830, 2_200), ("HTTPRequests", 1_560, 1_560), ("DiskCache", 4_630, 4_400),
        ("SQLite", 455, 450),
        ("ImageCodecs", 9_740, 8_900), ("Sandbox", 1_955, 1_900), ("ImageLoading", 5_640, 4_600),
        ("Retrying", 2_780, 2_700), ("RetryingCombine", 590, 450), ("ExponentialBackOff", 345, 250),
        ("BrowserCore", 10_250, 9_600), ("CacheScreen", 1_720, 1_600), ("BrowserApp", 5_560, 5_300),
        ("Config", 3_100, 3_100), ("Prefetch", 4_150, 4_150), ("Tools", 1_815, 1_800),
        ("Lists", 5_990, 4_800), ("KingfisherCompatibility", 3_820, 1_200),
        ("Screen", 1_840, 1_660),
        ("Terminal", 3_580, 3_500), ("TerminalGraphics", 3_250, 3_250), ("Raster", 1_590, 1_590),
    ]

    /// The files of Sources that may name a thing, and the goal: each is an example of its kind.
    private static let files: [(kind: String, name: String, limit: Int, goal: Int)] = [
        ("format", ".psd", 3, 2), ("format", ".openEXR", 3, 2), ("format", ".radianceHDR", 2, 2),
        ("format", ".qoi", 3, 2),
        ("fact", "durationMs", 1, 1), ("fact", "phash", 4, 2), ("fact", "hasAlpha", 7, 2),
        ("fact", "perceptualHash", 7, 2),
        ("setting", "decodeTime", 3, 2), ("setting", "maximumTime", 3, 2), ("setting", "slideTime", 4, 2),
        ("processor", "BlurImageProcessor", 2, 2), ("processor", "BorderImageProcessor", 2, 2),
        ("protocol", ".iterm", 3, 3), ("theme role", ".divider", 4, 2), ("list format", ".sitemap", 1, 1),
        ("key", ".copyURL", 2, 2),
        ("transition", ".dissolve", 2, 2), ("eviction rule", ".freeSpace", 4, 2),
    ]

    @Test(arguments: lines.map(\.target)) func `a target keeps its limit of lines`(target: String) throws {
        let budget = try #require(Self.lines.first { $0.target == target })
        let count = try Self.sources().filter { $0.path.hasPrefix(target + "/") }.reduce(0) { $0 + $1.lineCount }
        #expect(count <= budget.limit, "\(target) has \(count) lines; the goal is \(budget.goal)")
        #expect(count > budget.limit * 4 / 5, "\(target) has \(count) lines: lower its limit")
    }

    @Test(arguments: files.map(\.name)) func `a thing is named in few files`(name: String) throws {
        let budget = try #require(Self.files.first { $0.name == name })
        // The names in that product are Kingfisher's, which an everyday change does not touch.
        let naming = try Self.sources().filter { $0.names(name) && !$0.path.hasPrefix("KingfisherCompatibility/") }
            .map(\.path)
        #expect(
            naming.count <= budget.limit,
            "the \(budget.kind) \(name) stands in \(naming.count) files, the goal is \(budget.goal): \(naming.sorted())"
        )
        #expect(!naming.isEmpty, "nothing is named \(name) any more")
    }

    /// A path in the map of the sources that does not exist sends its reader nowhere.
    @Test func `every file that the table of tasks names exists`() throws {
        let map = try String(contentsOf: Self.root.appending(path: "Sources/README.md"), encoding: .utf8)
        let table = try #require(map.components(separatedBy: "## Everyday tasks").last)
        let known = try Self.sources().map { "/" + $0.path }
        for word in table.components(separatedBy: "`") where word.hasSuffix(".swift") && !word.contains("*") {
            #expect(known.contains { $0.hasSuffix("/" + word) }, "\(word)")
        }
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    private struct Source {
        let path: String
        let text: String

        var lineCount: Int { text.count { $0 == "\n" } }

        /// Whether the text has the name as a whole word.
        func names(_ name: String) -> Bool {
            text.ranges(of: name).contains { range in
                range.upperBound == text.endIndex
                    || !(text[range.upperBound].isLetter || text[range.upperBound].isNumber)
            }
        }
    }

    private static func sources() throws -> [Source] {
        let folder = root.appending(path: "Sources")
        let all = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        return try all.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map { file in
            let path = file.standardized.path(percentEncoded: false).dropFirst(
                folder.path(percentEncoded: false).count + 1)
            return Source(path: String(path), text: try String(contentsOf: file, encoding: .utf8))
        }
    }
}
