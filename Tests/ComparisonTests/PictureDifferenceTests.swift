import Raster
import Testing

@testable import AlcedoComparison

/// Expected values: scikit-image, `structural_similarity(gaussian_weights=True, sigma=1.5,
/// use_sample_covariance=False, data_range=255)` of the luma, and `peak_signal_noise_ratio`.
@Suite(.timeLimit(.minutes(1)))
struct PictureDifferenceTests {
    /// Returns the picture that the script for scikit-image makes, with a pattern of an amplitude added.
    private static func picture(_ width: Int, _ height: Int, noise: Int) -> PixelBuffer {
        PixelBuffer(size: PixelSize(width: width, height: height)) { target in
            for y in 0..<height {
                for x in 0..<width {
                    let pattern = noise == 0 ? 0 : (x * 7 + y * 13) % (2 * noise + 1) - noise
                    let values = [(x * 5 + y * 3) % 256, x * y % 251, (x * x + y * 2) % 241]
                    let offset = (y * width + x) * 4
                    for (channel, value) in values.enumerated() {
                        target[offset + channel] = UInt8(min(max(value + pattern, 0), 255))
                    }
                    target[offset + 3] = 255
                }
            }
        }
    }

    @Test(arguments: [(40, 30, 3, 41.9081, 0.99743), (40, 30, 40, 21.0674, 0.7507), (64, 11, 12, 31.1591, 0.95953)])
    func `PSNR and SSIM equal those of scikit-image`(
        width: Int, height: Int, noise: Int, psnr: Double, ssim: Double
    ) throws {
        let difference = try #require(
            PictureDifference(Self.picture(width, height, noise: 0), Self.picture(width, height, noise: noise)))
        #expect(abs(difference.psnr - psnr) < 0.0001)
        #expect(abs(difference.ssim - ssim) < 0.0001)
    }

    @Test func `equal pixels have infinite PSNR and SSIM 1`() throws {
        let picture = Self.picture(40, 30, noise: 0)
        let difference = try #require(PictureDifference(picture, picture))
        #expect(difference.psnr == .infinity && difference.ssim == 1 && difference.amplification == 1)
    }

    @Test func `colours of transparent pixels are ignored`() {
        let size = PixelSize(width: 12, height: 12)
        let red = PixelBuffer(size: size, filledWith: Color(red: 255, green: 0, blue: 0, alpha: 0))
        let blue = PixelBuffer(size: size, filledWith: Color(red: 0, green: 0, blue: 255, alpha: 0))
        #expect(PictureDifference(red, blue)?.psnr == .infinity)
    }

    @Test func `a picture smaller than the window is one window`() throws {
        let size = PixelSize(width: 3, height: 2)
        let black = PixelBuffer(size: size, filledWith: Color(red: 0, green: 0, blue: 0, alpha: 255))
        let white = PixelBuffer(size: size, filledWith: Color(red: 255, green: 255, blue: 255, alpha: 255))
        let difference = try #require(PictureDifference(black, white))
        #expect(difference.psnr == 0)
        // (2 · 0 · 255 + C₁) / (255² + C₁), without variances.
        #expect(abs(difference.ssim - 6.5025 / (65025 + 6.5025)) < 1e-5)
    }

    @Test func `pictures of different sizes have no difference`() {
        #expect(PictureDifference(Self.picture(4, 4, noise: 0), Self.picture(4, 5, noise: 0)) == nil)
        let nothing = PixelBuffer(size: .zero, filledWith: Color(red: 0, green: 0, blue: 0, alpha: 0))
        #expect(PictureDifference(nothing, nothing) == nil)
    }

    @Test func `the difference picture is amplified and opaque`() throws {
        let (first, second) = (Self.picture(8, 8, noise: 0), Self.picture(8, 8, noise: 3))
        let picture = PictureDifference.picture(first, second, amplifiedBy: 16)
        #expect(picture.isOpaque)
        #expect(Int(picture[5, 6].green) == min(255, abs(Int(first[5, 6].green) - Int(second[5, 6].green)) * 16))
        #expect(try #require(PictureDifference(first, second)).amplification == 16)
    }
}
