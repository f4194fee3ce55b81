import Glibc
import Raster

/// The measure of dithered pictures: how near two are after both have been blurred as the eye does.
enum Blur {
    /// The peak signal-to-noise ratio in decibels after three passes of a 3×3 mean, about a Gaussian of σ = 1.4.
    static func ratio(_ first: PixelBuffer, _ second: PixelBuffer) -> Double {
        let difference = zip(blurred(first), blurred(second)).map { ($0 - $1) * ($0 - $1) }
        let mean = difference.reduce(0, +) / Double(difference.count)
        return mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
    }

    private static func blurred(_ picture: PixelBuffer) -> [Double] {
        let (width, height) = (picture.size.width, picture.size.height)
        var values = (0..<picture.size.area * 3).map { Double(picture.bytes[$0 / 3 * 4 + $0 % 3]) }
        for _ in 0..<3 {
            values = mean(values, count: width, stride: 3, lines: height)
            values = mean(values, count: height, stride: width * 3, lines: width)
        }
        return values
    }

    /// The mean of every value and its two neighbours in steps of `stride`; the outermost stay as they are.
    private static func mean(_ values: [Double], count: Int, stride: Int, lines: Int) -> [Double] {
        var result = values
        let inner = values.indices.filter { index in
            let place = stride == 3 ? index / 3 % (values.count / 3 / lines) : index / stride
            return place > 0 && place < count - 1
        }
        for index in inner { result[index] = (values[index - stride] + values[index] + values[index + stride]) / 3 }
        return result
    }
}
