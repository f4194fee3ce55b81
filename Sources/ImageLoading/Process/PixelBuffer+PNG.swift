import Foundation
import Raster

extension PixelBuffer {
    /// The picture as a PNG file; throws `ImageError.processor`.
    public func pngData() throws(ImageError) -> Data { try VipsOperations.png(self) }
}
