import Raster

/// A processor that runs libvips operations that this module has no processor for.
///
/// `VipsImageProcessor(identifier: "sharpen 2") { try $0.applying("sharpen", ["sigma": "2"]) }`
///
/// The closure receives an sRGB picture with straight alpha and eight bits per channel; its result is converted back to
/// that. The libvips documentation describes the operations.
public struct VipsImageProcessor: ImageProcessor {
    public let identifier: String
    private let filter: @Sendable (VipsPicture) throws -> VipsPicture

    /// Creates a processor; the identifier must be unique to the filter and contain all its parameters.
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
