import Foundation
import Testing

/// The table of `Sources/README.md`: who may import whom.
@Suite(.timeLimit(.minutes(1))) struct ImportTableTests {
    /// What a target may import beside the standard library's own modules.
    ///
    /// Full Foundation adds ICU's tables, half of the program's size; what the program does not link may import it.
    private static let allowed: [String: Set<String>] = [
        "Raster": [],
        "Filters": ["Raster", "Comparison", "Support", "CPCRE", "FoundationEssentials", "Synchronization"],
        "Comparison": ["Raster", "Glibc"],
        "Support": ["CFiles", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization"],
        "FileOperations": ["Support", "Screen", "Raster", "CFiles", "Dispatch", "Glibc", "Synchronization"],
        "Retrying": ["Synchronization", "Glibc", "Dispatch", "FoundationEssentials"],
        "RetryingCombine": ["Retrying", "OpenCombine", "OpenCombineShim", "Foundation", "Synchronization"],
        "ExponentialBackOff": ["Retrying", "Dispatch", "Glibc", "Synchronization"],
        "Lists": ["Raster", "CZlib", "Support", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization"],
        "Sandbox": [
            "Raster", "Support", "ImageCodecs", "CSandbox", "CArchive", "FoundationEssentials", "Glibc", "Dispatch",
            "Synchronization",
        ],
        "ImageCodecs": [
            "Support",
            "Raster", "CVips", "CJPEG", "CDeflate", "CWebP", "CFrames", "CCodings", "FoundationEssentials", "Glibc",
            "Dispatch",
            "Synchronization",
        ],
        "SQLite": ["CSQLite", "FoundationEssentials", "Dispatch", "Synchronization"],
        "DiskCache": [
            "Raster", "Comparison", "Filters", "Support", "SQLite", "CNettle", "FoundationEssentials", "Glibc",
            "Dispatch", "Synchronization",
        ],
        "HTTPRequests": ["Retrying", "Support", "FoundationEssentials", "Glibc", "Synchronization"],
        "HTTPDownload": [
            "HTTPRequests", "Retrying", "Support", "CDeflate", "CCurl", "CCodings", "FoundationEssentials", "Glibc",
            "Dispatch",
            "Synchronization",
        ],
        "ImageLoading": [
            "Raster", "Support", "Retrying", "ImageCodecs", "Sandbox", "DiskCache", "HTTPRequests", "HTTPDownload",
            "DequeModule",
            "FoundationEssentials", "Glibc", "Dispatch", "Synchronization",
        ],
        "TerminalGraphics": ["Raster", "CSixel", "CZlib", "FoundationEssentials", "Synchronization", "Glibc"],
        "Screen": ["Support", "Raster"],
        "BrowserCore": ["Raster", "Comparison", "Filters", "Screen", "FileOperations"],
        "CacheScreen": ["Raster", "Screen"],
        "TerminalImageView": [
            "Raster", "Retrying", "ImageLoading", "TerminalGraphics", "Screen", "FoundationEssentials",
        ],
        "KingfisherCompatibility": [
            "Raster", "Retrying", "ImageCodecs", "DiskCache", "HTTPRequests", "HTTPDownload", "ImageLoading",
            "TerminalGraphics", "TerminalImageView", "Foundation", "FoundationNetworking", "Synchronization",
        ],
        "Terminal": [
            "Support", "Raster", "TerminalGraphics", "Screen", "CNcurses", "CTerminalGuard", "FoundationEssentials",
            "Glibc", "Dispatch",
            "Synchronization",
        ],
        "BrowserApp": [
            "Config", "Prefetch", "Tools", "Support",
            "Raster", "Comparison", "Filters", "Retrying", "ImageLoading", "TerminalGraphics", "TerminalImageView",
            "Screen",
            "BrowserCore", "CacheScreen", "FileOperations",
            "Terminal", "Lists", "Assets", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization",
        ],
        "Config": [
            "Support", "Raster", "Filters", "Retrying", "ImageLoading", "TerminalGraphics", "Screen", "BrowserCore",
            "Terminal", "Lists", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization",
        ],
        "Prefetch": [
            "Config", "Support", "Raster", "Filters", "Retrying", "ImageLoading", "Screen", "Terminal", "BrowserCore",
            "Lists", "FileOperations", "FoundationEssentials", "Glibc", "CFiles",
        ],
        "Tools": [
            "Prefetch", "Config", "Raster", "Comparison", "Filters", "ImageLoading", "TerminalGraphics", "Screen",
            "BrowserCore", "CacheScreen", "Terminal", "Lists", "Support", "FileOperations", "FoundationEssentials",
            "Glibc",
            "Synchronization",
        ],
        "DemoServer": ["FoundationEssentials", "Glibc", "Dispatch", "Synchronization"],
        "alcedo": [
            "Support",
            "BrowserApp", "Config", "Prefetch", "Tools", "ImageLoading", "Filters", "Lists", "DemoServer",
            "ArgumentParser", "Raster", "FoundationEssentials", "Glibc",
            "Assets", "FileOperations",
            "CCommit",
        ],
    ]

    /// Modules that only some folders may import.
    private static let confined: [String: [String]] = [
        "CJPEG": ["ImageCodecs/Decode/Codecs/"],
        "CWebP": ["ImageCodecs/Decode/Codecs/"],
        "CFrames": ["ImageCodecs/Decode/Animation/"],
        "CArchive": ["Sandbox/Archive/"],
        "CCurl": ["HTTPDownload/Transport/"],
        "CCodings": ["HTTPDownload/Body/", "ImageCodecs/Decode/Metadata/"],
        "CSandbox": ["Sandbox/"],
        "CSQLite": ["SQLite/"],
        "CPCRE": ["Filters/"],
        "CSixel": ["TerminalGraphics/Sixel/"],
        "CNcurses": ["Terminal/Device/"],
        "CZlib": ["Lists/Reading/", "TerminalGraphics/Packing/"],
        "ArgumentParser": ["alcedo/"],
    ]

    @Test func `every target imports only what the table allows`() throws {
        for file in try SourceTree.files() {
            let allowed = try #require(Self.allowed[file.target], "no row for \(file.target)")
            for module in file.imports where !allowed.contains(module) {
                Issue.record("\(file.path) imports \(module), which \(file.target) may not")
            }
        }
    }

    @Test func `confined modules stay in their folders`() throws {
        for file in try SourceTree.files() {
            for module in file.imports {
                guard let folders = Self.confined[module] else { continue }
                #expect(folders.contains { file.path.hasPrefix($0) }, "\(file.path) imports \(module)")
            }
        }
    }

    /// The pipeline takes any `DataDownloading`; the client of libcurl is its default argument.
    @Test func `only the pipeline's own file mentions the default downloader`() throws {
        let files = try SourceTree.files().filter { $0.path.hasPrefix("ImageLoading/") }
        let naming = files.filter { $0.lines.contains { $0.contains("ImageDownloader") } }.map(\.path)
        #expect(naming == ["ImageLoading/Pipeline/ImagePipeline.swift"])
    }

    @Test func `clocks and random numbers are injected outside Live and Device`() throws {
        let sources = ["Date()", "ContinuousClock()", ".random("]
        for file in try SourceTree.files() where !file.path.contains("/Live/") && !file.path.contains("/Device/") {
            for line in file.lines where !line.contains("= { Date() }") && !line.contains("= ContinuousClock()") {
                guard let source = sources.first(where: line.contains) else { continue }
                guard !file.mayAskForTime else { continue }
                Issue.record("\(file.path): \(source) outside Live, Device and default arguments")
            }
        }
    }

    @Test func `no source file has more than 500 lines`() throws {
        for file in try SourceTree.files() { #expect(file.lines.count <= 500, "\(file.path)") }
    }
}

/// The Swift files under `Sources`, as text.
private enum SourceTree {
    struct File {
        let path: String
        let lines: [String]

        var target: String { String(path.prefix { $0 != "/" }) }

        /// The edges where a program meets its user; nothing below them asks for the time.
        var mayAskForTime: Bool { ["BrowserApp", "Config", "Prefetch", "Tools", "alcedo"].contains(target) }

        var imports: [String] {
            lines.compactMap { line in
                let words = line.split(separator: " ")
                guard let index = words.firstIndex(of: "import"), index <= 2, index + 1 < words.count,
                    !line.hasPrefix("//"), !line.hasPrefix(" ")
                else { return nil }
                let kinds: Set<Substring> = ["struct", "class", "enum", "func", "var", "protocol", "typealias"]
                let name = kinds.contains(words[index + 1]) ? words[index + 2] : words[index + 1]
                let module = name.prefix { $0 != "." }
                // Targets are named here as their folders are.
                return String(module.hasPrefix("Alcedo") ? module.dropFirst("Alcedo".count) : module)
            }
        }
    }

    static func files() throws -> [File] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
        let prefix = root.path(percentEncoded: false)
        let all = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        var files: [File] = []
        for case let url as URL in all where url.pathExtension == "swift" {
            let text = try String(contentsOf: url, encoding: .utf8)
            let path = url.path(percentEncoded: false).dropFirst(prefix.count).drop { $0 == "/" }
            files.append(File(path: String(path), lines: text.components(separatedBy: "\n")))
        }
        try #require(files.count > 50)
        return files
    }
}
