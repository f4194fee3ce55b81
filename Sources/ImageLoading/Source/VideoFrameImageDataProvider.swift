import AlcedoSupport
import Dispatch
import FoundationEssentials
import Glibc

/// A provider that returns one frame of a video file as PNG, with the `ffmpeg` program.
public struct VideoFrameImageDataProvider: ImageDataProvider {
    /// The video file.
    package let fileURL: URL
    /// The time of the frame from the start of the video, in seconds.
    package let seconds: Double
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
        var path = fileURL.filePath
        guard RegularFile.exists(path) else { throw failure("no such video file") }
        // The arguments of a process are text; a link in /proc names a file whose path is none.
        let descriptor = path.hasPathEscapes ? path.withPath { open($0, O_RDONLY | O_CLOEXEC) } : -1
        defer { if descriptor >= 0 { close(descriptor) } }
        if descriptor >= 0 { path = "/proc/\(getpid())/fd/\(descriptor)" }
        guard let executable = executable ?? Self.path(of: "ffmpeg") else {
            throw failure("ffmpeg is needed to show videos and is not in PATH; install it: apt install ffmpeg")
        }
        let output = try await run(executable, arguments(path))
        guard !output.isEmpty else { throw failure("the video has no frame at \(moment) s") }
        return output
    }

    /// Returns the path of a program in one of the folders of `PATH`; nil if it is in none.
    static func path(
        of program: String, in folders: String? = ProcessInfo.processInfo.environment["PATH"]
    ) -> String? {
        (folders ?? "").split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(program)" }
            .first { RegularFile.exists($0) && access($0, X_OK) == 0 }
    }

    /// Returns the standard output of a program, whose environment has only `PATH`.
    ///
    /// A cancellation, or too much output, kills the program and its children.
    private func run(_ executable: String, _ arguments: [String]) async throws(ImageError) -> Data {
        if Task.isCancelled { throw .cancelled }
        guard let messages = tmpfile() else { throw failure("no temporary file can be created") }
        defer { fclose(messages) }
        let (process, output): (ChildProcess, OpenFile)
        do throws(SystemError) {
            let (reading, writing) = try OpenFile.pipe()
            output = reading
            process = try ChildProcess(
                executable, arguments,
                environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"],
                output: writing.descriptor, errors: fileno(messages))
        } catch {
            throw failure("ffmpeg does not start: \(error)")
        }
        let data = await withTaskCancellationHandler {
            await Self.contents(of: output, limit: maximumBytes, until: process)
        } onCancel: {
            process.kill()
        }
        if Task.isCancelled { throw .cancelled }
        guard let data else { throw failure("ffmpeg wrote more than \(maximumBytes) bytes") }
        if await process.status() == 0 { return data }
        let words = Self.firstLine(of: messages)
        throw failure(words.isEmpty ? "ffmpeg failed" : "ffmpeg: \(words)")
    }

    /// Reads a pipe to its end and waits for its program; kills it and returns nil after more than `limit` bytes.
    private static func contents(of pipe: OpenFile, limit: Int, until process: ChildProcess) async -> Data? {
        let data = await withCheckedContinuation { continuation in
            // The reads block, and the threads of the concurrency runtime are few.
            DispatchQueue(label: "alcedo.video").async {
                continuation.resume(returning: (try? pipe.readToEnd(limit: limit + 1)) ?? Data())
            }
        }
        if data.count > limit { process.kill() }
        _ = await process.status()
        return data.count <= limit ? data : nil
    }

    private static func firstLine(of file: UnsafeMutablePointer<FILE>) -> String {
        rewind(file)
        var bytes = [UInt8](repeating: 0, count: 300)
        let count = fread(&bytes, 1, bytes.count, file)
        let line = bytes[..<count].prefix { $0 != 10 }.map { (0x20..<0x7F).contains($0) ? $0 : 0x3F }
        return String(decoding: line, as: UTF8.self)
    }

    private func failure(_ reason: String) -> ImageError { .imageSetting(.dataProvider(reason)) }

    /// The time of the frame in seconds with milliseconds, clamped to 0…1e9 (about 30 years); 0 if it is not finite.
    private var moment: String {
        let bounded = seconds.isFinite ? min(max(0, seconds), 1e9) : 0
        let milliseconds = Int((bounded * 1000).rounded())
        return "\(milliseconds / 1000).\((milliseconds % 1000).digits(3))"
    }

    private func arguments(_ path: String) -> [String] {
        [
            "-nostdin", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file,pipe", "-ss", moment,
            "-i", "file:" + path, "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "pipe:1",
        ]
    }
}
