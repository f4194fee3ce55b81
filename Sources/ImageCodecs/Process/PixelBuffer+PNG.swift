import Foundation
import Raster

extension PixelBuffer {
    /// Encodes the picture as a PNG file.
    ///
    /// - Throws: `CodecError.processor`.
    public func pngData() throws(CodecError) -> Data { try VipsOperations.png(self) }
}
