import Foundation
import Raster

@testable import AlcedoImageCodecs

/// A frame as libvips composes it by itself.
enum LibvipsPage {
    static func page(_ index: Int, of data: Data) throws -> PixelBuffer {
        try data.withUnsafeBytes { bytes in
            let options = "page=\(index),fail_on=error,access=sequential"
            return try VipsHandle(bytes, "gifload_buffer", options: options).inRGBA().pixels()
        }
    }
}
