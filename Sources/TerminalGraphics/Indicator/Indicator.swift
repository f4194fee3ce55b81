import Glibc
import Raster

/// Shows that a picture is loading.
///
/// A frame depends only on the context, so an indicator needs no timer and no state. An indicator that shows per cent:
/// ```swift
/// struct CountingIndicator: Indicator {
///     func frame(_ context: IndicatorContext) -> PlaceholderContent {
///         .text([context.percentage.map { "\($0) %" } ?? "\(context.received) bytes"])
///     }
/// }
/// ```
public protocol Indicator: Sendable {
    /// The duration of a frame of an animated indicator; nil, the default, redraws only when progress is made.
    var interval: Duration? { get }

    /// Returns the content to show.
    func frame(_ context: IndicatorContext) -> PlaceholderContent
}

extension Indicator {
    public var interval: Duration? { nil }
}

/// The progress of a load, and the available space.
public struct IndicatorContext: Sendable, Hashable {
    /// The time since the load began.
    public var elapsed: Duration
    /// The number of received bytes.
    public var received: Int
    /// The total number of bytes; nil if unknown.
    public var total: Int?
    /// The available cells.
    public var grid: GridSize
    /// The cell size, for pictures.
    public var cell: CellSize

    /// Creates a context.
    public init(
        elapsed: Duration, received: Int = 0, total: Int? = nil, grid: GridSize = GridSize(columns: 20, rows: 1),
        cell: CellSize = .fallback
    ) {
        (self.elapsed, self.received, self.total, self.grid, self.cell) = (elapsed, received, total, grid, cell)
    }

    /// The loaded percentage, 0…100, rounded down; nil if the total is unknown.
    public var percentage: Int? {
        guard let total, total > 0 else { return nil }
        return Int(Double(min(max(0, received), total)) / Double(total) * 100)
    }
}
/// Shows nothing.
public struct NoIndicator: Indicator {
    /// Creates the indicator.
    public init() {}

    public func frame(_ context: IndicatorContext) -> PlaceholderContent { .nothing }
}

/// Shows an animated character while a picture is loading.
public struct ActivityIndicator: Indicator {
    /// The style of a spinner: the characters of one turn, each one cell wide.
    public enum SpinnerStyle: String, Sendable, CaseIterable {
        /// A braille pattern, a circle, an arc, a bar, or ASCII characters.
        case dots, circle, arc, bar, ascii

        var glyphs: [String] {
            switch self {
            case .dots: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
            case .circle: ["◐", "◓", "◑", "◒"]
            case .arc: ["◜", "◠", "◝", "◞", "◡", "◟"]
            case .bar: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█", "▇", "▆", "▅", "▄", "▃", "▂"]
            case .ascii: ["|", "/", "-", "\\"]
            }
        }
    }

    /// The characters of one turn.
    package let style: SpinnerStyle
    public let interval: Duration?

    /// Creates an indicator, by default `dots` with a new character every 80 ms; intervals are at least 1 ms.
    public init(_ style: SpinnerStyle = .dots, interval: Duration = .milliseconds(80)) {
        self.style = style
        self.interval = max(interval, .milliseconds(1))
    }

    public func frame(_ context: IndicatorContext) -> PlaceholderContent {
        let glyphs = style.glyphs
        let steps = max(.zero, context.elapsed) / (interval ?? .milliseconds(80))
        return .text([glyphs[Int(steps.truncatingRemainder(dividingBy: Double(glyphs.count)))]])
    }
}

/// Shows a still or animated picture while another picture is loading.
public struct PictureIndicator: Indicator {
    /// The frames; with none, nothing is shown.
    public let frames: [PixelBuffer]
    public let interval: Duration?

    /// Shows a still picture.
    public init(_ picture: PixelBuffer) {
        frames = [picture]
        interval = nil
    }

    /// Shows frames repeatedly, each for an interval: 100 ms by default, at least 1 ms.
    public init(frames: [PixelBuffer], interval: Duration = .milliseconds(100)) {
        self.frames = frames
        self.interval = frames.count > 1 ? max(interval, .milliseconds(1)) : nil
    }

    public func frame(_ context: IndicatorContext) -> PlaceholderContent {
        guard let first = frames.first else { return .nothing }
        guard let interval else { return .picture(first) }
        let steps = max(.zero, context.elapsed) / interval
        return .picture(frames[Int(steps.truncatingRemainder(dividingBy: Double(frames.count)))])
    }
}

/// Shows a ring that closes clockwise from the top as bytes arrive; without a total, a quarter of it rotates.
///
/// A pixel's coverage is the coverage by the ring's band (from its distance to the centre) times the coverage by the
/// arc (from its angle). Both change from 0 to 1 over one pixel.
public struct RingIndicator: Indicator {
    /// The colour of the loaded part.
    package let color: Color
    /// The colour of the missing part.
    package let track: Color
    /// The outer diameter in pixels.
    package let diameter: Int

    public var interval: Duration? { .milliseconds(50) }

    /// Creates a ring, by default white on a grey track and 48 pixels wide; the diameter is clamped to 8…512.
    public init(
        color: Color = .white, track: Color = Color(red: 128, green: 128, blue: 128, alpha: 96), diameter: Int = 48
    ) {
        self.color = color
        self.track = track
        self.diameter = min(max(diameter, 8), 512)
    }

    public func frame(_ context: IndicatorContext) -> PlaceholderContent {
        if let percentage = context.percentage { return .picture(ring(from: 0, to: Double(percentage) / 100)) }
        let turn = (max(.zero, context.elapsed) / .milliseconds(1200)).truncatingRemainder(dividingBy: 1)
        return .picture(ring(from: turn, to: turn + 0.25))
    }

    /// Draws the ring with the part between two turns, which count clockwise from the top.
    func ring(from start: Double, to end: Double) -> PixelBuffer {
        var pixels = PixelBuffer(
            size: PixelSize(width: diameter, height: diameter), filledWith: Color(red: 0, green: 0, blue: 0, alpha: 0))
        let (middle, width) = (Double(diameter) / 2, max(2, Double(diameter) / 8))
        for y in 0..<diameter {
            for x in 0..<diameter {
                let (dx, dy) = (Double(x) + 0.5 - middle, Double(y) + 0.5 - middle)
                let distance = (dx * dx + dy * dy).squareRoot()
                let band = min(coverage(middle - distance), coverage(distance - middle + width))
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
        let arc =
            [turn, turn + 1].map { min(coverage(($0 - start) * length), coverage((end - $0) * length)) }.max() ?? 0
        return track.mixed(with: color, arc)
    }

    /// Returns the angle as a part of a turn: 0 at the top, then clockwise, below 1.
    private func turn(_ dx: Double, _ dy: Double) -> Double {
        let turn = atan2(dx, -dy) / (2 * Double.pi)
        return turn < 0 ? turn + 1 : turn
    }

    private func coverage(_ distance: Double) -> Double { min(max(distance + 0.5, 0), 1) }
}

extension Color {
    /// Interpolates each channel; `part` is 0…1.
    fileprivate func mixed(with other: Color, _ part: Double) -> Color {
        func channel(_ from: UInt8, _ to: UInt8) -> UInt8 {
            UInt8((Double(from) + (Double(to) - Double(from)) * part).rounded())
        }
        return Color(
            red: channel(red, other.red), green: channel(green, other.green), blue: channel(blue, other.blue),
            alpha: channel(alpha, other.alpha))
    }

    fileprivate func faded(by coverage: Double) -> Color {
        Color(red: red, green: green, blue: blue, alpha: UInt8((Double(alpha) * coverage).rounded()))
    }
}
