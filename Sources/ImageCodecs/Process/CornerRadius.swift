import Raster

/// How round a corner is; half the shorter side at most.
public enum CornerRadius: Sendable, Hashable {
    /// In pixels.
    case point(Double)
    /// A part of the picture's width, 0…1.
    case widthFraction(Double)
    /// A part of the picture's height, 0…1.
    case heightFraction(Double)

    /// More pixels than any picture has.
    static let largest = 16_384.0

    /// Within what makes sense: 0…16,384 pixels, 0…1 of a side; what is not a number or not finite is 0.
    var limited: CornerRadius {
        switch self {
        case .point(let value): .point(value.isFinite ? value.limited(to: 0...Self.largest) : 0)
        case .widthFraction(let part): .widthFraction(part.isFinite ? part.limited(to: 0...1) : 0)
        case .heightFraction(let part): .heightFraction(part.isFinite ? part.limited(to: 0...1) : 0)
        }
    }

    /// In pixels of a picture of `size`, not yet held against its sides.
    func pixels(in size: PixelSize) -> Double {
        switch self {
        case .point(let value): value
        case .widthFraction(let part): part * Double(size.width)
        case .heightFraction(let part): part * Double(size.height)
        }
    }

    /// Fractions of the picture stay what they are.
    func multiplied(by factor: Double) -> CornerRadius {
        if case .point(let value) = self { return .point(value * factor) }
        return self
    }

    /// `20`, `25%w` or `25%h`.
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
