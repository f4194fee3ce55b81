import AlcedoCVips
import Raster

/// The libvips loader of a format, with its module and its options.
struct VipsFormatLoader {
    let format: ImageFormat
    let name: String
    private let isTolerant: Bool
    /// The libvips module that contains the loader; nil for one that libvips contains itself.
    var module: String?
    /// Whether the loader opens files only.
    var needsFile = false
    var options: String
    /// Whether the picture can be drawn in any size, as vector graphics can.
    var isScalable = false
    /// Whether the EXIF orientation applies; other loaders rotate pictures themselves, or their formats have none.
    var hasOrientation = false
    /// Whether colours are multiplied by alpha.
    var isPremultiplied = false
    /// Whether samples that the file states as whole numbers are fractions of 16 bits.
    var hasHalves = false

    /// Creates the loader of a file; nil for formats that need none.
    ///
    /// - Parameters:
    ///   - isTolerant: Whether the loader returns the readable part of a damaged file, if it supports that.
    ///   - usesMagick: Whether ImageMagick reads a TIFF file; it knows more kinds than libvips itself.
    init?(_ format: ImageFormat, isTolerant: Bool = false, usesMagick: Bool = false) {
        self.format = format
        self.isTolerant = isTolerant
        // Only a sequential loader returns the rows before the damaged one.
        options = isTolerant ? "fail_on=none,access=sequential" : "fail_on=error"
        switch format {
        case .avif, .heic: (name, module) = ("heifload_buffer", "heif")
        case .jpegXL: (name, module) = ("jxlload_buffer", "jxl")
        case .tiff where !usesMagick: (name, hasOrientation) = ("tiffload_buffer", true)
        case .jpeg2000: name = "jp2kload_buffer"
        case .radianceHDR: name = "radload_buffer"
        case .openEXR: (name, needsFile, isPremultiplied) = ("openexrload", true, true)
        case .svg: (name, isScalable) = ("svgload_buffer", true)
        case .pdf:
            (name, module, isScalable) = ("pdfload_buffer", "poppler", true)
            options += ",background=255"
        case .tga, .tiff: (name, module, hasOrientation) = ("magickload_buffer", "magick", true)
        case .bmp, .ico, .psd, .pcx, .dds, .xpm, .xbm:
            (name, module) = ("magickload_buffer", "magick")
        case .jpeg, .png, .gif, .webP, .qoi, .icns, .pnm, .video: return nil
        }
    }

    /// Opens a picture, which the bytes must outlive.
    ///
    /// - Parameter scale: The factor to draw a scalable picture with.
    func open(_ bytes: UnsafeRawBufferPointer, scale: Double = 1) throws(VipsFailure) -> VipsHandle {
        guard Vips.isStarted else { throw VipsFailure.notLoaded }
        guard alcedo_vips_allow(name, module) == 0 else {
            throw VipsFailure(message: nil, isMissing: true)
        }
        let scale = format == .svg ? scale * Self.cssScale(bytes) : scale
        // libvips takes no other values; a drawing that is still too large is scaled down.
        let all = isScalable && scale != 1 ? "\(options),scale=\(min(max(scale, 0.001), 100_000))" : options
        let image = try VipsHandle(bytes, name, needsFile: needsFile, options: all)
        if hasHalves { return try image.applying(alcedo_vips_from_halves) }
        guard format == .openEXR else { return image }
        return try image.applying { alcedo_vips_in_display_window($0, bytes.baseAddress, bytes.count, $1) }
    }

    /// Returns the factor for the size of an SVG file: for libvips an inch has 72 pixels, for CSS 96.
    private static func cssScale(_ bytes: UnsafeRawBufferPointer) -> Double {
        let root = MarkupStart(Array(bytes.prefix(FormatSniffer.markupBytes))).rootTag
        return root.contains(/\s(width|height)\s*=\s*["']\s*[0-9.]+\s*(mm|cm|in|pt|pc|Q)/) ? 96.0 / 72 : 1
    }

    /// Returns the size of an opened picture.
    func size(of image: borrowing VipsHandle) -> PixelSize { hasOrientation ? image.uprightSize : image.storedSize }

    /// Decodes the page in exactly the size `target`.
    func picture(
        _ bytes: UnsafeRawBufferPointer, of page: Page, scaledTo target: PixelSize
    ) throws(VipsFailure) -> (pixels: PixelBuffer, color: ColorFacts?) {
        let scale = max(
            Double(target.width) / Double(max(1, page.size.width)),
            Double(target.height) / Double(max(1, page.size.height)))
        var image = try open(bytes, scale: scale * page.reduction)
        var color = isScalable ? nil : image.color
        let stated = StatedColors(bytes, format, profile: color?.profile)
        let usesProfile = image.hasForeignProfile && stated == nil
        // libvips takes fractions for linear light; those of libjxl have the curve of their profile.
        if format == .jpegXL { image = try image.applying(alcedo_vips_fractions_to_wide) }
        if format == .tiff {
            let samples = TIFFSamples(bytes)
            let range = try samples.range(of: image, isWhole: !isTolerant)
            if color?.profile == nil { color?.profile = range?.words }
            // The picture was read to its end, or to the damaged row, for its range.
            if isTolerant, range != nil { image = try open(bytes) }
            image = try samples.shown(image, range)
        }
        let colored = try image.inRGBA(
            isPremultiplied: isPremultiplied, usesProfile: usesProfile, hasOrientation: hasOrientation)
        let upright = try colored.resized(toUpright: target).applying(alcedo_vips_upright)
        var pixels = try upright.pixels(isWhole: !isTolerant)
        if let stated {
            color?.profile = stated.name
            pixels.withMutableBytes { stated.conversion.convert(UnsafeMutableRawBufferPointer($0)) }
        }
        return (pixels, color)
    }
}

extension ImageFormat {
    /// The library that decodes the format, and whether it can be loaded on this machine.
    package var library: (name: String, isInstalled: Bool) {
        switch self {
        case .jpeg: return ("libjpeg-turbo", true)
        case .png: return ("alcedo and libdeflate", true)
        case .webP: return ("libwebp", true)
        case .gif, .qoi, .pnm, .icns: return ("alcedo", true)
        case .video: return ("FFmpeg's libraries", canReadFrames)
        default:
            guard let loader = VipsFormatLoader(self) else { return ("none", false) }
            let isInstalled = Vips.isStarted && alcedo_vips_allow(loader.name, loader.module) == 0
            return (loader.module.map { "libvips and its module \($0)" } ?? "libvips", isInstalled)
        }
    }
}
