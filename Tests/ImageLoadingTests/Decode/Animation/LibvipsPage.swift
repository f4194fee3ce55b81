import CVips
import Foundation
import Raster

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

/// A frame as libvips composes it by itself.
enum LibvipsPage {
    static func page(_ index: Int, of data: Data) throws -> PixelBuffer {
        try data.withUnsafeBytes { bytes in
            try VipsHandle { alcedo_vips_load_gif(bytes.baseAddress, bytes.count, Int32(index), $0) }.eightBitRGBA()
        }
    }
}
