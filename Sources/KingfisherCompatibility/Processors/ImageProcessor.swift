import AlcedoImageCodecs
import Foundation
import Raster

/// The input of a processor.
public enum ImageProcessItem: Sendable {
    /// An image, which an earlier processor may have made.
    case image(Image)
    /// The bytes of a file.
    case data(Data)
}

/// A step that makes an image; programs can add their own processors.
///
/// Processors with equal identifiers must do equal work, because results are cached by identifier.
public protocol ImageProcessor: Sendable {
    /// The identifier, which contains every parameter.
    var identifier: String { get }
    /// Returns the image, or nil if the processor fails.
    ///
    /// The first processor of a load gets the file's bytes, every other one an image.
    func process(item: ImageProcessItem, options: KingfisherParsedOptionsInfo) -> Image?
}

infix operator |> : AdditionPrecedence

/// Returns a processor that applies the left one, then the right one.
public func |> (left: any ImageProcessor, right: any ImageProcessor) -> any ImageProcessor {
    left.append(another: right)
}

/// Returns whether two processors do the same, by their identifiers.
public func == (left: any ImageProcessor, right: any ImageProcessor) -> Bool { left.identifier == right.identifier }

extension ImageProcessor {
    /// Returns a processor that applies this one, then the other one.
    public func append(another: any ImageProcessor) -> any ImageProcessor {
        if identifier.isEmpty { return another }
        return another.identifier.isEmpty ? self : ProcessorChain(parts: [self, another])
    }

    /// The same processor for the library.
    func bridged(_ options: KingfisherParsedOptionsInfo) -> any AlcedoImageCodecs.ImageProcessor {
        switch self {
        case let own as any LibraryImageProcessor: own.base
        case let chain as ProcessorChain: ChainedImageProcessor(chain.parts.map { $0.bridged(options) })
        default: ProcessorBridge(processor: self, options: options)
        }
    }
}

/// A processor that the library performs.
public protocol LibraryImageProcessor: ImageProcessor {
    /// The library's processor.
    var base: any AlcedoImageCodecs.ImageProcessor { get }
}

extension LibraryImageProcessor {
    /// The library's identifier.
    public var identifier: String { base.identifier }

    /// Processes an image, or the image of a file, at the scale factor of the options.
    public func process(item: ImageProcessItem, options: KingfisherParsedOptionsInfo) -> Image? {
        let scaled = base.scaled(by: Double(options.scaleFactor))
        return switch item {
        case .image(let image): try? scaled.process(image)
        case .data(let data): Image(data: data, within: scaled.decodeBox).flatMap { try? scaled.process($0) }
        }
    }
}

extension LibraryImageProcessor where Self: AlcedoImageCodecs.ImageProcessor {
    /// The processor itself.
    public var base: any AlcedoImageCodecs.ImageProcessor { self }
}

private struct ProcessorChain: ImageProcessor {
    let parts: [any ImageProcessor]

    var identifier: String { parts.map(\.identifier).joined(separator: "|>") }

    func process(item: ImageProcessItem, options: KingfisherParsedOptionsInfo) -> Image? {
        var item = item
        for part in parts {
            guard let image = part.process(item: item, options: options) else { return nil }
            item = .image(image)
        }
        if case .image(let image) = item { return image }
        return nil
    }
}

/// A processor of the program, in the form of the library.
private struct ProcessorBridge: AlcedoImageCodecs.ImageProcessor {
    let processor: any ImageProcessor
    let options: KingfisherParsedOptionsInfo

    var identifier: String { processor.identifier }
    var readsFiles: (@Sendable (Data) throws(CodecError) -> Image)? {
        { (file) throws(CodecError) in try made(from: .data(file)) }
    }

    func process(_ image: Image) throws(CodecError) -> Image { try made(from: .image(image)) }

    private func made(from item: ImageProcessItem) throws(CodecError) -> Image {
        guard let image = processor.process(item: item, options: options) else {
            throw .processor(.processingFailed(identifier: identifier, "it made no image"))
        }
        return image
    }
}

extension Image {
    /// Decodes a file; nil if it is no image.
    public init?(data: Data) { self.init(data: data, within: nil) }

    init?(data: Data, within box: PixelSize?) {
        let decoder = CodecDecoder()
        guard
            let image = try? decoder.decode(data, within: box, limits: .standard, animation: AnimationLoading())
        else { return nil }
        self = image
    }

    /// Encodes the image as PNG; nil if that fails.
    public func pngData() -> Data? { try? pixels.pngData() }

    /// Encodes the image as JPEG of a quality of 0…1; nil if that fails.
    public func jpegData(compressionQuality: CGFloat) -> Data? {
        try? ImageEncoder.encode(self, as: .jpeg, quality: Int(percentOf: compressionQuality))
    }
}

extension Int {
    /// Creates a percentage of 1…100 from a part of 0…1.
    init(percentOf part: CGFloat) {
        self = part.isNaN ? 100 : Int((Swift.min(Swift.max(part, 0.01), 1) * 100).rounded())
    }
}
