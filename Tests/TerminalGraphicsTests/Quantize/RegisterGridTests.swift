import Raster
import TerminalGraphics
import Testing

@Suite(.timeLimit(.minutes(1))) struct RegisterGridTests {
    @Test func `every percentage survives conversion to intensity and back`() {
        for percentage in 0...100 {
            #expect(RegisterGrid.percentage(of: RegisterGrid.intensity(of: percentage)) == percentage)
        }
    }

    @Test func `no intensity changes by more than half a step`() {
        for intensity in UInt8.min...UInt8.max {
            let shown = RegisterGrid.intensity(of: RegisterGrid.percentage(of: intensity))
            #expect(abs(Int(shown) - Int(intensity)) <= 2)
        }
    }

    @Test func `black and white are exact`() {
        #expect(RegisterGrid.nearest(to: .black) == .black)
        #expect(RegisterGrid.nearest(to: .white) == .white)
    }

    @Test func `percentages out of range are clamped`() {
        #expect(RegisterGrid.intensity(of: -1) == 0)
        #expect(RegisterGrid.intensity(of: .max) == 255)
    }

    @Test func `alpha is dropped`() {
        #expect(RegisterGrid.nearest(to: Color(red: 0, green: 0, blue: 0, alpha: 3)) == .black)
    }
}
