import Foundation
import Testing

/// The checks of `make release`, in a small repository: nothing is built.
@Suite(.timeLimit(.minutes(1))) struct ReleaseTests {
    private static let changelog = """
        # Changelog

        ## [Unreleased]

        ### Added

        - A thing.

        ## [0.1.0] - 2026-01-01

        - The first one.

        """

    /// Runs the script with `DRY=1` in a new repository after some commands, and returns its exit code and its output.
    private static func run(_ version: String, after commands: String = ":") throws -> (Int32, String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "alcedo-release-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for path in ["packaging", "docs/api", "Sources/alcedo"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: path), withIntermediateDirectories: true)
        }
        let script = BuiltModules.repository.appending(path: "packaging/make-release")
        try FileManager.default.copyItem(at: script, to: folder.appending(path: "packaging/make-release"))
        for (path, text) in [
            ("CHANGELOG.md", changelog), ("docs/api/A.md", "func a()\nfunc b()\n"),
            ("Sources/alcedo/Alcedo.swift", "    static let version = \"0.1.0\"\n"),
        ] {
            try text.write(to: folder.appending(path: path), atomically: true, encoding: .utf8)
        }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c",
            """
            exec 2>&1
            git init -q . && git config user.name a && git config user.email a@b && git add . && git commit -qm a
            \(commands)
            VERSION=\(version) DRY=1 packaging/make-release
            """,
        ]
        process.currentDirectoryURL = folder
        return try process.result()
    }

    @Test func `a release that may be made shows its changes`() throws {
        let (status, output) = try Self.run("0.2.0")
        #expect(status == 0 && output.contains("release: 0.2.0 may be made"), "\(output)")
        #expect(output.contains("+## [0.2.0] - 2") && output.contains("+    static let version = \"0.2.0\""))
    }

    @Test(arguments: [
        ("0.2", ":", "VERSION must be like 0.2.0, not '0.2'"),
        ("0.2.0", "touch new", "the work tree has changes"),
        ("0.2.0", "git tag v0.2.0", "the tag v0.2.0 exists already"),
        ("0.1.0", ":", "0.1.0 is not greater than 0.1.0"),
        ("0.0.9", ":", "0.0.9 is not greater than 0.1.0"),
        ("0.2.0", "sed -i '/A thing/d' CHANGELOG.md; git commit -qam b", "lists nothing under [Unreleased]"),
        ("0.1.1", "git tag v0.1.0; sed -i 1d docs/api/A.md; git commit -qam b", "-func a()"),
    ])
    func `a release that may not be made says why`(version: String, commands: String, reason: String) throws {
        let (status, output) = try Self.run(version, after: commands)
        #expect(status == 1 && output.contains("release: ") && output.contains(reason), "\(output)")
    }

    @Test func `a minor release may change the API`() throws {
        let change = "git tag v0.1.0; sed -i 1d docs/api/A.md; git commit -qam b"
        let (status, output) = try Self.run("0.2.0", after: change)
        #expect(status == 0, "\(output)")
    }
}
