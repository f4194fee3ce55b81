import CFrames
import Foundation
import Raster

/// A reader of the frames of AVIF sequences and animated JPEG XL, of the poster of a video, and of the JPEG and DDS files
/// that only FFmpeg reads.
///
/// libavif, libjxl and FFmpeg's libraries decode them; each is loaded when the first such file is opened.
final class LibraryFrameReader: FrameReading {
    /// The size of a frame, upright.
    let size: PixelSize
    let frameCount: Int
    /// The number of times to play; 0 for endless.
    let loopCount: Int
    /// Whether the file ends before its last frame.
    let isCut: Bool
    private let format: ImageFormat
    private let frames: OpaquePointer
    private let stored: PixelSize
    private let orientation: Orientation
    private let colors: ColorConversion?
    /// The size to scale frames to.
    private let target: PixelSize
    /// Keeps the bytes at the address that the library reads.
    private let file: NSData

    /// Opens a file.
    ///
    /// - Parameter target: The size to scale frames down to; nil keeps their size.
    /// - Throws: `.processor(.decoderUnavailable)` if the library is not installed, `.processor(.limitExceeded)`,
    ///   `.processor(.decodingFailed)` if the file is damaged or has no picture.
    init(_ data: Data, format: ImageFormat, target: PixelSize? = nil, limits: DecodeLimits) throws(CodecError) {
        InProcessDecoding.check()
        var (info, reason) = (alcedo_frames_info(), Int32(0))
        file = data as NSData
        let pixels = Int64(clamping: limits.pixels)
        guard let kind = format.frameKind,
            let frames = alcedo_frames_open(kind, file.bytes, file.length, pixels, &info, &reason)
        else { throw Self.error(reason, format) }
        self.format = format
        self.frames = frames
        let stated = Orientation(rawValue: UInt16(clamping: info.orientation)) ?? .upright
        orientation = format == .jpeg ? data.withUnsafeBytes { JPEGSegments($0).orientation } : stated
        stored = PixelSize(width: Int(info.width), height: Int(info.height))
        size = orientation.upright(stored)
        (frameCount, loopCount) = (Int(info.count), Int(info.plays))
        isCut = info.is_cut != 0
        colors = ColorConversion(primaries: info.primaries, transfer: info.transfer)
        self.target = target ?? size
        guard !stored.isEmpty, frameCount > 0 else { throw Self.error(Int32(alcedo_frames_damaged), format) }
        try limits.check(size: size, frames: frameCount)
    }

    deinit { alcedo_frames_close(frames) }

    /// The time for which each frame is shown.
    var delays: [Duration] {
        (0..<frameCount).map { .milliseconds(Int(max(0, alcedo_frames_delay(frames, Int32($0))))) }
    }

    func frame(at index: Int) throws(CodecError) -> PixelBuffer {
        var failure: Int32 = 0
        let pixels = PixelBuffer(size: stored) { bytes in
            failure = alcedo_frames_read(frames, Int32(index), bytes.baseAddress)
            if failure == 0 { colors?.convert(UnsafeMutableRawBufferPointer(bytes)) }
        }
        guard failure == 0 else { throw Self.error(failure, format) }
        return orientation.upright(pixels).scaledDown(to: target)
    }

    private static func error(_ reason: Int32, _ format: ImageFormat) -> CodecError {
        switch reason {
        case Int32(alcedo_frames_missing_library):
            .processor(.decoderUnavailable("\(format.rawValue) needs \(format.framePackage) (Debian packages)"))
        case Int32(alcedo_frames_no_picture):
            .processor(.decodingFailed(format: format.rawValue, "it contains no picture"))
        default:
            format == .dds
                ? .processor(.decoderUnavailable("DDS of this compression, such as BC7, is not read"))
                : .processor(.decodingFailed(format: format.rawValue, "its frames cannot be decoded"))
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
        case .video, .jpeg, .dds: Int32(alcedo_frames_video)
        default: nil
        }
    }

    /// The Debian packages of the library that reads frames.
    fileprivate var framePackage: String {
        switch self {
        case .avif: "libavif15"
        case .jpegXL: "libjxl0.7"
        default: "libavformat59 and libswscale6"
        }
    }
}
