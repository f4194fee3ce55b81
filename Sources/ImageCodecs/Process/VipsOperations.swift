import CVips
import Foundation
import Raster

/// The operations on pixel buffers that libvips performs.
enum VipsOperations {
    static func resize(_ pixels: PixelBuffer, to size: PixelSize) throws(CodecError) -> PixelBuffer {
        try apply("resize", to: pixels) { (image) throws(VipsFailure) in
            try image.applying { alcedo_vips_resize($0, $1, Int32(size.width), Int32(size.height)) }
        }
    }

    /// Encodes the picture as a PNG file.
    static func png(_ pixels: PixelBuffer) throws(CodecError) -> Data {
        try file(of: pixels, format: .png) { alcedo_vips_save_png($0, $1, $2) }
    }

    /// A call that writes a file into memory allocated by libvips.
    typealias Save = (VipsHandle.Pointer, UnsafeMutablePointer<UnsafeMutableRawPointer?>, UnsafeMutablePointer<Int>) ->
        Int32

    /// Encodes the picture as a file by calling `save`.
    static func file(
        of pixels: PixelBuffer, format: ImageFormat, _ save: Save
    ) throws(CodecError) -> Data {
        try withImage(format.rawValue, of: pixels) { (image) throws(VipsFailure) in
            var bytes: UnsafeMutableRawPointer?
            var count = 0
            let status = image.withPointer { save($0, &bytes, &count) }
            guard status == 0, let bytes else { throw VipsFailure.consumeLast() }
            defer { alcedo_vips_free(bytes) }
            return Data(bytes: bytes, count: count)
        }
    }

    private static func apply(
        _ name: String, to pixels: PixelBuffer,
        _ operation: (borrowing VipsHandle) throws(VipsFailure) -> VipsHandle
    ) throws(CodecError) -> PixelBuffer {
        try withImage(name, of: pixels) { (image) throws(VipsFailure) in try operation(image).eightBitRGBA() }
    }

    private static func withImage<Output>(
        _ name: String, of pixels: PixelBuffer, _ body: (borrowing VipsHandle) throws(VipsFailure) -> Output
    ) throws(CodecError) -> Output {
        do throws(VipsFailure) {
            return try pixels.bytes.withBytes { (bytes) throws(VipsFailure) in
                let memory = try VipsHandle {
                    $0.pointee = alcedo_vips_over_bytes(
                        bytes.baseAddress, bytes.count, Int32(pixels.size.width), Int32(pixels.size.height))
                    return $0.pointee == nil ? -1 : 0
                }
                return try body(try memory.applying(alcedo_vips_mark_srgb))
            }
        } catch {
            throw .processor(.processingFailed(identifier: name, error.message ?? "libvips gave no reason"))
        }
    }
}
