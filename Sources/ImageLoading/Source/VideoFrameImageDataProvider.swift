import Dispatch
import Foundation
import Glibc
import Support

/// A provider that returns one frame of a video file as PNG, with the `ffmpeg` program.
public struct VideoFrameImageDataProvider: ImageDataProvider {
    /// The video file.
    public let fileURL: URL
    /// The time of the frame from the start of the video, in seconds.
    public let seconds: Double
    public let cacheKey: String
    private let maximumBytes: Int
    private let executable: String?

    /// Creates a provider.
    ///
    /// The default key contains the file's URL, size and modification time, and the time of the frame.
    ///
    /// - Parameter executable: The path of ffmpeg; the first one in `PATH` if nil.
    /// - Parameter maximumBytes: The limit for the frame's PNG file, 100 MiB by default.
    public init(
        _ fileURL: URL, seconds: Double, cacheKey: String? = nil, executable: String? = nil,
        maximumBytes: Int = DecodeLimits.standard.bytes
    ) {
        self.fileURL = fileURL
        self.seconds = seconds
        self.cacheKey = cacheKey ?? "\(LocalFileImageDataProvider.key(for: fileURL))#frame-\(seconds)"
        self.executable = executable
        self.maximumBytes = maximumBytes
    }

    /// Extracts the frame.
    ///
    /// A cancellation kills ffmpeg. The program may open only local files, so that a playlist cannot
    /// make it use the network.
    ///
    /// - Throws: `ImageError.imageSetting(.dataProvider)` with the reason if ffmpeg is missing or returns no frame.
    @concurrent
    public func data() async throws -> Data {
        let path = fileURL.path(percentEncoded: false)
        guard RegularFile.exists(path) else { throw failure("no such video file") }
        guard let executable = executable ?? ProgramOutput.search("ffmpeg") else {
            throw failure("ffmpeg is needed to show videos and is not in PATH; install it: apt install ffmpeg")
        }
        let output = try await read(executable, path)
        guard !output.isEmpty else { throw failure("the video has no frame at \(moment) s") }
        return output
    }

    private func read(_ executable: String, _ path: String) async throws(ImageError) -> Data {
        do throws(ProgramOutput.Problem) {
            return try await ProgramOutput.read(executable, arguments(path), limit: maximumBytes)
        } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .notStarted(let reason): throw failure("ffmpeg does not start: \(reason)")
            case .tooMuch: throw failure("ffmpeg wrote more than \(maximumBytes) bytes")
            case .failed(let words): throw failure(words.isEmpty ? "ffmpeg failed" : "ffmpeg: \(words)")
            }
        }
    }

    private func failure(_ reason: String) -> ImageError { .imageSetting(.dataProvider(reason)) }

    /// The time of the frame in seconds with milliseconds, clamped to 0…1e9 (about 30 years); 0 if it is not finite.
    private var moment: String {
        let bounded = seconds.isFinite ? min(max(0, seconds), 1e9) : 0
        let milliseconds = Int((bounded * 1_000).rounded())
        let fraction = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }

    private func arguments(_ path: String) -> [String] {
        [
            "-nostdin", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file,pipe", "-ss", moment,
            "-i", "file:" + path, "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "pipe:1",
        ]
    }
}

/// Running another program and collecting its output.
enum ProgramOutput {
    enum Problem: Error, Equatable {
        case cancelled
        case notStarted(String)
        /// The output exceeds the limit; the program was killed.
        case tooMuch
        /// The exit code is not 0, or a signal ended the program; the text is the first line of its error output.
        case failed(String)
    }

    /// Returns the program's standard output; a cancellation kills the program and its children.
    ///
    /// There is no shell, so the arguments are passed unchanged. The environment contains only `PATH`.
    static func read(_ executable: String, _ arguments: [String], limit: Int) async throws(Problem) -> Data {
        if Task.isCancelled { throw .cancelled }
        guard access(executable, X_OK) == 0 else { throw .notStarted(String(cString: strerror(errno))) }
        let (process, output, errors, end) = (Process(), Pipe(), Pipe(), DispatchSemaphore(value: 0))
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        process.terminationHandler = { _ in end.signal() }
        do { try process.run() } catch { throw .notStarted(error.localizedDescription) }
        let (data, words) = await withTaskCancellationHandler {
            async let words = onThread { beginning(of: errors.fileHandleForReading) }
            let data = await onThread {
                let data = try? output.fileHandleForReading.read(upToCount: min(limit, .max - 1) + 1)
                if let data, data.count > limit { killGroup(of: process) }
                end.wait()
                return data ?? Data()
            }
            return (data, await words)
        } onCancel: {
            killGroup(of: process)
        }
        if Task.isCancelled { throw .cancelled }
        guard data.count <= limit else { throw .tooMuch }
        guard process.terminationStatus == 0 else { throw .failed(firstLine(words)) }
        return data
    }

    /// Runs work that blocks on a thread of its own, as the threads of the concurrency runtime are few.
    private static func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }

    /// Returns the first 2,000 bytes, and reads the others so that the program can go on.
    private static func beginning(of file: FileHandle) -> Data {
        let data = try? file.read(upToCount: 2_000)
        while let more = try? file.read(upToCount: 64 << 10), !more.isEmpty {}
        return data ?? Data()
    }

    /// Kills the program and its children: `Process` starts a process group.
    private static func killGroup(of process: Process) {
        if process.isRunning { kill(-process.processIdentifier, SIGKILL) }
    }

    private static func firstLine(_ words: Data) -> String {
        let line = words.prefix { $0 != 10 }.prefix(300).map { (0x20..<0x7F).contains($0) ? $0 : 0x3F }
        return String(decoding: line, as: UTF8.self)
    }

    /// Returns the path of a program in one of the folders of `PATH`, or nil.
    static func search(_ name: String, in path: String? = ProcessInfo.processInfo.environment["PATH"]) -> String? {
        let folders = (path ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return folders.map { "\($0)/\(name)" }.first { RegularFile.exists($0) && access($0, X_OK) == 0 }
    }
}
