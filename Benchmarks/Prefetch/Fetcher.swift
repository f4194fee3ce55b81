import Foundation

/// A program that fetches a list, 16 at a time.
struct Fetcher: Sendable {
    let name: String
    let program: String
    /// From the list and an empty folder.
    let arguments: @Sendable (_ list: URL, _ folder: URL) -> [String]
    var environment: @Sendable (_ folder: URL) -> [String: String] = { _ in [:] }

    var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    static let jobs = 16

    static let all = [
        Fetcher(
            name: "alcedo", program: Figures.program,
            arguments: { list, _ in
                ["prefetch", list.path, "--insecure", "-q", "--jobs", "\(jobs)", "--per-host", "\(jobs)"]
            }, environment: { ["ALCEDO_CACHE_DIR": $0.path + "/cache", "XDG_STATE_HOME": $0.path] }),
        // Each of its threads would have 30 requests of HTTP/2 under way.
        Fetcher(
            name: "wget2", program: "/usr/bin/wget2",
            arguments: { list, folder in
                [
                    "-q", "--max-threads=\(jobs)", "--http2-request-window=1", "--no-check-certificate", "-P",
                    folder.path, "-i", list.path,
                ]
            }),
        Fetcher(
            name: "curl", program: "/usr/bin/curl",
            arguments: { list, folder in
                [
                    "-s", "-k", "-Z", "--parallel-max", "\(jobs)", "--output-dir", folder.path, "-K",
                    list.deletingPathExtension().path + ".curl",
                ]
            }),
        Fetcher(
            name: "aria2c", program: "/usr/bin/aria2c",
            arguments: { list, folder in
                [
                    "-q", "-j\(jobs)", "-x\(jobs)", "-s1", "--check-certificate=false", "-d", folder.path, "-i",
                    list.path,
                ]
            }),
    ]

    /// Seconds from the start to the end of the process; nil when it failed.
    func seconds(_ list: URL, into folder: URL) throws -> Double? {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments(list, folder)
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path].merging(environment(folder)) { _, new in
            new
        }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let time = try process.timedRun() / .seconds(1)
        return process.terminationStatus == 0 ? time : nil
    }
}
