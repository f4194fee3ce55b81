import Foundation
import TerminalGraphics
import TerminalImageView

/// The type of an indicator's view.
public typealias IndicatorView = TerminalImageView

/// Something that shows that a view loads.
@MainActor public protocol Indicator: Sendable {
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
    private enum Look {
        case ready(any TerminalGraphics.Indicator)
        case file(Data)
    }

    private let image: WeakView
    private var look: Look
    private var starting: Task<Void, Never>?
    private var isDrawn = false

    private struct WeakView { weak var view: TerminalImageView? }

    init(_ look: any TerminalGraphics.Indicator, on view: TerminalImageView) {
        (self.look, image) = (.ready(look), WeakView(view: view))
    }

    init(file: Data, on view: TerminalImageView) { (look, image) = (.file(file), WeakView(view: view)) }

    /// The image view itself; an empty view once that is gone.
    var view: IndicatorView { image.view ?? TerminalImageView() }

    func startAnimatingView() {
        starting?.cancel()
        starting = Task { [self] in
            if case .file(let data) = look, let picture = try? await PictureIndicator(imageData: data) {
                look = .ready(picture)
            }
            guard !Task.isCancelled, case .ready(let ready) = look else { return }
            isDrawn = true
            image.view?.startIndicator(ready)
        }
    }

    func stopAnimatingView() {
        starting?.cancel()
        starting = nil
        if isDrawn { image.view?.stopIndicator() }
        isDrawn = false
    }
}
