import CVips
import Foundation
import Raster

/// A reader of a WebP's frames from one open file, in which libvips stacks all frames vertically.
///
/// Opening a single page k would decode all pages before k each time.
final class WebPFrameReader: FrameReading {
    private let file: Data
    private let size: PixelSize
    private var strip: VipsHandle
    /// The index of the first frame that has not been read.
    private var position = 0

    /// The largest height of a libvips picture in pixels (`VIPS_MAX_COORD`).
    private static let tallest = 10_000_000

    /// Opens a WebP whose frames are scaled to `size`.
    ///
    /// - Throws: `.processor(.limitExceeded)` if all frames together are taller than 10,000,000 pixels,
    ///   `.processor(.decodingFailed)` if libvips cannot open the file.
    init(_ animation: Animation, size: PixelSize) throws(CodecError) {
        let (height, overflow) = animation.canvasSize.height.multipliedReportingOverflow(by: animation.frameCount)
        guard !overflow, height <= Self.tallest else {
            let frames = "\(animation.canvasSize) pixels × \(animation.frameCount) frames"
            throw .processor(.limitExceeded("\(frames), together they may be \(Self.tallest) pixels tall"))
        }
        file = animation.file
        self.size = size
        do { strip = try Self.open(animation.file) } catch { throw Self.damaged(animation.file, 0, error) }
    }

    func frame(at index: Int) throws(CodecError) -> PixelBuffer {
        do throws(VipsFailure) {
            if index < position {
                position = 0
                strip = try Self.open(file)
            }
            position = index + 1
            return try strip.applying { alcedo_vips_frame($0, Int32(index), $1) }.picture(upright: size)
        } catch {
            throw Self.damaged(file, index, error)
        }
    }

    private static func open(_ file: Data) throws(VipsFailure) -> VipsHandle {
        InProcessDecoding.check()
        return try VipsHandle { out in
            file.withUnsafeBytes { alcedo_vips_load_webp_frames($0.baseAddress, $0.count, out) }
        }
    }

    private static func damaged(_ file: Data, _ index: Int, _ failure: VipsFailure) -> CodecError {
        let reason = DamageReport.reason(for: failure.message, in: file, of: .webP)
        return .processor(.decodingFailed(format: ImageFormat.webP.rawValue, "frame \(index + 1): \(reason)"))
    }
}
