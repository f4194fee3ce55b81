import AlcedoCVips
import FoundationEssentials
import Raster

/// A processor that runs libvips operations that this module has no processor for.
///
/// `VipsImageProcessor(identifier: "sharpen 2") { try $0.applying("sharpen", ["sigma": "2"]) }`
///
/// The closure receives an sRGB picture with straight alpha and eight bits per channel; its result is converted back to
/// that. The libvips documentation describes the operations.
public struct VipsImageProcessor: ImageProcessor {
    public let identifier: String
    private let filter: @Sendable (VipsPicture) throws -> VipsPicture

    /// Creates a processor; the identifier must be unique to the filter and contain all its parameters.
    public init(identifier: String, filter: @escaping @Sendable (VipsPicture) throws -> VipsPicture) {
        (self.identifier, self.filter) = (identifier, filter)
    }

    public func process(_ image: Image) throws(CodecError) -> Image {
        let picture = try VipsPicture.holding(image.pixels, identifier: identifier)
        let result = try filtered(picture)
        try checkResult(result.size)
        return image.with(try result.pixels())
    }

    private func filtered(_ picture: VipsPicture) throws(CodecError) -> VipsPicture {
        do { return try filter(picture) } catch let error as CodecError { throw error } catch {
            throw .processor(.processingFailed(identifier: identifier, String(describing: error)))
        }
    }
}

/// A libvips picture, passed to the closure of a `VipsImageProcessor`.
///
/// It is evaluated lazily, so that consecutive operations make one pass over the pixels. It owns its pixels, does not
/// expose its pointer, and runs operations by name with checked arguments. With libvips' own type, a closure could keep
/// a pointer to freed memory, and every user of this library would have to link libvips' headers.
public final class VipsPicture {
    private let handle: VipsHandle
    private let identifier: String

    private init(_ handle: consuming VipsHandle, identifier: String) {
        self.handle = handle
        self.identifier = identifier
    }

    /// Creates a picture from a copy of the pixels, because libvips may read them after the buffer is gone.
    static func holding(_ pixels: PixelBuffer, identifier: String) throws(CodecError) -> VipsPicture {
        let size = pixels.size
        return try attempt(identifier) { () throws(VipsFailure) in
            let handle = try VipsHandle { out in
                pixels.bytes.withUnsafeBytes {
                    alcedo_vips_from_bytes($0.baseAddress, $0.count, Int32(size.width), Int32(size.height), 1, out)
                }
            }
            return VipsPicture(handle, identifier: identifier)
        }
    }

    /// The size in pixels.
    public var size: PixelSize { handle.storedSize }

    /// Returns the result of a libvips operation.
    ///
    /// The operation must map a picture to a picture (`in` to `out`); operations that read or write files are refused.
    ///
    /// - Parameters:
    ///   - operation: The name of the operation, such as `sharpen`.
    ///   - arguments: The arguments in the form of libvips' command line, such as `["sigma": "2"]`.
    /// - Throws: `CodecError.processor(.processingFailed)` with libvips' message.
    public func applying(
        _ operation: String, _ arguments: [String: String] = [:]
    ) throws(CodecError) -> VipsPicture {
        try Self.attempt(identifier) { () throws(VipsFailure) in
            let result = try handle.applying { input, out in
                guard let call = alcedo_vips_operation(operation, input) else { return -1 }
                for (name, value) in arguments where alcedo_vips_set(call, name, value) != 0 {
                    alcedo_vips_unref(UnsafeMutableRawPointer(call))
                    return -1
                }
                return alcedo_vips_run(call, out)
            }
            return VipsPicture(result, identifier: identifier)
        }
    }

    /// Evaluates the picture into sRGB pixels with straight alpha and eight bits per channel.
    func pixels() throws(CodecError) -> PixelBuffer {
        try Self.attempt(identifier) { () throws(VipsFailure) in
            try handle.inRGBA(isFile: false).pixels()
        }
    }

    private static func attempt<Result>(
        _ identifier: String, _ body: () throws(VipsFailure) -> Result
    ) throws(CodecError) -> Result {
        do { return try body() } catch {
            throw .processor(.processingFailed(identifier: identifier, error.message ?? "libvips gave no reason"))
        }
    }
}

/// The operations on pixel buffers that libvips performs.
package enum VipsOperations {
    /// Encodes the picture as a file.
    ///
    /// - Parameter suffix: The format and its options in the form of libvips' command line, such as `.jpg[strip,Q=85]`.
    package static func file(
        of pixels: PixelBuffer, format: ImageFormat, suffix: String, frames: FrameTiming? = nil
    ) throws(CodecError) -> Data {
        try withImage(format.rawValue, of: pixels) { (image) throws(VipsFailure) in
            if let frames {
                image.withPointer { image in
                    frames.delays.withUnsafeBufferPointer {
                        alcedo_vips_set_frames(
                            image, Int32(frames.height), $0.baseAddress, Int32($0.count), Int32(clamping: frames.plays))
                    }
                }
            }
            var bytes: UnsafeMutableRawPointer?
            var count = 0
            let status = image.withPointer { alcedo_vips_save($0, suffix, &bytes, &count) }
            guard status == 0, let bytes else { throw VipsFailure.consumeLast() }
            defer { alcedo_vips_free(bytes) }
            return Data(bytes: bytes, count: count)
        }
    }

    static func withImage<Output>(
        _ name: String, of pixels: PixelBuffer, _ body: (borrowing VipsHandle) throws(VipsFailure) -> Output
    ) throws(CodecError) -> Output {
        do throws(VipsFailure) {
            return try pixels.bytes.withBytes { (bytes) throws(VipsFailure) in
                let size = pixels.size
                return try body(
                    try VipsHandle {
                        alcedo_vips_from_bytes(
                            bytes.baseAddress, bytes.count, Int32(size.width), Int32(size.height), 0, $0)
                    })
            }
        } catch {
            throw .processor(.processingFailed(identifier: name, error.message ?? "libvips gave no reason"))
        }
    }
}
