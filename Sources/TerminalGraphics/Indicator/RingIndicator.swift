import Glibc
import Raster

/// A ring that closes clockwise from the top as the bytes come; where their number is not known a part of it turns.
///
/// A pixel's cover is that of the ring's band, by its distance from the middle, times that of the arc, by its angle:
/// each goes from 0 to 1 over one pixel.
public struct RingIndicator: Indicator {
    /// Of the part that is there.
    public let color: Color
    /// Of the part that is not there yet.
    public let track: Color
    /// In pixels.
    public let diameter: Int

    public var interval: Duration? { .milliseconds(50) }

    /// A white ring on a grey track, 48 pixels wide, by default; 8…512 pixels.
    public init(
        color: Color = .white, track: Color = Color(red: 128, green: 128, blue: 128, alpha: 96), diameter: Int = 48
    ) {
        self.color = color
        self.track = track
        self.diameter = min(max(diameter, 8), 512)
    }

    public func frame(_ moment: IndicatorMoment) -> StandInLook {
        if let percentage = moment.percentage { return .picture(ring(from: 0, to: Double(percentage) / 100)) }
        let turn = (max(.zero, moment.elapsed) / .milliseconds(1200)).truncatingRemainder(dividingBy: 1)
        return .picture(ring(from: turn, to: turn + 0.25))
    }

    /// The part of the ring between two turns, counted clockwise from the top.
    func ring(from start: Double, to end: Double) -> PixelBuffer {
        var pixels = PixelBuffer(
            size: PixelSize(width: diameter, height: diameter), filledWith: Color(red: 0, green: 0, blue: 0, alpha: 0))
        let (middle, width) = (Double(diameter) / 2, max(2, Double(diameter) / 8))
        for y in 0..<diameter {
            for x in 0..<diameter {
                let (dx, dy) = (Double(x) + 0.5 - middle, Double(y) + 0.5 - middle)
                let distance = (dx * dx + dy * dy).squareRoot()
                let band = min(cover(middle - distance), cover(distance - middle + width))
                guard band > 0 else { continue }
                pixels[x, y] = color(at: turn(dx, dy), distance, start, end).faded(by: band)
            }
        }
        return pixels
    }

    private func color(at turn: Double, _ distance: Double, _ start: Double, _ end: Double) -> Color {
        guard end > start else { return track }
        if end - start >= 1 { return color }
        let length = 2 * Double.pi * distance
        let arc = [turn, turn + 1].map { min(cover(($0 - start) * length), cover((end - $0) * length)) }.max() ?? 0
        return track.mixed(with: color, arc)
    }

    /// 0 at the top, then clockwise, below 1.
    private func turn(_ dx: Double, _ dy: Double) -> Double {
        let turn = atan2(dx, -dy) / (2 * Double.pi)
        return turn < 0 ? turn + 1 : turn
    }

    private func cover(_ distance: Double) -> Double { min(max(distance + 0.5, 0), 1) }
}

extension Color {
    /// A part, 0…1, of the way to another colour, in straight channels.
    fileprivate func mixed(with other: Color, _ part: Double) -> Color {
        func channel(_ from: UInt8, _ to: UInt8) -> UInt8 {
            UInt8((Double(from) + (Double(to) - Double(from)) * part).rounded())
        }
        return Color(
            red: channel(red, other.red), green: channel(green, other.green), blue: channel(blue, other.blue),
            alpha: channel(alpha, other.alpha))
    }

    fileprivate func faded(by cover: Double) -> Color {
        Color(red: red, green: green, blue: blue, alpha: UInt8((Double(alpha) * cover).rounded()))
    }
}
