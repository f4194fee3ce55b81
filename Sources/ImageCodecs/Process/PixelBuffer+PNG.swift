import Foundation
import Raster

extension PixelBuffer {
    /// The picture as a PNG file; throws `CodecError.processor`.
    public func pngData() throws(CodecError) -> Data { try VipsOperations.png(self) }
}
