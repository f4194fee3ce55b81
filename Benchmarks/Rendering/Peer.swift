import Foundation

/// A program that shows pictures too.
struct Peer: Sendable {
    let name: String
    let path: String
    /// The arguments that write a file's picture as sixel within a square box, in pixels.
    let arguments: @Sendable (_ file: String, _ box: Int) -> [String]

    /// Ours first, then what Debian has, all told to show the first frame only: chafa counts cells of 8 × 8 pixels without a terminal, timg of 9 × 18.
    static let all = [
        Peer(name: "alcedo", path: Figures.program) { file, box in
            ["show", "--no-cache", "--format", "sixel", "--size", "\(box)x\(box)", file]
        },
        Peer(name: "chafa", path: "/usr/bin/chafa") { file, box in
            ["-f", "sixels", "--animate", "off", "-s", "\(box / 8)x\(box / 8)", file]
        },
        Peer(name: "timg", path: "/usr/bin/timg") { file, box in
            ["-ps", "--frames=1", "-g", "\(box / 9)x\(box / 18)", file]
        },
        Peer(name: "img2sixel", path: "/usr/bin/img2sixel") { file, box in
            ["-S", "-w", "\(box)", file]
        },
    ]

    var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// What it says of its version, in one line.
    func version() -> String {
        guard let output = try? Self.run(path, ["--version"]).output else { return "unknown" }
        return String(decoding: output, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? "unknown"
    }

    /// The whole process, in milliseconds, and what it wrote.
    func show(_ file: String, box: Int) throws -> (milliseconds: Double, output: Data) {
        let result = try Self.run(path, arguments(file, box))
        return (result.milliseconds, result.output)
    }

    private static func run(_ path: String, _ arguments: [String]) throws -> (milliseconds: Double, output: Data) {
        let target = FileManager.default.temporaryDirectory.appending(path: "alcedo-peer-\(getpid())")
        try Data().write(to: target)
        defer { try? FileManager.default.removeItem(at: target) }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: target)
        process.standardError = FileHandle.nullDevice
        let time = try process.timedRun()
        return (time / .milliseconds(1), try Data(contentsOf: target))
    }
}
