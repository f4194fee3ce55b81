import Foundation
import TerminalGraphics
import TerminalImageView

/// A value with the methods of the library, after `kf`.
public struct KingfisherWrapper<Base> {
    /// The object.
    public let base: Base

    /// Wraps an object.
    public init(_ base: Base) { self.base = base }
}

/// An object with a `kf`.
public protocol KingfisherCompatible: AnyObject {}

extension KingfisherCompatible {
    /// The methods of the library for this object.
    public var kf: KingfisherWrapper<Self> { KingfisherWrapper(self) }
}

extension TerminalImageView: KingfisherCompatible {
    /// Creates a view in a rectangle of cells; see the other initializer.
    public convenience init(
        in rect: Rect, encoder: PictureEncoder, clock: any Clock<Duration> = ContinuousClock(),
        write: @escaping @MainActor ([UInt8]) -> Void
    ) {
        self.init(
            in: rect, encoder: encoder, pipeline: KingfisherManager.pipeline, placeholder: BlankPlaceholder(),
            indicator: NoIndicator(), clock: clock, write: write)
    }

    /// Creates a view in a rectangle of cells, whose images are drawn on the standard output.
    ///
    /// - Parameters:
    ///   - frame: The cells; 80 × 23 by default.
    ///   - encoder: The encoder of the terminal; by default block characters, which every terminal shows.
    ///   - clock: Times indicators, transitions and animations.
    ///   - write: Writes bytes to the terminal.
    public convenience init(
        frame: CGRect = CGRect(x: 0, y: 0, width: 80, height: 23), encoder: PictureEncoder? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        write: @escaping @MainActor ([UInt8]) -> Void = { FileHandle.standardOutput.write(Data($0)) }
    ) {
        let (origin, size) = (PixelSize(CGSize(width: frame.minX, height: frame.minY)), PixelSize(frame.size))
        let rect = Rect(column: origin.width, row: origin.height, columns: size.width, rows: size.height)
        self.init(
            in: rect, encoder: encoder ?? PictureEncoder(protocol: .blocks(.truecolor)), clock: clock, write: write)
    }

    /// The view's size in pixels, at the origin, as for `DownsamplingImageProcessor(size: view.bounds.size)`.
    public var bounds: CGRect { CGRect(x: 0, y: 0, width: box.width, height: box.height) }
}

/// Something that a view shows until its image is there; an image is one.
@preconcurrency @MainActor public protocol Placeholder {
    /// Shows the placeholder in the view.
    func add(to imageView: TerminalImageView)
    /// Removes the placeholder from the view.
    func remove(from imageView: TerminalImageView)
}

extension Placeholder where Self: TerminalImageView {
    /// Lays the view over the image view.
    public func add(to imageView: TerminalImageView) {
        resize(to: imageView.rect)
        isHidden = false
    }
    /// Hides the view.
    public func remove(from imageView: TerminalImageView) { isHidden = true }
}

extension Image: Placeholder {
    /// Shows the image.
    public func add(to imageView: TerminalImageView) { imageView.image = self }
    /// Removes the image.
    public func remove(from imageView: TerminalImageView) { imageView.image = nil }
}

/// The type of an indicator's view.
public typealias IndicatorView = TerminalImageView

/// Something that shows that a view loads.
@preconcurrency @MainActor public protocol Indicator: Sendable {
    /// Called when a load begins.
    func startAnimatingView()
    /// Called when it ends.
    func stopAnimatingView()
    /// The distance to the centre of the image view; zero by default.
    var centerOffset: CGPoint { get }
    /// The view of the indicator, which is hidden while nothing loads.
    var view: IndicatorView { get }
    /// The size in an image view; all of it by default.
    func sizeStrategy(in imageView: TerminalImageView) -> IndicatorSizeStrategy
}

/// The size of an indicator's view.
public enum IndicatorSizeStrategy: Sendable {
    /// The indicator's own size.
    case intrinsicSize
    /// The size of the image view.
    case full
    /// A size in pixels, in the middle.
    case size(CGSize)
}

extension Indicator {
    /// Zero.
    public var centerOffset: CGPoint { .zero }
    /// All of the view.
    public func sizeStrategy(in imageView: TerminalImageView) -> IndicatorSizeStrategy { .full }
}

/// The indicator of a view.
public enum IndicatorType {
    /// No indicator.
    case none
    /// A spinning character.
    case activity
    /// An image, or an animation.
    case image(imageData: Data)
    /// The program's own.
    case custom(indicator: any Indicator)
}

/// An indicator that the image view draws over itself.
@MainActor final class DrawnIndicator: Indicator {
    private struct WeakView { weak var view: TerminalImageView? }

    private let image: WeakView
    private let make: @MainActor () async -> (any TerminalGraphics.Indicator)?
    private var made: (any TerminalGraphics.Indicator)?
    private var starting: Task<Void, Never>?
    private var isDrawn = false

    init(on view: TerminalImageView, _ make: @escaping @MainActor () async -> (any TerminalGraphics.Indicator)?) {
        (image, self.make) = (WeakView(view: view), make)
    }

    /// The image view itself; an empty view once that is gone.
    var view: IndicatorView { image.view ?? TerminalImageView() }

    func startAnimatingView() {
        starting?.cancel()
        starting = Task { [self] in
            if made == nil { made = await make() }
            guard !Task.isCancelled, let made else { return }
            isDrawn = true
            image.view?.startIndicator(made)
        }
    }

    func stopAnimatingView() {
        starting?.cancel()
        starting = nil
        if isDrawn { image.view?.stopIndicator() }
        isDrawn = false
    }
}
