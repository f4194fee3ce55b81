import Foundation
import ImageLoading
import Raster

/// The most memory that this process took for pictures, so it is a run of its own: argument `memory`.
enum MemoryFigures {
    static func run() async throws {
        PictureMemory.returnEarly()
        let folder = FileManager.default.temporaryDirectory.appending(path: "alcedo-memory-figures-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await previews(folder)
        try await animation()
    }

    /// 200 files of 12 megapixels, each once through the pipeline as the browser's preview is, 4 at a time.
    private static func previews(_ folder: URL) async throws {
        let files = try photographs(200, in: folder)
        // What making the files took does not count.
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let pipeline = ImagePipeline(cache: ImageCache(disk: nil))
        let options: ImageOptions = [
            .processor(DownsamplingImageProcessor(size: PixelSize(width: 1000, height: 700))),
            .callbackQueue(.untouch),
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, file) in files.enumerated() {
                if index >= 4 { try await group.next() }
                group.addTask { _ = try await pipeline.image(for: Source(url: file), options: options) }
            }
            try await group.waitForAll()
        }
        let held = pipeline.cache.memory.totalCost >> 20
        Report.line("200 × 12 Mpx as previews (\(held) MiB cached)", unit: "MiB", [peak()], goal: "≤ 381")
    }

    /// Few pictures under many names: what is decoded is as much as if they all differed.
    private static func photographs(_ count: Int, in folder: URL) throws -> [URL] {
        let size = PixelSize(width: 4000, height: 3000)
        var pixels = PixelBuffer(size: size, filledWith: .black)
        pixels.withMutableBytes { bytes in
            var noise: UInt32 = 1
            for index in bytes.indices where index & 3 != 3 {
                noise = noise &* 1_664_525 &+ 1_013_904_223
                bytes[index] = UInt8(truncatingIfNeeded: index >> 9) &+ UInt8(noise >> 28)
            }
        }
        let image = Image(pixels: pixels, originalSize: size, format: .jpeg, frameCount: 1, byteCount: 0)
        let data = try ImageEncoder.encode(image, as: .jpeg)
        return try (0..<count).map { number in
            let file = folder.appending(path: "\(number).jpg")
            try data.write(to: file)
            return file
        }
    }

    /// A GIF of 5,000 frames, all shown once.
    private static func animation() async throws {
        let file = gif(frames: 5_000, side: 100)
        let image = try VipsDecoder().decode(file, within: nil, limits: DecodeLimits(bytes: .max))
        guard let animation = image.animation else { return }
        let frames = AnimationFrames(animation)
        for index in 0..<frames.count { _ = try await frames.frame(at: index) }
        await frames.finishReadingAhead()
        let peak = await Double(frames.peakBytes) / 1_048_576
        Report.line("frames held of a GIF of 5,000 × 100×100 px", unit: "MiB", [peak], goal: "≤ 32")
    }

    /// Whole frames of one colour each, in codes that never grow beyond nine bits.
    private static func gif(frames: Int, side: Int) -> Data {
        func number(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
        var file = Array("GIF89a".utf8) + number(side) + number(side) + [0xF7, 0, 0]
        file += (0...UInt8.max).flatMap { (index: UInt8) -> [UInt8] in [index, 255 - index, index / 2] }
        for frame in 0..<frames {
            file +=
                [0x21, 0xF9, 4, 4] + number(3) + [0, 0, 0x2C] + number(0) + number(0) + number(side) + number(side)
            file += [0, 8] + imageData(color: frame % 256, pixels: side * side) + [0]
        }
        return Data(file + [0x3B])
    }

    private static func imageData(color: Int, pixels: Int) -> [UInt8] {
        var (bits, count, bytes) = (0, 0, [UInt8]())
        func add(_ code: Int) {
            bits |= code << count
            count += 9
            while count >= 8 {
                bytes.append(UInt8(bits & 255))
                (bits, count) = (bits >> 8, count - 8)
            }
        }
        for pixel in 0..<pixels {
            if pixel % 200 == 0 { add(256) }
            add(color)
        }
        add(257)
        if count > 0 { bytes.append(UInt8(bits & 255)) }
        return stride(from: 0, to: bytes.count, by: 255).flatMap { start in
            let block = bytes[start..<min(start + 255, bytes.count)]
            return [UInt8(block.count)] + block
        }
    }

    /// The most that was resident, in MiB.
    private static func peak() -> Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
        return (Double(line.filter(\.isNumber)) ?? 0) / 1024
    }
}
