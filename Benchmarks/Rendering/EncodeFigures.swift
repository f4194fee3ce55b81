import AlcedoCSixel
import AlcedoComparison
import Foundation
import ImageLoading
import Raster
import TerminalGraphics

/// From pixels to sixel bytes, ours and libsixel's, in one process and alternating.
enum EncodeFigures {
    private static let runs = 7
    private static let photos = ["Dune.jpg", "Garden.jpg", "FreshFlower.jpg"]

    static func run() async throws {
        print("quantize and encode 1600 × 1000 pixels, medians of \(runs) alternating runs")
        for name in photos {
            let path = "/usr/share/backgrounds/mate/nature/" + name
            guard let file = FileManager.default.contents(atPath: path) else { continue }
            let image = try VipsDecoder().decode(file, within: nil, limits: .standard)
            let size = PixelSize(width: 1600, height: 1000)
            try await compare(name, try ResizingImageProcessor(referenceSize: size).process(image).pixels)
        }
        try await compare("noise 1920 × 1080", noise(PixelSize(width: 1920, height: 1080)), runs: 3)
    }

    private static func compare(_ name: String, _ pixels: PixelBuffer, runs: Int = runs) async throws {
        let encoder = PictureEncoder(protocol: .sixel(SixelLimits(maximumSize: PixelSize(width: 4000, height: 4000))))
        var times: [String: [Double]] = [:]
        var outputs: [String: [UInt8]] = [:]
        for _ in 0..<runs {
            for quality in [Quality.best, .fast] {
                let start = ContinuousClock.now
                let bytes = await encoder.encode(pixels, quality: quality).inlineBytes
                times["alcedo \(quality)", default: []].append(start.duration(to: .now) / .milliseconds(1))
                outputs["alcedo \(quality)"] = bytes
            }
            let start = ContinuousClock.now
            outputs["libsixel"] = try LibsixelDefault.encode(pixels)
            times["libsixel", default: []].append(start.duration(to: .now) / .milliseconds(1))
        }
        let reference = median(times["libsixel"] ?? [])
        for name in ["libsixel", "alcedo best", "alcedo fast"].map({ ($0, name) }) {
            guard let all = times[name.0], let bytes = outputs[name.0] else { continue }
            let time = median(all)
            let quality = try Likeness.decibels(pixels, LibsixelDefault.decode(bytes))
            print(
                String(
                    format: "%@  %@  %.0f ms  %.1f × libsixel's speed  %.1f dB  %.2f MB",
                    name.1.padding(toLength: 18, withPad: " ", startingAt: 0),
                    name.0.padding(toLength: 12, withPad: " ", startingAt: 0), time, reference / time, quality,
                    Double(bytes.count) / 1e6))
        }
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func noise(_ size: PixelSize) -> PixelBuffer {
        var pixels = PixelBuffer(size: size, filledWith: .black)
        pixels.withMutableBytes { bytes in
            var state: UInt32 = 7
            for index in bytes.indices where index & 3 != 3 {
                state = state &* 1_664_525 &+ 1_013_904_223
                bytes[index] = UInt8(state >> 24)
            }
        }
        return pixels
    }
}

/// libsixel as img2sixel uses it by default: its own palette of 256 colours and its own choice of diffusion.
private enum LibsixelDefault {
    struct Failure: Error {}

    static func encode(_ pixels: PixelBuffer) throws -> [UInt8] {
        var rgb = stride(from: 0, to: pixels.bytes.count, by: 4).flatMap { pixels.bytes[$0..<$0 + 3] }
        let (width, height) = (Int32(pixels.size.width), Int32(pixels.size.height))
        var dither: OpaquePointer?
        guard csixel_failed(sixel_dither_new(&dither, 256, nil)) == 0 else { throw Failure() }
        defer { sixel_dither_unref(dither) }
        sixel_dither_initialize(
            dither, &rgb, width, height, csixel_pixelformat_rgb888(), 0, 0, 0)
        let written = Written()
        var output: OpaquePointer?
        let write: sixel_write_function = { data, count, context in
            guard let data, let context else { return -1 }
            let written = Unmanaged<Written>.fromOpaque(context).takeUnretainedValue()
            data.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
                written.bytes.append(contentsOf: UnsafeBufferPointer(start: $0, count: Int(count)))
            }
            return count
        }
        guard csixel_failed(sixel_output_new(&output, write, Unmanaged.passUnretained(written).toOpaque(), nil)) == 0
        else { throw Failure() }
        defer { sixel_output_unref(output) }
        guard csixel_failed(sixel_encode(&rgb, width, height, 3, dither, output)) == 0 else { throw Failure() }
        return written.bytes
    }

    private final class Written { var bytes: [UInt8] = [] }

    static func decode(_ stream: [UInt8]) throws -> PixelBuffer {
        var stream = stream
        var (indices, palette): (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?) = (nil, nil)
        var (width, height, colors) = (Int32(0), Int32(0), Int32(0))
        let status = sixel_decode_raw(&stream, Int32(stream.count), &indices, &width, &height, &palette, &colors, nil)
        guard csixel_failed(status) == 0, let indices, let palette else { throw Failure() }
        defer {
            free(indices)
            free(palette)
        }
        let size = PixelSize(width: Int(width), height: Int(height))
        return PixelBuffer(size: size) { bytes in
            for pixel in 0..<size.area {
                for channel in 0..<3 { bytes[pixel * 4 + channel] = palette[Int(indices[pixel]) * 3 + channel] }
                bytes[pixel * 4 + 3] = 255
            }
        }
    }
}

/// How alike two pictures look from where dots run together.
private enum Likeness {
    /// The ratio of the peak signal to the noise after a Gaussian of σ = 1.5 pixels on both, in decibels; 0 if the other
    /// picture is smaller.
    static func decibels(_ one: PixelBuffer, _ other: PixelBuffer) throws -> Double {
        let view =
            CroppingImageProcessor(size: one.size, anchor: .init(x: 0, y: 0)) |> BlurImageProcessor(blurRadius: 1.5)
        func seen(_ pixels: PixelBuffer) throws -> PixelBuffer {
            try view.process(
                Image(pixels: pixels, originalSize: pixels.size, format: .png, frameCount: 1, byteCount: 0)
            ).pixels
        }
        return PictureDifference(try seen(one), try seen(other))?.psnr ?? 0
    }
}
