import AlcedoCFrames
import AlcedoCVips
import FoundationEssentials
import Raster

/// A decoder of an animation's frames, each drawn on the whole canvas.
///
/// Frames depend on earlier frames: reading the next frame is cheap, reading an earlier one restarts at the first.
package protocol FrameReading {
    /// Returns a frame, upright and in sRGB; `index` must lie within the animation.
    mutating func frame(at index: Int) throws(CodecError) -> PixelBuffer
}

/// A reader of frames that are already decoded.
struct PreloadedFrameReader: FrameReading {
    let frames: [PixelBuffer]

    func frame(at index: Int) throws(CodecError) -> PixelBuffer { frames[index] }
}

extension Animation {
    /// Creates a reader of the frames, by the format of the file.
    ///
    /// - Parameters:
    ///   - box: The box that frames are scaled down to fit; nil or an empty box keeps their size.
    ///   - limits: The limits that the animation must keep to.
    package func frameReader(within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> any FrameReading {
        let target = canvasSize.fitted(into: box)
        if frames.count == frameCount, frames.allSatisfy({ $0.size == target }) {
            return PreloadedFrameReader(frames: frames)
        }
        if let frameSource { return try frameSource.open(self, box, target, limits) }
        switch format {
        case .gif: return try GIFFrameReader(file, size: target, limits: limits)
        case .png: return try APNGFrameReader(file, size: target, limits: limits)
        case .webP: return try WebPFrameReader(self, size: target)
        case let format?: return try LibraryFrameReader(file, format: format, target: target, limits: limits)
        case nil: throw .damaged("animation", "it has no animation")
        }
    }
}

/// A reader of a WebP's frames from one open file, in which libvips stacks all frames vertically.
///
/// Opening a single page k would decode all pages before k each time.
final class WebPFrameReader: FrameReading {
    /// Keeps the bytes at the address that libvips reads.
    private let file: HeldBytes
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
        file = HeldBytes(animation.file)
        self.size = size
        do { strip = try Self.open(file) } catch { throw Self.damaged(file, 0, error) }
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

    private static func open(_ file: HeldBytes) throws(VipsFailure) -> VipsHandle {
        InProcessDecoding.check()
        return try VipsHandle(
            file.bytes, "webpload_buffer",
            options: "n=-1,fail_on=error,access=sequential")
    }

    private static func damaged(_ file: HeldBytes, _ index: Int, _ failure: VipsFailure) -> CodecError {
        if failure.isMissing { return failure.missing(for: .webP) }
        let reason = DamageReport.reason(for: failure.message, in: file.data, of: .webP)
        return .damaged(.webP, "frame \(index + 1): \(reason)")
    }
}

/// A reader of the frames of AVIF and animated JPEG XL, of the poster of a video, of the JPEG, JPEG 2000, DDS and BMP
/// files that only FFmpeg reads, of the TIFF files that only libtiff reads, and of the sensor's samples in raw files.
///
/// libavif, libjxl, FFmpeg's libraries, libtiff and LibRaw decode them; each is loaded when a file first needs it.
final class LibraryFrameReader: FrameReading {
    /// The size of a frame, upright.
    let size: PixelSize
    let frameCount: Int
    /// The number of pages of a TIFF file; 1 for other files.
    let pageCount: Int
    /// The number of times to play; 0 for endless.
    let loopCount: Int
    /// Whether the file ends before its last frame.
    let isCut: Bool
    /// Whether a JPEG XL file has channels beside colours and alpha: inks, or others that are not shown.
    let hasExtraChannels: Bool
    /// The colours of an AVIF file; nil for other files.
    let color: ColorFacts?
    /// Whether LibRaw develops the picture.
    let isRaw: Bool
    private let format: ImageFormat
    private let frames: OpaquePointer
    private let stored: PixelSize
    private let orientation: Orientation
    private let colors: ColorConversion?
    /// The size to scale frames to.
    private let target: PixelSize
    /// Keeps the bytes at the address that the library reads.
    private let file: HeldBytes

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - isRaw: Whether it is a camera's raw file, which LibRaw develops.
    ///   - target: The size to scale frames down to; nil keeps their size.
    /// - Throws: `.processor(.environment)` if the library is not installed, `.processor(.limitExceeded)`,
    ///   `.processor(.decodingFailed)` if the file is damaged or has no picture.
    init(
        _ data: Data, format: ImageFormat, isRaw: Bool = false, target: PixelSize? = nil, limits: DecodeLimits
    ) throws(CodecError) {
        InProcessDecoding.check()
        var (info, reason) = (alcedo_frames_info(), Int32(0))
        file = HeldBytes(data)
        info.page = Int32(clamping: limits.page - 1)
        let pixels = Int64(clamping: limits.pixels)
        let kind = isRaw ? Int32(alcedo_frames_raw) : format.frameKind
        guard let kind,
            let frames = alcedo_frames_open(kind, file.bytes.baseAddress, file.bytes.count, pixels, &info, &reason)
        else {
            let isBeyond = info.pages > 0 && limits.page > Int(info.pages)
            throw isBeyond
                ? StillDecoder.missingPage(limits.page, of: Int(info.pages), format) : Self.error(reason, format, isRaw)
        }
        self.format = format
        self.isRaw = isRaw
        pageCount = Int(max(1, info.pages))
        self.frames = frames
        let stated = Orientation(rawValue: UInt16(clamping: info.orientation)) ?? .upright
        orientation = format == .jpeg ? data.withUnsafeBytes { JPEGSegments($0).orientation } : stated
        stored = PixelSize(width: Int(info.width), height: Int(info.height))
        size = orientation.upright(stored)
        (frameCount, loopCount) = (Int(info.count), Int(info.plays))
        (isCut, hasExtraChannels) = (info.is_cut != 0, info.extra_channels > 0)
        colors = ColorConversion(primaries: info.primaries, transfer: info.transfer)
        let space = ColorConversion.name(primaries: Int(info.primaries), transfer: Int(info.transfer))
        let (bits, profile) = (Int(info.bits), colors == nil ? nil : space)
        color = bits > 0 ? ColorFacts(info.is_grey != 0 ? .grey : .rgb, bits: bits, profile: profile) : nil
        self.target = target ?? size
        guard !stored.isEmpty, frameCount > 0 else { throw Self.error(Int32(alcedo_frames_damaged), format, isRaw) }
        try limits.check(size: size, frames: frameCount)
    }

