import Raster

/// Selects a page of a document, or a picture of a file that holds several; it must be the first step of a chain.
///
/// The decoder reads the page, so the step itself changes nothing. Other files have one page.
public struct PageImageProcessor: ImageProcessor {
    /// The number of the page, from 1.
    public let page: Int

    /// Creates the processor; numbers below 1 count as 1.
    public init(_ page: Int) { self.page = max(1, page) }

    public var identifier: String { IdentifierText("page", "\(page)").whole }
    public var decodePage: Int? { page }

    public func process(_ image: Image) throws(CodecError) -> Image { image }
}

extension ImageProcessor where Self == PageImageProcessor {
    /// Returns a processor that selects a page, from 1: `.page(3)`.
    public static func page(_ page: Int) -> Self { Self(page) }
}
