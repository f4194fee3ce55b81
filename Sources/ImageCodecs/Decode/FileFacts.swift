import FoundationEssentials
import Raster

/// The depth of a check of a picture's file.
public enum PictureCheck: Sendable, Hashable {
    /// Only the header and the end of the file; the pixels are decoded only if the end is missing.
    case framing
    /// All pixels, in a small size where the format allows that.
    case pixels
    /// All pixels; the facts then contain a thumbnail.
    case thumbnail

    /// The box into which pixels are decoded where the format allows that, and the largest thumbnail.
    ///
    /// `JPEGCodec.checkedSquare` needs even fewer pixels.
    package static let box = PixelSize(width: 128, height: 128)
}

/// The facts that a check finds in a picture's file.
public struct FileFacts: Sendable, Hashable {
    /// The facts of the pixels.
    public struct Pixels: Sendable, Hashable {
        /// The perceptual hash; nil for an empty picture.
        public var hash: PerceptualHash?
        /// Whether a pixel is transparent.
        public var hasAlpha: Bool
        /// The length of one play of an animation; nil for a still picture.
        public var duration: Duration?

        /// Creates the facts; nil means unknown.
        public init(hash: PerceptualHash?, hasAlpha: Bool, duration: Duration? = nil) {
            (self.hash, self.hasAlpha, self.duration) = (hash, hasAlpha, duration)
        }
    }

    /// The facts that the header states.
    public var header: ImageHeader
    /// The EXIF orientation that the file states, 1 to 8; nil if the format has none.
    public var orientation: Int?
    /// The damage of the file; nil if it is whole, or if only its framing was checked.
    public var damage: PictureDamage?
    /// The facts of the pixels; nil if they were not decoded.
    public var pixels: Pixels?
    /// The picture scaled down; nil unless it was requested.
    package var thumbnail: Image?
    /// The new file that was made of it; nil unless it was requested and the check made it.
    package var newFile: Data?

    /// Creates the facts of a file.
    public init(
        header: ImageHeader, orientation: Int? = nil, damage: PictureDamage? = nil, pixels: Pixels? = nil
    ) {
        (self.header, self.orientation, self.damage, self.pixels) = (header, orientation, damage, pixels)
    }

    /// Creates the facts of a decoded picture, which may be a thumbnail.
    init(_ image: Image, orientation: Int?) {
        self.init(
            header: image.header, orientation: orientation, damage: image.damage,
            pixels: Pixels(
                hash: PerceptualHash(image.pixels),
                // The edges of a scaled SVG may be covered in part.
                hasAlpha: image.format == .svg ? !image.pixels.isOpaqueInside : !image.pixels.isOpaque,
                duration: image.animation.map { $0.delays.reduce(.zero, +) }))
    }
}

extension FileFacts {
    /// The facts as one value.
    package var picture: PictureFacts {
        var facts = PictureFacts(header)
        facts.orientation = orientation
        facts.verdict = pixels == nil ? .unchecked : PictureVerdict(damage)
        if let pixels {
            (facts.perceptualHash, facts.hasAlpha, facts.duration) = (pixels.hash, pixels.hasAlpha, pixels.duration)
        }
        return facts
    }
}

extension PictureFacts {
    /// Creates the facts that a header states.
    package init(_ header: ImageHeader) {
        self.init()
        (format, size, frames, color) = (header.format, header.size, header.frameCount, header.color)
        pages = header.pageCount > 1 ? header.pageCount : nil
    }

    /// Reads the facts that the EXIF data of the file states.
    package mutating func readExif(of file: Data) {
        guard let format else { return }
        let capture = file.withUnsafeBytes { CaptureFacts($0, format) }
        (taken, camera) = (capture.taken, capture.camera.map { String($0.prefix(80)) })
    }
}

extension PictureVerdict {
    package init(_ damage: PictureDamage?) {
        self =
            switch damage {
            case nil, .missingEnd: .whole
            case .incomplete: .incomplete
            case .corrupt: .corrupt
            }
    }
}

extension ImageDecoding {
    /// Checks a file by `header` and `decode`.
    ///
    /// A picture beyond the limits of pixels or frames is not decoded: its facts are those of its header.
    public func facts(
        of data: Data, _ check: PictureCheck, limits: DecodeLimits
    ) throws(CodecError) -> FileFacts {
        try factsByDecoding(data, check, limits)
    }

