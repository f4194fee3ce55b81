import AlcedoBrowserCore
import TerminalGraphics

/// The indicator of a slow load in the browser.
public enum BrowserIndicator: Sendable {
    /// No indicator.
    case none
    /// A bar with bytes and rate.
    case bar
    /// A disc that fills, with bytes and rate.
    case disc
    /// Another indicator, with its height in rows.
    case custom(any Indicator, rows: Int)

    var style: IndicatorStyle {
        switch self {
        case .none: .none
        case .bar: .bar
        case .disc: .disc
        case .custom(_, let rows): .custom(rows: rows)
        }
    }

    var indicator: any Indicator {
        if case .custom(let indicator, _) = self { indicator } else { NoIndicator() }
    }
}
