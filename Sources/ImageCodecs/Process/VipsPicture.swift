import CVips
import Raster

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
                    alcedo_vips_from_bytes($0.baseAddress, $0.count, Int32(size.width), Int32(size.height), out)
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
            try handle.applying(handle.bands < 3 ? alcedo_vips_mark_grey : alcedo_vips_copy).eightBitRGBA()
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
