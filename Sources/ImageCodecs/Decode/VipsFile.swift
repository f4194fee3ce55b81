import AlcedoCVips
import FoundationEssentials
import Raster

/// The file of a still picture, read by the libvips loader of its format.
struct VipsFile {
    let data: Data
    private let format: ImageFormat

    init(_ data: Data, format: ImageFormat) { (self.data, self.format) = (data, format) }

    /// Calls a closure with a loader that is valid during the call.
    ///
    /// - Parameters:
    ///   - isWhole: False to decode a damaged file as far as possible.
    ///   - body: The closure.
    /// - Throws: `.processor(.decodingFailed)` with the reason, `.processor(.environment)` without libvips.
    func read<Result: Sendable>(
        isWhole: Bool = true, _ body: (VipsLoader) throws(VipsFailure) -> Result
    ) throws(CodecError) -> Result {
        InProcessDecoding.check()
        do throws(VipsFailure) {
            return try data.withBytes { (bytes) throws(VipsFailure) in
                try body(VipsLoader(bytes: bytes, format: format, isWhole: isWhole))
            }
        } catch {
            throw error.error(for: data, format)
        }
    }
}

/// The libvips loader of one format, over bytes that outlive it.
struct VipsLoader {
    let bytes: UnsafeRawBufferPointer
    let format: ImageFormat
    let isWhole: Bool

    /// Opens the picture; JPEG and WebP are scaled while decoding, never below the requested size.
    ///
    /// - Parameter shrink: The factor by which the sides may be divided.
    func load(scaledBy shrink: Double) throws(VipsFailure) -> VipsHandle {
        let (loader, options) =
            switch format {
            case .jpeg: ("jpegload_buffer", "shrink=\(jpegShrink(shrink)),fail_on=\(isWhole ? "warning" : "none")")
            case .png: ("pngload_buffer", "fail_on=\(isWhole ? "error" : "none")")
            default: ("webpload_buffer", "scale=\(1 / max(1, shrink)),fail_on=error")
            }
        return try VipsHandle(bytes, loader, options: options + ",access=sequential")
    }

    /// Decodes the picture and scales it down to fit a box.
    ///
    /// - Parameters:
    ///   - size: The upright size of the picture.
    ///   - box: The box to fit; nil or an empty box keeps the size.
    func picture(of size: PixelSize, within box: PixelSize?) throws(VipsFailure) -> PixelBuffer {
        let target = size.fitted(into: box)
        let shrink = min(
            Double(size.width) / Double(max(1, target.width)), Double(size.height) / Double(max(1, target.height)))
        return try load(scaledBy: shrink).picture(upright: target)
    }

    /// Returns the largest divisor that libjpeg supports (1, 2, 4 or 8) up to `shrink`.
    private func jpegShrink(_ shrink: Double) -> Int {
        [8, 4, 2].first { Double($0) <= shrink } ?? 1
    }
}

extension VipsHandle {
    /// Evaluates the picture in exactly the size `target`, upright, in sRGB, with four bands of eight bits.
    consuming func picture(upright target: PixelSize) throws(VipsFailure) -> PixelBuffer {
        try resized(toUpright: target).inRGBA().applying(alcedo_vips_upright).pixels()
    }

    consuming func resized(toUpright target: PixelSize) throws(VipsFailure) -> VipsHandle {
        if uprightSize == target { return self }
        let isTurned = uprightSize != storedSize
        let width = Int32(isTurned ? target.height : target.width)
        let height = Int32(isTurned ? target.width : target.height)
        return try applying { alcedo_vips_resize($0, $1, width, height) }
    }