    deinit { alcedo_frames_close(frames) }

    /// The file.
    var data: Data { file.data }

    /// The time for which each frame is shown.
    var delays: [Duration] {
        (0..<frameCount).map { .milliseconds(Int(max(0, alcedo_frames_delay(frames, Int32($0))))) }
    }

    /// The damage of the last frame; nil for an animation of more than 4 megapixels in all.
    ///
    /// libjxl finds the end of a frame's pixels only by decoding them and the frames before, which takes up to a second
    /// for 4 megapixels.
    var damageOfLastFrame: PictureDamage? {
        guard stored.area <= (4 << 20) / frameCount else { return nil }
        do throws(CodecError) {
            _ = try frame(at: frameCount - 1)
            return nil
        } catch {
            guard case .processor(.decodingFailed(_, let reason)) = error else { return nil }
            return PictureDamage(reason: reason)
        }
    }

    func frame(at index: Int) throws(CodecError) -> PixelBuffer {
        var failure: Int32 = 0
        let pixels = PixelBuffer(size: stored) { bytes in
            failure = alcedo_frames_read(frames, Int32(index), bytes.baseAddress)
            if failure == 0 { colors?.convert(UnsafeMutableRawBufferPointer(bytes)) }
        }
        guard failure == 0 else { throw Self.error(failure, format, isRaw) }
        let shown = hasExtraChannels ? try managed(pixels) : pixels
        return orientation.upright(shown).resampled(to: target)
    }

    /// Returns the pixels of a JPEG XL file with extra channels in sRGB, by its profile and its black ink.
    private func managed(_ pixels: PixelBuffer) throws(CodecError) -> PixelBuffer {
        var count = 0
        let (profile, black) = (alcedo_jxl_profile(frames, &count), alcedo_jxl_black(frames))
        return try VipsOperations.withImage(format.rawValue, of: pixels) { (image) throws(VipsFailure) in
            let tagged = try image.applying { alcedo_vips_in_profile($0, black, profile, count, $1) }
            return try tagged.inRGBA(usesProfile: tagged.hasForeignProfile).pixels()
        }
    }

    private static func error(_ reason: Int32, _ format: ImageFormat, _ isRaw: Bool) -> CodecError {
        switch reason {
        case Int32(alcedo_frames_missing_library) where isRaw:
            .processor(.environment("a camera's raw file without a preview needs libraw20 (Debian package)"))
        case Int32(alcedo_frames_missing_library):
            .processor(.environment("\(format.rawValue) needs \(format.framePackage) (Debian packages)"))
        case Int32(alcedo_frames_no_picture):
            .damaged(format, "it contains no picture")
        case Int32(alcedo_frames_unsupported):
            .processor(.decoderUnavailable("\(format.rawValue) of this kind is not read"))
        case Int32(alcedo_frames_no_memory): .processor(.limitExceeded("its decoder lacks memory"))
        case Int32(alcedo_frames_cut): .damaged(format, isRaw ? "it is cut off" : "the file ends in a frame")
        default:
            .damaged(
                format,
                [.dds, .bmp, .tiff, .avif].contains(format) ? "its pixels are damaged" : "its frames cannot be decoded")
        }
    }
}

extension ImageFormat {
    /// Whether frames of the format can be read on this machine.
    var canReadFrames: Bool { frameKind.map { alcedo_frames_available($0) != 0 } ?? false }

    fileprivate var frameKind: Int32? {
        switch self {
        case .avif: Int32(alcedo_frames_avif)
        case .jpegXL: Int32(alcedo_frames_jxl)
        case .tiff: Int32(alcedo_frames_tiff)
        case .video, .jpeg, .dds, .jpeg2000, .bmp, .heic: Int32(alcedo_frames_video)
        default: nil
        }
    }

    /// The Debian packages of the library that reads frames.
    fileprivate var framePackage: String {
        switch self {
        case .avif: "libavif15"
        case .jpegXL: "libjxl0.7"
        case .tiff: "libtiff6"
        default: "libavformat59 and libswscale6"
        }
    }
}
