import AlcedoHTTPRequests
import AlcedoImageCodecs
import Foundation
import ImageLoading
import Raster

/// A value with a `kf`.
public protocol KingfisherCompatibleValue {}

extension KingfisherCompatibleValue {
    /// The methods of the library for this value.
    public var kf: KingfisherWrapper<Self> { KingfisherWrapper(self) }
}

extension Image: KingfisherCompatibleValue {}
extension Data: KingfisherCompatibleValue {}
extension CGSize: KingfisherCompatibleValue {}

/// Changed copies of an image, by the processors; the image itself where a processor fails.
extension KingfisherWrapper where Base == Image {
    private func made(by processor: any ImageProcessor) -> Image {
        processor.process(item: .image(base), options: KingfisherParsedOptionsInfo(nil)) ?? base
    }

    /// Returns the image in exactly a size.
    public func resize(to size: CGSize) -> Image { made(by: ResizingImageProcessor(referenceSize: size)) }
    /// Returns the image in a size, as a mode says.
    public func resize(to targetSize: CGSize, for contentMode: ContentMode) -> Image {
        made(by: ResizingImageProcessor(referenceSize: targetSize, mode: contentMode))
    }
    /// Returns a part of the image.
    public func crop(to size: CGSize, anchorOn anchor: CGPoint) -> Image {
        made(by: CroppingImageProcessor(size: size, anchor: anchor))
    }
    /// Returns the image blurred.
    public func blurred(withRadius radius: CGFloat) -> Image {
        made(by: BlurImageProcessor(blurRadius: Double(radius)))
    }
    /// Returns the image under a colour; a fraction of 0 hides the image.
    public func overlaying(with color: Color, fraction: CGFloat) -> Image {
        made(by: OverlayImageProcessor(overlay: color, fraction: Double(fraction)))
    }
    /// Returns the image tinted.
    public func tinted(with color: Color) -> Image { made(by: TintImageProcessor(tint: color)) }
    /// Returns the image with other brightness, contrast, saturation and exposure.
    public func adjusted(brightness: CGFloat, contrast: CGFloat, saturation: CGFloat, inputEV: CGFloat) -> Image {
        made(
            by: ColorControlsProcessor(
                brightness: Double(brightness), contrast: Double(contrast), saturation: Double(saturation),
                inputEV: Double(inputEV)))
    }
    /// Returns the image with a border.
    public func addingBorder(_ border: Border) -> Image { made(by: BorderImageProcessor(border: border)) }
    /// Returns the image with round corners.
    public func image(
        withRadius radius: Radius, fit size: CGSize, roundingCorners corners: RectCorner = .all,
        backgroundColor: Color? = nil
    ) -> Image {
        made(
            by: RoundCornerImageProcessor(
                radius: radius, targetSize: size, roundingCorners: corners, backgroundColor: backgroundColor))
    }
    /// Returns the image blended with a background.
    public func image(withBlendMode mode: CGBlendMode, alpha: CGFloat = 1, backgroundColor: Color? = nil) -> Image {
        made(by: BlendImageProcessor(blendMode: mode, alpha: alpha, backgroundColor: backgroundColor))
    }

    /// Returns the image as PNG; nil if that fails.
    public func pngRepresentation() -> Data? { base.pngData() }
    /// Returns the image as JPEG of a quality of 0…1; nil if that fails.
    public func jpegRepresentation(compressionQuality: CGFloat) -> Data? {
        base.jpegData(compressionQuality: compressionQuality)
    }
    /// Returns the image as GIF, an animation as its file; nil if that fails.
    public func gifRepresentation() -> Data? { data(format: .GIF) }
    /// Returns the image in a format; nil if that fails.
    public func data(format: ImageFormat, compressionQuality: CGFloat = 1) -> Data? {
        format.serializer(compressionQuality).data(with: base, original: nil)
    }
}

extension KingfisherWrapper where Base == Data {
    /// The format that the first bytes show.
    public var imageFormat: ImageFormat {
        switch FormatSniffer.format(of: base) {
        case .png: .PNG
        case .jpeg: .JPEG
        case .gif: .GIF
        default: .unknown
        }
    }
}

extension KingfisherWrapper where Base == CGSize {
    /// Returns the size in another one, as a mode says.
    public func resize(to size: CGSize, for contentMode: ContentMode) -> CGSize {
        switch contentMode {
        case .none: size
        case .aspectFit: constrained(size)
        case .aspectFill: filling(size)
        }
    }
    /// Returns the largest size of this shape inside another one.
    public func constrained(_ size: CGSize) -> CGSize { scaled(to: size, by: min) }
    /// Returns the smallest size of this shape that covers another one.
    public func filling(_ size: CGSize) -> CGSize { scaled(to: size, by: max) }
    /// Returns the part of this size that a rectangle covers, whose place an anchor of 0…1 says.
    public func constrainedRect(for size: CGSize, anchor: CGPoint) -> CGRect {
        let (x, y) = (min(max(anchor.x, 0), 1), min(max(anchor.y, 0), 1))
        let origin = CGPoint(x: x * (base.width - size.width), y: y * (base.height - size.height))
        return CGRect(origin: .zero, size: base).intersection(CGRect(origin: origin, size: size))
    }

    private func scaled(to size: CGSize, by choice: (CGFloat, CGFloat) -> CGFloat) -> CGSize {
        let factor = choice(size.width / base.width, size.height / base.height)
        return CGSize(width: base.width * factor, height: base.height * factor)
    }
}

/// Kingfisher's names of the measurements of a transfer, in seconds.
extension NetworkMetrics {
    /// The time of the whole transfer.
    public var totalRequestDuration: TimeInterval { total / .seconds(1) }
    /// The time of the name look-up.
    public var domainLookupDuration: TimeInterval? { phases.map { $0.lookup / .seconds(1) } }
    /// The time of connecting.
    public var connectDuration: TimeInterval? { phases.map { $0.connect / .seconds(1) } }
    /// The time of the TLS handshake.
    public var secureConnectionDuration: TimeInterval? { phases.map { $0.handshake / .seconds(1) } }
    /// The number of bytes of the body.
    public var responseBodyBytesReceived: Int64 { Int64(bytes) }
    /// The status of the response.
    public var httpStatusCode: Int? { statusCode }
    /// The number of redirects.
    public var redirectCount: Int { redirects }
    /// The bytes in a second; nil if the transfer took no time.
    public var downloadSpeed: Double? { totalRequestDuration > 0 ? Double(bytes) / totalRequestDuration : nil }
}
