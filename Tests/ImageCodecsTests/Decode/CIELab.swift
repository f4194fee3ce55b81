import Foundation
import Raster

/// Colours as CIE 1976 L*a*b* under D50, computed from their definitions.
struct CIELab {
    var lightness: Double
    var a: Double
    var b: Double

    init(lightness: Double, a: Double, b: Double) { (self.lightness, self.a, self.b) = (lightness, a, b) }

    /// XYZ under D50, its Y of white at 1.
    init(x: Double, y: Double, z: Double) {
        func root(_ value: Double) -> Double { value > 216 / 24_389 ? cbrt(value) : (24_389 / 27 * value + 16) / 116 }
        let (fx, fy, fz) = (root(x / 0.9642), root(y), root(z / 0.8249))
        (lightness, a, b) = (116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz))
    }

    /// A colour of sRGB (IEC 61966-2-1, its matrix adapted to D50 after Bradford).
    init(_ color: Color) {
        let linear = [color.red, color.green, color.blue].map { Self.linear(Double($0) / 255) }
        let xyz = Self.matrix.map { row in zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 } }
        self.init(x: xyz[0], y: xyz[1], z: xyz[2])
    }

    /// The colour difference of CIE 1976: the distance.
    func difference(to other: CIELab) -> Double {
        let (l, da, db) = (lightness - other.lightness, a - other.a, b - other.b)
        return (l * l + da * da + db * db).squareRoot()
    }

    static func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static let matrix = [
        [0.4360747, 0.3850649, 0.1430804], [0.2225045, 0.7168786, 0.0606169], [0.0139322, 0.0971045, 0.7141733],
    ]
}
