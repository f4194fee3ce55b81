import Foundation
import Testing

/// The Swift code of README, guides and DocC articles compiles as it stands, with Swift 6's rules.
///
/// It is not run: most of it needs a network or a terminal.
@Suite(.timeLimit(.minutes(5))) struct DocumentedCodeTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

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
        let build = repository.appending(path: ".build/debug").path(percentEncoded: false)
        let command = """
            set -- "$@" $(for map in "$ROOT"/Sources/C/*/module.modulemap "$BUILD"/*.build/module.modulemap \
                "$ROOT"/.build/checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap; do
                printf '%s ' -Xcc "-fmodule-map-file=$map"
            done; for flag in $(pkg-config --cflags-only-I gobject-2.0); do printf '%s ' -Xcc "$flag"; done)
            exec swiftc -typecheck -swift-version 6 -I "$BUILD/Modules" "$@" 2>&1
            """
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command, "sh"] + files
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["ROOT": repository.path(percentEncoded: false), "BUILD": build]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let errors = text.split(separator: "\n").filter { $0.contains(": error:") }.map(String.init)
        return process.terminationStatus == 0 ? [] : errors.isEmpty ? [text] : errors
    }
}
