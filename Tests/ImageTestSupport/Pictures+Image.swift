import AlcedoImageCodecs
import Foundation
import Raster
import TestSupport

extension Pictures {
    package static func image(_ pixels: PixelBuffer) -> Image {
        Image(pixels: pixels, originalSize: pixels.size, format: .png, frameCount: 1, byteCount: 0)
    }

    package static func png(width: Int = 8, height: Int = 6, alpha: UInt8 = 255) throws -> Data {
        try gradient(PixelSize(width: width, height: height), alpha: alpha).pngData()
    }
}
