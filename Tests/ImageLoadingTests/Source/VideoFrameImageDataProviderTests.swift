import Foundation
import Glibc
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct VideoFrameImageDataProviderTests {
    private let place: TemporaryFolder
    private let video: URL

    init() throws {
        place = try TemporaryFolder()
        video = URL(filePath: try place.write("a b.mp4", [1, 2, 3]))
    }

    /// A program that stands for ffmpeg: it notes its arguments and does as told.
    private func program(_ text: String) throws -> String {
        let note = "for a; do printf '%s\\n' \"$a\" >> \(place / "arguments"); done\n"
        let path = try place.write("ffmpeg", "#!/bin/sh\n\(note)\(text)\n".utf8)
        chmod(path, 0o755)
        return path
    }

    private func failure(_ provider: VideoFrameImageDataProvider) async -> String? {
        do {
            _ = try await provider.data()
        } catch ImageError.imageSetting(.dataProvider(let reason)) {
            return reason
        } catch {
            Issue.record("\(error)")
        }
        return nil
    }

    @Test func `the frame is the output of ffmpeg`() async throws {
        let png = try Pictures.png()
        let picture = try place.write("frame.png", png)
        let provider = VideoFrameImageDataProvider(
            video, seconds: 12.3456, executable: try program("cat \(picture)"))
        #expect(try await provider.data() == png)
        #expect(
            try place.read("arguments").split(separator: "\n") == [
                "-nostdin", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file,pipe", "-ss", "12.346",
                "-i", "file:\(place / "a b.mp4")", "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "pipe:1",
            ])
    }

    @Test(arguments: [
        (-5.0, "0.000"), (.nan, "0.000"), (.infinity, "0.000"), (0.0004, "0.000"), (0.05, "0.050"),
        (1e300, "1000000000.000"), (59.9996, "60.000"),
    ])
    func `any time is written as a number for ffmpeg`(seconds: Double, text: String) async throws {
        let provider = VideoFrameImageDataProvider(video, seconds: seconds, executable: try program("printf x"))
        _ = try await provider.data()
        #expect(try place.read("arguments").split(separator: "\n").contains(Substring(text)))
    }

    @Test func `the key contains time and file`() throws {
        let provider = VideoFrameImageDataProvider(video, seconds: 1.5)
        #expect(provider.cacheKey.hasSuffix("#frame-1.5"))
        #expect(provider.cacheKey != VideoFrameImageDataProvider(video, seconds: 2).cacheKey)
        #expect(provider.isWorthCachingOnDisk)
        try Data([1, 2, 3, 4]).write(to: video)
        #expect(provider.cacheKey != VideoFrameImageDataProvider(video, seconds: 1.5).cacheKey)
        #expect(VideoFrameImageDataProvider(video, seconds: 1.5, cacheKey: "k").cacheKey == "k")
    }

    @Test func `failures are reported with a reason`() async throws {
        let none = URL(filePath: place / "none.mp4")
        let missing = VideoFrameImageDataProvider(none, seconds: 0, executable: "/bin/true")
        #expect(await failure(missing) == "no such video file")
        let empty = VideoFrameImageDataProvider(video, seconds: 900, executable: try program("true"))
        #expect(await failure(empty) == "the video has no frame at 900.000 s")
        let broken = try program("printf 'moov \\033atom\\nmore\\n' >&2; exit 1")
        #expect(
            await failure(VideoFrameImageDataProvider(video, seconds: 0, executable: broken)) == "ffmpeg: moov ?atom")
        let killed = try program("kill -9 $$")
        #expect(await failure(VideoFrameImageDataProvider(video, seconds: 0, executable: killed)) == "ffmpeg failed")
        let endless = VideoFrameImageDataProvider(
            video, seconds: 0, executable: try program("cat /dev/zero"), maximumBytes: 1_000)
        #expect(await failure(endless) == "ffmpeg wrote more than 1000 bytes")
        let unstartable = VideoFrameImageDataProvider(video, seconds: 0, executable: place / "nothing")
        #expect(await failure(unstartable)?.hasPrefix("ffmpeg does not start: ") == true)
    }

    @Test func `much output on standard error does not block`() async throws {
        let noisy = try program("head -c 900000 /dev/zero >&2; printf done")
        #expect(
            try await VideoFrameImageDataProvider(video, seconds: 0, executable: noisy).data() == Data("done".utf8))
    }

    @Test func `ffmpeg is searched in the folders of PATH`() throws {
        try FileManager.default.createDirectory(atPath: place / "ffmpeg", withIntermediateDirectories: false)
        _ = try place.write("one/ffmpeg")
        let path = try place.write("two/ffmpeg")
        chmod(path, 0o755)
        let folders = ["relative", "", place.path, place / "one", place / "two"].joined(separator: ":")
        #expect(VideoFrameImageDataProvider.path(of: "ffmpeg", in: folders) == path)
        #expect(VideoFrameImageDataProvider.path(of: "ffmpeg", in: place / "one") == nil)
        #expect(VideoFrameImageDataProvider.path(of: "ffmpeg", in: nil) == nil)
    }

    @Test func `a pipe instead of a file is refused`() async throws {
        mkfifo(place / "pipe", 0o600)
        let provider = VideoFrameImageDataProvider(URL(filePath: place / "pipe"), seconds: 0, executable: "/bin/cat")
        #expect(await failure(provider) == "no such video file")
    }

    @Test func `without ffmpeg the error says how to install it`() async throws {
        guard VideoFrameImageDataProvider.path(of: "ffmpeg") == nil else {
            try await aRealFrame()
            return
        }
        let reason = await failure(VideoFrameImageDataProvider(video, seconds: 0))
        #expect(reason == "ffmpeg is needed to show videos and is not in PATH; install it: apt install ffmpeg")
    }

    /// With ffmpeg itself: the second second of a video is blue.
    private func aRealFrame() async throws {
        let ffmpeg = try #require(VideoFrameImageDataProvider.path(of: "ffmpeg"))
        let path = place / "made.mkv"
        let sources = ["red", "blue"].flatMap { ["-f", "lavfi", "-i", "color=\($0):size=64x48:duration=1"] }
        let process = try Process.run(
            URL(filePath: ffmpeg),
            arguments: ["-nostdin", "-loglevel", "error"] + sources
                + ["-filter_complex", "[0:v][1:v]concat=n=2:v=1", "-c:v", "ffv1", path])
        process.waitUntilExit()
        let provider = VideoFrameImageDataProvider(URL(filePath: path), seconds: 1.5)
        let image = try VipsDecoder().decode(try await provider.data(), within: nil, limits: .standard)
        #expect(image.pixels[30, 20].blue > 200 && image.pixels[30, 20].red < 40)
    }

    @Test func `a cancel kills ffmpeg`() async throws {
        let provider = VideoFrameImageDataProvider(
            video, seconds: 0, executable: try program("echo $$ > \(place / "pid"); sleep 1000 & sleep 1000"))
        let task = Task { try await provider.data() }
        try await eventually("ffmpeg runs") { (try? place.read("pid").contains("\n")) == true }
        let group = try #require(pid_t(try place.read("pid").trimmingCharacters(in: .whitespacesAndNewlines)))
        task.cancel()
        await #expect(throws: ImageError.cancelled) { try await task.value }
        try await eventually("it is gone") { kill(-group, 0) != 0 }
    }
}
