import CVips
import Raster

/// A picture within libvips, handed to the closure of a `VipsImageProcessor`.
///
/// It is evaluated as late as possible, so that operations one after the other make one pass over the pixels. It owns
/// its pixels, its pointer cannot be had, and operations are called by name with checked arguments: libvips' own type
/// would let a closure keep a pointer to freed memory, and would make every user of this library link its headers.
public final class VipsPicture {
    private let handle: VipsHandle
    private let identifier: String

    private init(_ handle: consuming VipsHandle, identifier: String) {
        self.handle = handle
        self.identifier = identifier
    }

    /// Copies the pixels, as libvips reads them when the buffer may be gone.
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

    /// In pixels.
    public var size: PixelSize { handle.storedSize }

    /// The result of one of libvips' operations by its name, such as `sharpen`, with arguments as libvips' command line
    /// takes them: `["sigma": "2"]`.
    ///
    /// The operation must make a picture from a picture (`in` to `out`); those that read or write files are refused.
    /// Throws `CodecError.processor(.processingFailed)` with libvips' own words.
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

    /// Evaluates it.
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
