import Foundation
import Testing

/// The Swift code of README, guides and DocC articles compiles as it stands, with Swift 6's rules.
///
/// It is not run: most of it needs a network or a terminal.
@Suite(.timeLimit(.minutes(5))) struct DocumentedCodeTests {
    private static let repository = BuiltModules.repository

    private struct Block {
        let file: String
        let line: Int
        let lines: [Substring]

        var text: String { lines.joined(separator: "\n") }
        /// Products with names of other products, which one file cannot import with these.
        var product: String? {
            ["KingfisherCompatibility", "ExponentialBackOff"].first { name in
                text.contains("import \(name)") || file.hasSuffix("ComingFrom\(name).md") && text.contains("\(name).")
            }
        }
    }

    /// Declarations of the names that articles use without one of their own.
    private static let samples = """
        import Foundation
        import ImageLoading
        import Retrying

        struct NotFound: Error {}
        var url: URL { fatalError() }
        var news: URL { url }
        var urls: [URL] { [url] }
        var report: Data { Data() }
        var pipeline: ImagePipeline { fatalError() }
        var cache: ImageCache { pipeline.cache }
        var source: Source { Source(url: url) }
        var result: ImageResult { fatalError() }
        var image: Image { result.image }
        var picture: PixelBuffer { image.pixels }
        var old: PixelBuffer { picture }
        func fetch(_ url: URL) async throws -> Data { Data() }
        func send(_ data: Data) async throws {}
        func send(_ data: Data, _ completion: @escaping @Sendable (Bool) -> Void) { completion(true) }
        """

    @Test func `the code of all documents compiles`() throws {
        let blocks = try Self.blocks()
        try #require(blocks.count > 40)
        let folder = FileManager.default.temporaryDirectory.appending(path: "alcedo-docs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var files = ["Samples": Self.samples]
        for (number, block) in blocks.enumerated() {
            let file = block.product ?? "Blocks"
            let imports = block.lines.filter { $0.hasPrefix("import ") }
            let body = block.lines.map { $0.hasPrefix("import ") ? "" : $0 }.joined(separator: "\n")
            files[file, default: Self.imports(of: file)] += """

                \(imports.joined(separator: "\n"))
                @MainActor func block\(number)() async throws {
                #sourceLocation(file: "\(block.file)", line: \(block.line))
                \(body)
                #sourceLocation()
                }
                """
        }
        for (name, text) in files {
            try text.write(to: folder.appending(path: "\(name).swift"), atomically: true, encoding: .utf8)
        }
        let paths = files.keys.sorted().map { folder.appending(path: "\($0).swift").path(percentEncoded: false) }
        let errors = try Self.compile(paths)
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test func `wrong code is found, with its line in the document`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "alcedo-docs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Wrong.swift")
        try """
        import ImageLoading
        func f() {
        #sourceLocation(file: "docs/wrong.md", line: 7)
        let cache = ImageCache(named: 1)
        #sourceLocation()
        }
        """.write(to: file, atomically: true, encoding: .utf8)
        #expect(try Self.compile([file.path(percentEncoded: false)]).contains { $0.contains("docs/wrong.md:7:") })
    }

    @Test func `names of the model libraries are errors that say what to write`() throws {
        let habits = [
            ("KingfisherManager.shared.retrieveImage(with: url) { result in print(result) }", "'ImagePipeline'"),
            ("_ = try await ImagePipeline.shared.retrieveImage(with: url).image", "'image(for:options:)'"),
            ("let options: KingfisherOptionsInfo = [.forceRefresh]", "'ImageOptions'"),
            ("_ = ImagePrefetcher(urls: [url]) { skipped, failed, completed in }", "'init(sources:options:pipeline:)'"),
            ("_ = ImageCache.default.diskStorage", "try ImageCache(name: \"default\")"),
            ("ImageDownloader.default.downloadImage(with: url) { result in print(result) }", "'download(_:)'"),
            ("view.kf.setImage(with: url, options: [.forceRefresh]) { result in }", "import KingfisherCompatibility"),
            ("pipeline.loadImage(with: ImageRequest(url: url)) { result in }", "'image(for:)'"),
            ("_ = Retrier(policy: ConstantDelayRetryPolicy(), conditionPublisher: nil)", "'ConstantPolicy'"),
        ]
        let folder = FileManager.default.temporaryDirectory.appending(path: "alcedo-docs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Habits.swift")
        let functions = habits.enumerated().map { number, habit in
            """
            @MainActor func habit\(number)(_ view: TerminalImageView, _ pipeline: ImagePipeline, _ url: URL) async throws {
            #sourceLocation(file: "habit", line: \(number + 1))
                \(habit.0)
            #sourceLocation()
            }
            """
        }
        try (["import Foundation", "import TerminalImageView"] + functions).joined(separator: "\n")
            .write(to: file, atomically: true, encoding: .utf8)
        let errors = try Self.compile([file.path(percentEncoded: false)])
        for (number, habit) in habits.enumerated() {
            let own = errors.filter { $0.hasPrefix("habit:\(number + 1):") }
            #expect(own.contains { $0.contains(habit.1) }, "\(habit.0): \(own)")
        }
    }

    private static func imports(of file: String) -> String {
        let others = ["ImageLoading", "Retrying", "TerminalGraphics"]
        return (["Foundation"] + (file == "Blocks" ? others : [file])).map { "import \($0)\n" }.joined()
    }

    /// Returns the blocks of all documents, but for manifests of packages.
    private static func blocks() throws -> [Block] {
        let folders = ["README.md", "docs", "Sources"]
        var blocks: [Block] = []
        for folder in folders {
            let root = repository.appending(path: folder)
            let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.allObjects ?? []
            for case let file as URL in [root] + found where file.pathExtension == "md" {
                let path = String(
                    file.path(percentEncoded: false).dropFirst(repository.path(percentEncoded: false).count))
                // The lists of declarations are no code.
                guard !path.hasPrefix("docs/api/") else { continue }
                blocks += Self.blocks(of: try String(contentsOf: file, encoding: .utf8), in: path)
            }
        }
        return blocks.filter { !$0.text.contains(".package(") && !$0.text.contains(".product(") }
    }

    private static func blocks(of text: String, in file: String) -> [Block] {
        var blocks: [Block] = []
        var open: (line: Int, lines: [Substring])?
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let block = open {
                if line == "```" {
                    blocks.append(Block(file: file, line: block.line, lines: block.lines))
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            } else if line == "```swift" {
                open = (number + 2, [])
            }
        }
        return blocks
    }

    /// Returns the errors of the compiler, which only checks types, with the modules of this build.
    private static func compile(_ files: [String]) throws -> [String] {
        let (status, text) = try BuiltModules.run("swiftc", ["-typecheck", "-swift-version", "6"] + files)
        let errors = text.split(separator: "\n").filter { $0.contains(": error:") }.map(String.init)
        return status == 0 ? [] : errors.isEmpty ? [text] : errors
    }
}
