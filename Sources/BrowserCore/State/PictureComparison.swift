import Raster

/// Two pictures to be shown as one.
package struct PictureComparison: Sendable, Equatable {
    package enum View: Sendable, Equatable {
        /// Both, side by side.
        case beside
        /// One of them.
        case first, second
        /// The amplified differences of their pixels.
        case difference
    }

    package let first: ItemID
    package let second: ItemID
    package let view: View
    /// The size of the area for one picture, in pixels.
    package let part: PixelSize

    package init(first: ItemID, second: ItemID, view: View, part: PixelSize) {
        (self.first, self.second, self.view, self.part) = (first, second, view, part)
    }
}

/// Numbers that compare two pictures.
package struct ComparisonFacts: Sendable, Equatable {
    package let first: ItemID
    package let second: ItemID
    package let firstSize: PixelSize
    package let secondSize: PixelSize
    /// Decibels; infinite for equal pixels.
    package let psnr: Double
    /// −1…1; 1 for equal pixels.
    package let ssim: Double
    /// The factor by which the view of the difference multiplies.
    package let amplification: Int

    package init(
        first: ItemID, second: ItemID, firstSize: PixelSize, secondSize: PixelSize, psnr: Double, ssim: Double,
        amplification: Int
    ) {
        (self.first, self.second) = (first, second)
        (self.firstSize, self.secondSize) = (firstSize, secondSize)
        (self.psnr, self.ssim, self.amplification) = (psnr, ssim, amplification)
    }
}
