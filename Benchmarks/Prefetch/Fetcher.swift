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

    private static func alcedo(_ check: String) -> Fetcher {
        Fetcher(
            name: "alcedo, \(check)", program: Figures.program,
            arguments: { list, _ in
                [
                    "prefetch", list.path, "--insecure", "-q", "--check", check, "--jobs", "\(jobs)", "--per-host",
                    "\(jobs)",
                ]
            }, environment: { ["ALCEDO_CACHE_DIR": $0.path + "/cache", "XDG_STATE_HOME": $0.path] })
    }

    /// A program that does the same work with the libraries alone, without checks, retries and look-ups: its figures are
    /// the limit.
    private static func libraries(_ check: String) -> Fetcher {
        Fetcher(
            name: "libraries, \(check)",
            program: FileManager.default.currentDirectoryPath + "/.build/release/PrefetchLimit",
            arguments: { list, folder in [list.path, folder.path, check] })
    }

    /// img2dataset is used if $IMG2DATASET names it; it comes from PyPI and has no option for certificates.
    private static let img2dataset = ProcessInfo.processInfo.environment["IMG2DATASET"] ?? "/usr/bin/img2dataset"

    static let all = [
        alcedo("decode"), alcedo("framing"), libraries("decode"), libraries("framing"),
        Fetcher(
            name: "img2dataset", program: img2dataset,
            arguments: { list, folder in
                [
                    "--url_list", list.path, "--output_folder", folder.path + "/files", "--resize_mode", "no",
                    "--encode_format", "jpg", "--skip_reencode", "True", "--thread_count", "\(jobs)",
                    "--processes_count",
                    "2", "--retries", "0",
                ]
            }, environment: { ["NO_ALBUMENTATIONS_UPDATE": "1", "MPLCONFIGDIR": $0.path] }),
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

    /// A whole process: its time, the processor time of it and its descendants, in seconds, and its memory in MiB.
    struct Run {
        let seconds, processor, memory: Double
    }

    /// Fetches the list; nil if that fails.
    func run(_ list: URL, into folder: URL) throws -> Run? {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(filePath: FileManager.default.currentDirectoryPath + "/Benchmarks/run-measured.py")
        process.arguments = [program] + arguments(list, folder)
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path].merging(environment(folder)) { _, new in
            new
        }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 4, numbers[3] == 0 else { return nil }
        return Run(seconds: numbers[0], processor: numbers[1], memory: numbers[2])
    }
}
