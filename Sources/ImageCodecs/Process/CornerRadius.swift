import Raster

/// The radius of rounded corners; at most half the shorter side takes effect.
public enum CornerRadius: Sendable, Hashable {
    /// A radius in pixels.
    case point(Double)
    /// A fraction of the picture's width, 0…1.
    case widthFraction(Double)
    /// A fraction of the picture's height, 0…1.
    case heightFraction(Double)

    /// The largest radius in pixels.
    static let largest = 16_384.0

    /// The radius clamped to 0…16,384 pixels or 0…1 of a side; values that are not finite become 0.
    var limited: CornerRadius {
        switch self {
        case .point(let value): .point(value.isFinite ? value.limited(to: 0...Self.largest) : 0)
        case .widthFraction(let part): .widthFraction(part.isFinite ? part.limited(to: 0...1) : 0)
        case .heightFraction(let part): .heightFraction(part.isFinite ? part.limited(to: 0...1) : 0)
        }
    }

    /// Returns the radius in pixels for a picture of `size`, not limited to half its shorter side.
    func pixels(in size: PixelSize) -> Double {
        switch self {
        case .point(let value): value
        case .widthFraction(let part): part * Double(size.width)
        case .heightFraction(let part): part * Double(size.height)
        }
    }

    /// Returns the radius multiplied by a factor; fractions of a side stay unchanged.
    func multiplied(by factor: Double) -> CornerRadius {
        if case .point(let value) = self { return .point(value * factor) }
        return self
    }

    /// The text form: `20`, `25%w` or `25%h`.
    var text: String {
        switch self {
        case .point(let value): NumberText.text(value)
        case .widthFraction(let part): NumberText.percent(part) + "%w"
        case .heightFraction(let part): NumberText.percent(part) + "%h"
        }
    }

    init?(text: String) {
        let digits = text.prefix { $0 != "%" }
        let unit = text.dropFirst(digits.count)
        guard let value = NumberText.number(digits, shiftedBy: unit.isEmpty ? 0 : -2), value >= 0 else { return nil }
        switch unit {
        case "" where value <= Self.largest: self = .point(value)
        case "%w" where value <= 1: self = .widthFraction(value)
        case "%h" where value <= 1: self = .heightFraction(value)
        default: return nil
        }
    }
}

extension CornerRadius: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A radius in pixels.
    public init(integerLiteral value: Int) { self = .point(Double(value)) }
    /// A radius in pixels.
    public init(floatLiteral value: Double) { self = .point(value) }
}