    /// Converts to sRGB with four bands of eight bits.
    ///
    /// - Parameters:
    ///   - isFile: False for the result of operations, whose floating-point samples are not linear light.
    ///   - isPremultiplied: Whether colours are multiplied by alpha.
    ///   - usesProfile: Whether an embedded colour profile applies; an invalid one is ignored.
    ///   - hasOrientation: Whether the EXIF orientation is kept.
    borrowing func inRGBA(
        isFile: Bool = true, isPremultiplied: Bool = false, usesProfile: Bool = true, hasOrientation: Bool = true
    ) throws(VipsFailure) -> VipsHandle {
        try applying {
            alcedo_vips_to_rgba(
                $0, isFile ? 1 : 0, isPremultiplied ? 1 : 0, usesProfile ? 1 : 0, hasOrientation ? 1 : 0, $1)
        }
    }
}

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

    /// Opens a picture, which the bytes must outlive, with a loader and its options.
    init(
        _ bytes: UnsafeRawBufferPointer, _ loader: String, needsFile: Bool = false, options: String
    ) throws(VipsFailure) {
        try self.init {
            alcedo_vips_load(bytes.baseAddress, bytes.count, loader, needsFile ? 1 : 0, options, $0)
        }
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

    /// The number of plays that the file states; nil for endless.
    var loopCount: Int? {
        var count: Int32 = 0
        guard alcedo_vips_loop(pointer, &count) == 0 else { return nil }
        return count > 0 ? Int(count) : nil
    }

    /// Whether there is a colour profile and it is other than sRGB.
    var hasForeignProfile: Bool {
        var profile: UnsafeRawPointer?
        var count = 0
        guard alcedo_vips_profile(pointer, &profile, &count) == 0 else { return false }
        return !ICCProfile(UnsafeRawBufferPointer(start: profile, count: count)).isSRGB
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
    var storedSize: PixelSize { PixelSize(width: width, height: height) }

    /// The size after EXIF orientation is applied.
    var uprightSize: PixelSize {
        alcedo_vips_is_lying(pointer) == 0
            ? storedSize : PixelSize(width: height, height: width)
    }

    /// Evaluates the image, which must have four bands of eight bits.
    ///
    /// - Parameter isWhole: False if the rows from the top to the first that fails are enough; the others are
    ///   transparent.
    /// - Throws: `VipsFailure` when evaluation fails, or not even one row can be evaluated.
    borrowing func pixels(isWhole: Bool = true) throws(VipsFailure) -> PixelBuffer {
        var status: Int32 = -1
        let pixels = PixelBuffer(size: storedSize) { bytes in
            if !isWhole { bytes.update(repeating: 0) }
            status = alcedo_vips_rows(pointer, isWhole ? 1 : 0, bytes.baseAddress)
        }
        guard status == 0 else { throw VipsFailure.consumeLast() }
        return pixels
    }

    /// Calls `body` with the pointer, for calls that read or write whole files.
    borrowing func withPointer<Result>(_ body: (Pointer) -> Result) -> Result { body(pointer) }
}

/// The error message of a failed libvips call.
struct VipsFailure: Error {
    /// The message; nil when libvips gave none.
    let message: String?
    /// Whether this machine lacks libvips, or its loader of the format.
    var isMissing = false

    static let notLoaded = VipsFailure(message: "libvips cannot be loaded", isMissing: true)

    /// Returns the error for a file that cannot be decoded.
    func error(for data: Data, _ format: ImageFormat) -> CodecError {
        isMissing ? missing(for: format) : .refused(format, DamageReport.reason(for: message, in: data, of: format))
    }

    /// Returns the error for a file whose format needs a library or module that is missing.
    func missing(for format: ImageFormat) -> CodecError {
        let part = message == nil ? "a module of libvips" : "libvips"
        return .processor(.environment("\(format.rawValue) needs \(part) (Debian package libvips42)"))
    }

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
        return VipsFailure(message: line.map(withoutPlaces))
    }

    /// Removes the file name that OpenEXR adds, and the words that libvips and ImageMagick put around a message.
    private static func withoutPlaces(_ line: Substring) -> String {
        String(
            line.trimmingPrefix("libMagick error: ").replacing(/\ "\/proc\/self\/fd\/[0-9]+"/, with: "").replacing(
                /(\ `[^']*')?\ @\ [a-z]+\/.*/, with: ""))
    }

    /// Removes the prefix that names a component of libvips, such as `VipsJpeg: `.
    private static func withoutOrigin(_ line: Substring) -> Substring {
        guard let colon = line.firstRange(of: ": "), !line[..<colon.lowerBound].contains(" ") else { return line }
        let rest = line[colon.upperBound...]
        return rest.isEmpty ? line : rest
    }
}

/// The libvips library.
package enum Vips {
    /// Whether libvips is loaded and started; the first access starts it, which takes 20 to 40 ms.
    package static let isStarted = alcedo_vips_start() == 0

    /// Sets the file in memory that has the bytes of the next pictures, for loaders that open a path; -1 for none.
    package static func setFile(_ descriptor: Int32) { alcedo_vips_set_file(descriptor) }
}

/// Settings of the process's allocator for blocks as large as pictures.
package enum PictureMemory {
    /// Makes the allocator return freed blocks of 256 KiB and more to the system.
    ///
    /// Call it once at start; it applies to the whole process. By default glibc raises this threshold with each large
    /// block that is freed, up to 32 MiB, and keeps smaller blocks in fragmented heaps. 200 previews of 1000 × 700
    /// pixels took 404 MiB with the default and 354 MiB with this setting, 254 MiB of them in the memory cache. A
    /// process that keeps no pictures becomes slower: the system maps each new block page by page.
    package static func returnEarly() {
        alcedo_map_blocks_from(256 << 10)
    }
}
