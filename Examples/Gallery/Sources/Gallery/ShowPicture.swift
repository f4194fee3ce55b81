import Foundation
import ImageLoading
import Raster
import TerminalGraphics

/// Writes a picture to standard output as sixel.
func showPicture(at url: URL, in folder: CacheFolder) async throws {
    let cache = ImageCache(disk: try DiskStorage(folder: folder))
    let pipeline = ImagePipeline(cache: cache)
    let chain = DownsamplingImageProcessor(size: PixelSize(width: 400, height: 300)) |> SepiaProcessor()
    let options: ImageOptions = [.processor(chain), .cacheOriginalImage, .waitForCache]
    let result = try await pipeline.image(for: Source(url: url), options: options)
    let encoder = PictureEncoder(protocol: .sixel(SixelLimits()))
    let picture = await encoder.encode(result.image.pixels)
    try FileHandle.standardOutput.write(contentsOf: picture.inlineBytes)
}
