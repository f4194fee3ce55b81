import Foundation
import Glibc
import Support

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
