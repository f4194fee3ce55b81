import Raster

/// Runs libvips' own operations, for what the processors of this library do not do.
///
/// `VipsImageProcessor(identifier: "sharpen 2") { try $0.applying("sharpen", ["sigma": "2"]) }`
///
/// The formulas are those of libvips' documentation. The closure gets straight alpha in eight bits and sRGB, and its
/// result is brought back to that.
public struct VipsImageProcessor: ImageProcessor {
    public let identifier: String
    private let filter: @Sendable (VipsPicture) throws -> VipsPicture

    /// The identifier stands for the filter: give two filters two identifiers, and hold every parameter in them.
    public init(identifier: String, filter: @escaping @Sendable (VipsPicture) throws -> VipsPicture) {
        self.identifier = identifier
        self.filter = filter
    }

    public func process(_ image: Image) throws(CodecError) -> Image {
        let picture = try VipsPicture.holding(image.pixels, identifier: identifier)
        let result = try filtered(picture)
        try checkResult(result.size)
        return image.with(try result.pixels())
    }

    private func filtered(_ picture: VipsPicture) throws(CodecError) -> VipsPicture {
        do { return try filter(picture) } catch let error as CodecError { throw error } catch {
            throw .processor(.processingFailed(identifier: identifier, String(describing: error)))
        }
    }
}
