import Foundation
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct ColorControlsProcessorTests {
    private func reference(_ pixel: ReferencePixel, _ controls: ColorControlsProcessor) -> ReferencePixel {
        let luma = 0.2126 * pixel.channels[0] + 0.7152 * pixel.channels[1] + 0.0722 * pixel.channels[2]
        let channels = pixel.channels.map { value -> Double in
            let saturated = luma + controls.saturation * (value - luma)
            let contrasted = (saturated - 0.5) * controls.contrast + 0.5 + controls.brightness
            guard controls.inputEV != 0 else { return contrasted }
            let value = max(0, contrasted)
            let light = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            let exposed = light * pow(2, controls.inputEV)
            return exposed <= 0.0031308 ? exposed * 12.92 : 1.055 * pow(exposed, 1 / 2.4) - 0.055
        }
        return ReferencePixel(channels[0], channels[1], channels[2], pixel.alpha)
    }

    @Test(arguments: [
        (0.2, 1, 1, 0), (-0.5, 1, 1, 0), (0, 1.7, 1, 0), (0, 0, 1, 0), (0, 1, 0, 0), (0, 1, 2.5, 0), (0, 1, 1, 1),
        (0, 1, 1, -2.3), (0, 1, 1, 10), (0, 1, 1, -10), (0.1, 1.3, 0.4, 0.7), (-0.2, 4, 4, -1.5),
    ])
    func `each control follows its formula within rounding`(
        brightness: Double, contrast: Double, saturation: Double, exposure: Double
    ) throws {
        let controls = ColorControlsProcessor(
            brightness: brightness, contrast: contrast, saturation: saturation, inputEV: exposure)
        for picture in Probes.all + [Pictures.gradient(PixelSize(width: 64, height: 48))] {
            expectPixels(try controls.pixels(of: picture), within: 0.55) {
                reference(ReferencePixel(picture[$0, $1]), controls)
            }
        }
    }

    @Test func `the default controls change nothing`() throws {
        #expect(try ColorControlsProcessor().pixels(of: Probes.large) == Probes.large)
    }

    @Test func `saturation zero equals the black-and-white processor`() throws {
        let grey = try ColorControlsProcessor(saturation: 0).pixels(of: Probes.large)
        expectPixels(try BlackWhiteProcessor().pixels(of: Probes.large), within: 1) { ReferencePixel(grey[$0, $1]) }
    }

    @Test func `out-of-range values are clamped`() {
        let wild = ColorControlsProcessor(brightness: 9, contrast: -3, saturation: .infinity, inputEV: -.infinity)
        #expect(wild.brightness == 1 && wild.contrast == 0 && wild.saturation == 4 && wild.inputEV == -10)
        let none = ColorControlsProcessor(brightness: .nan, contrast: .nan, saturation: .nan, inputEV: .nan)
        #expect(none.identifier == ColorControlsProcessor().identifier)
    }
}
