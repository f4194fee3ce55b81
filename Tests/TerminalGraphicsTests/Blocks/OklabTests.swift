import Raster
import Testing

@testable import TerminalGraphics

extension Oklab {
    /// Converts a colour from sRGB, ignoring alpha.
    init(_ color: Color) {
        self.init(SIMD4(Float(color.red), Float(color.green), Float(color.blue), 0))
    }
}

@Suite(.timeLimit(.minutes(1))) struct OklabTests {
    /// From the conversion in double precision by the formulas of the inventor.
    @Test(arguments: [
        (Color.black, SIMD3<Float>(0, 0, 0)), (.white, SIMD3(1, 0, 0)),
        (Color(red: 255, green: 0, blue: 0), SIMD3(0.6280, 0.2249, 0.1258)),
        (Color(red: 0, green: 255, blue: 0), SIMD3(0.8664, -0.2339, 0.1795)),
        (Color(red: 0, green: 0, blue: 255), SIMD3(0.4520, -0.0325, -0.3115)),
        (Color(red: 128, green: 128, blue: 128), SIMD3(0.5999, 0, 0)),
    ])
    func `known colours have their Oklab coordinates`(color: Color, coordinates: SIMD3<Float>) {
        let values = Oklab(color).values
        for axis in 0..<3 { #expect(abs(values[axis] - coordinates[axis]) < 0.0002) }
        #expect(values.w == 0)
    }

    @Test func `every colour is within the range of the paint table`() {
        for corner in 0..<8 {
            let values = Oklab(
                Color(red: corner & 1 == 1 ? 255 : 0, green: corner & 2 == 2 ? 255 : 0, blue: corner & 4 == 4 ? 255 : 0)
            ).values
            #expect(values.x >= 0 && values.x < 1.001 && abs(values.y) < 0.5 && abs(values.z) < 0.5)
        }
    }
}
