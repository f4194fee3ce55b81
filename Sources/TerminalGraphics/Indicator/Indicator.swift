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

    public init(
        elapsed: Duration, received: Int = 0, total: Int? = nil, grid: GridSize = GridSize(columns: 20, rows: 1),
        cell: CellSize = .fallback
    ) {
        self.elapsed = elapsed
        self.received = received
        self.total = total
        self.grid = grid
        self.cell = cell
    }

    /// The loaded percentage, 0…100, rounded down; nil if the total is unknown.
    public var percentage: Int? {
        guard let total, total > 0 else { return nil }
        return Int(Double(min(max(0, received), total)) / Double(total) * 100)
    }
}
/// Shows nothing.
public struct NoIndicator: Indicator {
    public init() {}

    public func frame(_ context: IndicatorContext) -> PlaceholderContent { .nothing }
}

/// Shows an animated character while a picture is loading.
public struct ActivityIndicator: Indicator {
    /// The characters of one turn, each one cell wide.
    public enum GlyphSet: String, Sendable, CaseIterable {
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
    public let glyphSet: GlyphSet
    public let interval: Duration?

    /// Creates an indicator, by default `dots` with a new character every 80 ms; intervals are at least 1 ms.
    public init(_ glyphSet: GlyphSet = .dots, interval: Duration = .milliseconds(80)) {
        self.glyphSet = glyphSet
        self.interval = max(interval, .milliseconds(1))
    }

    public func frame(_ context: IndicatorContext) -> PlaceholderContent {
        let glyphs = glyphSet.glyphs
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
