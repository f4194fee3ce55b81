import Foundation
import Testing

/// What may be committed: sources, documents, assets and what builds them.
@Suite(.timeLimit(.minutes(1))) struct RepositoryFilesTests {
    private static let folders: [String: Set<String>] = [
        ".ci": ["run", "py", "suppressions"],
        "Benchmarks": ["c", "py", "swift", "md", "write-results"],
        "Examples": ["swift", "md"],
        "Sources": ["swift", "h", "c", "html", "modulemap", "md"],
        "Tests": ["swift", "c", "h", "txt", "py", "run"],
        "cluster": ["py", "txt"],
        "assets": ["swift", "py", "md", "jpg", "png", "webp", "gif", "make-screenshot"],
        "docs": ["md", "json", "conf", "yml", "py", "css", "txt", "make-reference"],
        "packaging": [
            "check-deb", "check-tarball", "control", "copyright", "desktop", "lintian-overrides", "make-deb",
            "make-manual", "make-release", "make-tarball", "sh", "txt",
        ],
    ]
    private static let files: Set<String> = [
        ".editorconfig", ".gitignore", ".swift-format", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile",
        "Package.swift", "README.md", "SECURITY.md",
    ]

    @Test func `only sources, documents and assets are committed`() throws {
        let committed = try Self.committedFiles()
        try #require(committed.count > 100)
        #expect(committed.filter { !Self.isAllowed($0) } == [])
    }

    @Test func `each folder of tests is a target, so that its tests run`() throws {
        let manifest = try String(contentsOf: Self.repository.appending(path: "Package.swift"), encoding: .utf8)
        let folders = try Set(
            Self.committedFiles().filter { $0.hasPrefix("Tests/") && $0.hasSuffix("Tests.swift") }
                .map { $0.split(separator: "/")[1] })
        #expect(folders.count > 20)
        #expect(folders.filter { !manifest.contains("\"\($0)\"") } == [])
    }

    @Test(arguments: ["gallery/v1/index.sqlite", "Sources/cache.db", "Package.resolved", "docs/blobs/ab", "a.swift"])
    func `a database or a stray file in the repository is reported`(path: String) {
        #expect(!Self.isAllowed(path))
    }

    private static func isAllowed(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        guard parts.count > 1, let name = parts.last else { return files.contains(path) }
        let kind = name.split(separator: ".").last.map(String.init) ?? ""
        return folders[String(parts[0])]?.contains(kind) == true
    }

    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardized

    private static func committedFiles() throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["git", "-C", repository.path(percentEncoded: false), "ls-files", "-z"]
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}
