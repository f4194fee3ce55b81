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
}

/// Something that a view shows until its image is there; an image is one.
@MainActor public protocol Placeholder {
    /// Shows the placeholder in the view.
    func add(to imageView: TerminalImageView)
    /// Removes the placeholder from the view.
    func remove(from imageView: TerminalImageView)
}

extension Image: Placeholder {
    /// Shows the image.
    public func add(to imageView: TerminalImageView) { imageView.image = self }
    /// Removes the image.
    public func remove(from imageView: TerminalImageView) { imageView.image = nil }
}
