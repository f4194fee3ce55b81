import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct VipsOperationsTests {
    @Test(arguments: [255, 128, 1] as [UInt8])
    func `a picture written as PNG is decoded unchanged`(alpha: UInt8) throws {
        let pixels = Pictures.gradient(PixelSize(width: 37, height: 23), alpha: alpha)
        let file = try pixels.pngData()
        #expect(try VipsDecoder().decode(file, within: nil, limits: .standard).pixels == pixels)
    }
}
