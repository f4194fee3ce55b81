import Foundation

/// A check that an ICC profile describes sRGB, so that its picture needs no conversion.
///
/// Source: ICC.1:2022, sections 7 and 10; the primaries are those of IEC 61966-2-1, adapted to D50.
struct ColorProfileCheck {
    private let view: ByteView

    static func isSRGB(_ profile: UnsafeRawBufferPointer) -> Bool {
        ColorProfileCheck(view: ByteView(bytes: profile)).isSRGB
    }

    private init(view: ByteView) { self.view = view }

    private static let primaries = [
        ("rXYZ", [0.4361, 0.2225, 0.0139]), ("gXYZ", [0.3851, 0.7169, 0.0971]), ("bXYZ", [0.1431, 0.0606, 0.7141]),
    ]

    private var isSRGB: Bool {
        guard view.has("RGB XYZ ", at: 16), tag("A2B0") == nil else { return false }
        let hasPrimaries = Self.primaries.allSatisfy { name, wanted in
            guard let color = tag(name).flatMap(color) else { return false }
            return zip(color, wanted).allSatisfy { abs($0 - $1) < 0.002 }
        }
        return hasPrimaries && ["rTRC", "gTRC", "bTRC"].allSatisfy { tag($0).map(isStandardCurve) ?? false }
    }

    private func tag(_ name: String) -> ByteView? { ICCProfile(view.bytes).tag(name) }

    private func color(_ tag: ByteView) -> [Double]? {
        let values = [8, 12, 16].compactMap { Self.fixed(tag, at: $0) }
        return values.count == 3 ? values : nil
    }

    /// Reads a signed fixed-point number with 16 integer and 16 fractional bits.
    private static func fixed(_ tag: ByteView, at offset: Int) -> Double? {
        tag.number(at: offset, bytes: 4).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
    }

    private func isStandardCurve(_ tag: ByteView) -> Bool {
        (0...16).allSatisfy { step in
            let value = Double(step) / 16
            return Self.value(of: tag, at: value).map { abs($0 - SRGBCurve.light(value)) < 0.002 } ?? false
        }
    }

    private static func value(of tag: ByteView, at place: Double) -> Double? {
        if tag.has("para", at: 0) { return parametric(tag, at: place) }
        guard tag.has("curv", at: 0), let count = tag.number(at: 8, bytes: 4), count > 1 else { return nil }
        let position = place * Double(count - 1)
        let index = min(Int(position), count - 2)
        guard let below = tag.number(at: 12 + index * 2, bytes: 2),
            let above = tag.number(at: 14 + index * 2, bytes: 2)
        else { return nil }
        return (Double(below) + Double(above - below) * (position - Double(index))) / 65_535
    }

    /// Evaluates function type 3: (a·x + b)^g for x ≥ d, and c·x below.
    private static func parametric(_ tag: ByteView, at place: Double) -> Double? {
        let parameters = (0..<5).compactMap { fixed(tag, at: 12 + $0 * 4) }
        guard tag.number(at: 8, bytes: 2) == 3, parameters.count == 5 else { return nil }
        let (g, a, b, c, d) = (parameters[0], parameters[1], parameters[2], parameters[3], parameters[4])
        return place >= d ? pow(a * place + b, g) : c * place
    }
}