    func factsByDecoding(
        _ data: Data, _ check: PictureCheck, _ limits: DecodeLimits
    ) throws(CodecError) -> FileFacts {
        guard check == .framing else { return try pixelFacts(data, check, limits) }
        let header = try header(of: data, limits: limits)
        guard data.withUnsafeBytes({ CompletenessCheck.isThere(in: $0, of: header.format) }) else {
            // Only the pixels tell whether more than the end mark is missing.
            return try decodedFacts(data, check, limits)
        }
        return FileFacts(header: header, orientation: StatedOrientation.read(data, header.format))
    }

    private func pixelFacts(
        _ data: Data, _ check: PictureCheck, _ limits: DecodeLimits
    ) throws(CodecError) -> FileFacts {
        do throws(CodecError) {
            return try decodedFacts(data, check, limits)
        } catch {
            switch error {
            case .processor(.limitExceeded):
                // A file beyond the limits need not be decoded to be kept.
                guard let header = DeclaredHeader.read(data) else { throw error }
                return FileFacts(header: header, orientation: StatedOrientation.read(data, header.format))
            case .processor(.decodingFailed(let format, let reason)):
                // For a file that ends early, some decoders return no pixels and give another reason.
                guard let found = FormatSniffer.format(of: data),
                    !data.withUnsafeBytes({ CompletenessCheck.isThere(in: $0, of: found) }),
                    // In a PNG, the check stops at a damaged chunk; but a file that ends with IEND is not cut off.
                    found != .png || data.suffix(16).firstRange(of: Data("IEND".utf8)) == nil
                else { throw error }
                var damage = PictureDamage(reason: reason)
                if case .corrupt = damage { damage = .incomplete("its end is missing, and \(reason)") }
                throw .processor(.damaged(format: format, damage))
            default: throw error
            }
        }
    }

    private func decodedFacts(
        _ data: Data, _ check: PictureCheck, _ limits: DecodeLimits
    ) throws(CodecError) -> FileFacts {
        var limits = limits
        limits.allowsDamage = true
        let image = try decode(data, within: PictureCheck.box, limits: limits, animation: AnimationLoading())
        var facts = FileFacts(image, orientation: StatedOrientation.read(data, image.format))
        facts.damage = facts.damage ?? laterDamage(of: image, data, limits)
        if check == .thumbnail { facts.thumbnail = image }
        return facts
    }
}

extension ImageDecoding {
    /// Returns the most pixels of all frames or pages that a check decodes: about half a second of work.
    ///
    /// A decode has checked the last frame of JPEG XL already.
    private static func checkedPixels(of format: ImageFormat) -> Int {
        switch format {
        case .gif, .png, .webP, .tiff: 48 << 20
        case .avif: 4 << 20
        default: 0
        }
    }

    /// Returns the damage of the frames or pages after the first one, as far as a check decodes them.
    private func laterDamage(of image: Image, _ data: Data, _ limits: DecodeLimits) -> PictureDamage? {
        let count = Self.checkedPixels(of: image.format) / max(1, image.originalSize.area)
        let most = min(count, max(image.frameCount, image.pageCount))
        guard most > 1 else { return nil }
        var limits = limits
        limits.allowsDamage = false
        do throws(CodecError) {
            if let animation = image.animation {
                // Scaling would take longer than decoding.
                var reader = try animation.frameReader(within: nil, limits: limits)
                for index in 0..<min(most, animation.frameCount) { _ = try reader.frame(at: index) }
            } else if image.format == .tiff {
                for page in 2...most {
                    limits.page = page
                    _ = try decode(data, within: PictureCheck.box, limits: limits)
                }
            }
            return nil
        } catch {
            return switch error {
            case .processor(.damaged(_, let damage)): damage
            case .processor(.decodingFailed(_, let reason)): PictureDamage(reason: reason)
            default: nil
            }
        }
    }
}

extension PixelBuffer {
    /// Whether every pixel is opaque, apart from a border of two pixels.
    fileprivate var isOpaqueInside: Bool {
        (2..<max(2, size.height - 2)).allSatisfy { row in
            (2..<max(2, size.width - 2)).allSatisfy { bytes[(row * size.width + $0) * 4 + 3] == 255 }
        }
    }
}
