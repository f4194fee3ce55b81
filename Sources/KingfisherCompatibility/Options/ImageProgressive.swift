import AlcedoImageCodecs
import Foundation
import ImageLoading

/// The display of a progressive JPEG while its bytes arrive.
public struct ImageProgressive: Sendable {
    /// The display of a partial image in a view.
    public enum UpdatingStrategy: Sendable {
        /// Shows the partial image.
        case `default`
        /// Shows nothing new.
        case keepCurrent
        /// Shows this image instead.
        case replace(Image?)
    }

    /// Whether early scans are blurred.
    public var isBlur: Bool
    /// Whether only the newest of several scans is shown.
    public var isFastestScan: Bool
    /// The minimum time between two partial images, in seconds.
    public var scanInterval: TimeInterval
    /// Decides about each partial image.
    public let onImageUpdated = Delegate<Image, UpdatingStrategy>()

    /// Creates the defaults: blurred scans, the newest first, without a pause.
    public init() { self.init(isBlur: true, isFastestScan: true, scanInterval: 0) }

    /// Creates a display with these properties.
    public init(isBlur: Bool, isFastestScan: Bool, scanInterval: TimeInterval) {
        (self.isBlur, self.isFastestScan, self.scanInterval) = (isBlur, isFastestScan, scanInterval)
    }

    var bridged: AlcedoImageCodecs.ImageProgressive {
        .init(isBlur: isBlur, isFastestScan: isFastestScan, scanInterval: Duration(seconds: scanInterval))
    }
}

/// An image modifier that calls a closure; the image stays if that throws.
public struct AnyImageModifier: ImageModifier {
    private let block: @Sendable (Image) throws -> Image

    /// Creates a modifier that calls the closure.
    public init(modify: @escaping @Sendable (Image) throws -> Image) { block = modify }

    /// Returns the closure's image.
    public func modify(_ image: Image) -> Image { (try? block(image)) ?? image }
}
