import CVips
import Foundation
import Raster

/// An owned libvips image; the raw pointer is used only within `Decode/` and `Process/`.
struct VipsHandle: ~Copyable {
    typealias Pointer = OpaquePointer

    private let pointer: Pointer

    deinit { alcedo_vips_unref(UnsafeMutableRawPointer(pointer)) }

    /// Creates an image by a libvips call.
    ///
    /// - Throws: The message of libvips when the call fails.
    init(_ make: (UnsafeMutablePointer<Pointer?>) -> Int32) throws(VipsFailure) {
        guard Vips.isStarted else { throw VipsFailure.notLoaded }
        var made: Pointer?
        guard make(&made) == 0, let made else { throw VipsFailure.consumeLast() }
        pointer = made
    }

    /// Creates an image from this one by a libvips call.
    borrowing func applying(
        _ operation: (Pointer, UnsafeMutablePointer<Pointer?>) -> Int32
    ) throws(VipsFailure) -> VipsHandle {
        try VipsHandle { operation(pointer, $0) }
    }

    var width: Int { Int(alcedo_vips_width(pointer)) }
    var height: Int { Int(alcedo_vips_height(pointer)) }
    var bands: Int { Int(alcedo_vips_bands(pointer)) }
    var frames: Int { max(1, Int(alcedo_vips_pages(pointer))) }

    /// The delay of each frame in milliseconds, as the file states it; empty for a still picture.
    var delays: [Int] {
        var delays: UnsafeMutablePointer<Int32>?
        var count: Int32 = 0
        guard alcedo_vips_delays(pointer, &delays, &count) == 0, let delays else { return [] }
        return UnsafeBufferPointer(start: delays, count: Int(count)).map(Int.init)
    }

    /// The number of times that the file asks to be played; nil for endless.
    var loopCount: Int? {
        var count: Int32 = 0
        guard alcedo_vips_loop(pointer, &count) == 0 else { return nil }
        return count > 0 ? Int(count) : nil
    }

    var isSRGB: Bool { alcedo_vips_is_srgb(pointer) != 0 }
    var isEightBit: Bool { alcedo_vips_is_eight_bit(pointer) != 0 }

    var hasProfile: Bool { alcedo_vips_has_profile(pointer) != 0 }
    /// Whether there is a colour profile and it is other than sRGB.
    var hasForeignProfile: Bool {
        var profile: UnsafeRawPointer?
        var count = 0
        guard alcedo_vips_profile(pointer, &profile, &count) == 0 else { return false }
        return !ColorProfileCheck.isSRGB(UnsafeRawBufferPointer(start: profile, count: count))
    }
    /// The colours of the file; nil for those that are none of grey, RGB, CMYK and Lab.
    var color: ColorFacts? {
        var bits: Int32 = 0
        let model: ColorFacts.Model? =
            switch alcedo_vips_color(pointer, &bits) {
            case 1: .grey
            case 3: .rgb
            case 4: .cmyk
            case 5: .lab
            default: nil
            }
        var profile: UnsafeRawPointer?
        var count = 0
        let hasProfile = alcedo_vips_profile(pointer, &profile, &count) == 0
        let name = hasProfile ? ICCProfile(UnsafeRawBufferPointer(start: profile, count: count)).name : nil
        return model.map { ColorFacts($0, bits: Int(bits), profile: name) }
    }
    var isUpright: Bool { alcedo_vips_orientation(pointer) == 1 }
    var storedSize: PixelSize { PixelSize(width: width, height: height) }

    /// The size after EXIF orientation is applied.
    var uprightSize: PixelSize {
        alcedo_vips_is_lying(pointer) == 0
            ? storedSize : PixelSize(width: height, height: width)
    }

    /// Evaluates the image into a pixel buffer.
    ///
    /// The image must have four bands of eight bits.
    ///
    /// - Throws: `VipsFailure` when evaluation fails or the image has another number of bytes.
    borrowing func pixels() throws(VipsFailure) -> PixelBuffer {
        var count = 0
        guard let memory = alcedo_vips_to_memory(pointer, &count) else { throw VipsFailure.consumeLast() }
        defer { alcedo_vips_free(memory) }
        let size = PixelSize(width: width, height: height)
        guard count == size.area * 4 else { throw VipsFailure(message: "\(count) bytes for \(size) pixels") }
        return PixelBuffer(size: size) {
            UnsafeMutableRawBufferPointer($0).copyMemory(from: UnsafeRawBufferPointer(start: memory, count: count))
        }
    }

    /// Evaluates the rows of an image of four bands of eight bits, from the top until one fails; the others are
    /// transparent.
    ///
    /// - Throws: `VipsFailure` when no row can be evaluated.
    borrowing func rows() throws(VipsFailure) -> PixelBuffer {
        var count: Int32 = 0
        let pixels = PixelBuffer(size: storedSize) { bytes in
            bytes.update(repeating: 0)
            count = alcedo_vips_rows(pointer, bytes.baseAddress)
        }
        guard count > 0 else { throw VipsFailure.consumeLast() }
        alcedo_vips_clear_error()
        return pixels
    }

    /// Calls `body` with the pointer, for calls that read or write whole files.
    borrowing func withPointer<Result>(_ body: (Pointer) -> Result) -> Result { body(pointer) }
}

/// The error message of a failed libvips call.
struct VipsFailure: Error {
    /// The message; nil when libvips gave none.
    let message: String?
    /// Whether libvips has no such loader on this machine.
    var isMissing = false

    static let notLoaded = VipsFailure(message: "libvips cannot be loaded (Debian package libvips42)")

    /// Returns the libvips message and clears it.
    ///
    /// All threads share the message buffer: it may hold lines of another thread, or be empty.
    static func consumeLast() -> VipsFailure {
        guard let text = alcedo_vips_take_error() else { return VipsFailure(message: nil) }
        defer { alcedo_vips_free(text) }
        let lines = String(cString: text).split(separator: "\n").map(withoutOrigin)
            .filter { !$0.contains("unknown JFIF revision") && !$0.hasPrefix("bad seek to") }
        // "Corrupt JPEG data" is only a warning; the error that stopped the decoder follows it.
        let line = lines.first { !$0.hasPrefix("Corrupt JPEG data") } ?? lines.first
        return VipsFailure(message: line.map { String($0) })
    }

    /// Removes the prefix that names a component of libvips, such as `VipsJpeg: `.
    private static func withoutOrigin(_ line: Substring) -> Substring {
        guard let colon = line.firstRange(of: ": "), !line[..<colon.lowerBound].contains(" ") else { return line }
        let rest = line[colon.upperBound...]
        return rest.isEmpty ? line : rest
    }
}

/// The libvips library.
enum Vips {
    /// Whether libvips is loaded and started; the first access starts it, which takes 20 to 40 ms.
    static let isStarted = alcedo_vips_start() == 0
}
