import Raster

/// Shows that a picture is on its way; one's own conforms to it.
///
/// A frame depends on nothing but the moment, so an indicator needs no timer and no state. One that counts per cent:
/// ```swift
/// struct CountingIndicator: Indicator {
///     func frame(_ moment: IndicatorMoment) -> StandInLook {
///         .text([moment.percentage.map { "\($0) %" } ?? "\(moment.received) bytes"])
///     }
/// }
/// ```
public protocol Indicator: Sendable {
    /// How long its frames stand, for one that moves by itself; nil, the default, changes with the progress only.
    var interval: Duration? { get }

    /// What it looks like at a moment.
    func frame(_ moment: IndicatorMoment) -> StandInLook
}

extension Indicator {
    public var interval: Duration? { nil }
}

/// What is known of a load at a moment.
public struct IndicatorMoment: Sendable, Hashable {
    /// Since the load began.
    public var elapsed: Duration
    /// Bytes.
    public var received: Int
    /// Bytes; nil while nobody has said.
    public var total: Int?
    /// The room there is.
    public var grid: GridSize
    /// The size of a cell, for pictures.
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

    /// 0…100, rounded down; nil where the total is not known, for a false percentage is worse than none.
    public var percentage: Int? {
        guard let total, total > 0 else { return nil }
        return Int(Double(min(max(0, received), total)) / Double(total) * 100)
    }
}
