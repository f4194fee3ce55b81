import BrowserCore
import ImageLoading
import Raster

extension PictureRegion {
    /// Returns this part of a picture, scaled to fit the box; small parts are enlarged.
    @concurrent
    func part(of image: Image, within box: PixelSize) async throws(ImageError) -> Image {
        let rect = pixels(of: image.size)
        var part = image.with(image.pixels.part(x: rect.x, y: rect.y, size: rect.size))
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

extension PixelBuffer {
    /// Returns the pixels of a rectangle inside the buffer.
    fileprivate func part(x: Int, y: Int, size part: PixelSize) -> PixelBuffer {
        PixelBuffer(size: part) { target in
            for row in 0..<part.height {
                let start = ((y + row) * size.width + x) * 4
                for offset in 0..<part.width * 4 { target[row * part.width * 4 + offset] = bytes[start + offset] }
            }
        }
    }
}
