import BrowserCore
import ImageLoading
import Raster

extension PictureRegion {
    /// Returns this part of a picture, scaled to fit the box; small parts are enlarged.
    @concurrent
    func part(of image: Image, within box: PixelSize) async throws(ImageError) -> Image {
        let rect = pixels(of: image.size)
        var part = image.with(image.pixels.rearranged(to: rect.size) { (rect.x + $0, rect.y + $1) })
        // A part of an animation is shown still.
        (part.animation, part.frameCount) = (nil, 1)
        let target = rect.size.scaled(to: box, upscale: true)
        return try ImageError.wrapping { () throws(CodecError) in
            try ResizingImageProcessor(referenceSize: target).process(part)
        }
    }

    /// Returns the region in whole pixels, at least one, inside the picture.
    func pixels(of size: PixelSize) -> (x: Int, y: Int, size: PixelSize) {
        func span(_ start: Double, _ length: Double, _ whole: Int) -> (Int, Int) {
            let count = min(max(1, Int((length * Double(whole)).rounded())), max(1, whole))
            return (min(max(0, Int((start * Double(whole)).rounded())), whole - count), count)
        }
        let (x, width) = span(x, width, size.width)
        let (y, height) = span(y, height, size.height)
        return (x, y, PixelSize(width: width, height: height))
    }
}
