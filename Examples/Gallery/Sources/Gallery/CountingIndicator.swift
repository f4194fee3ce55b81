import TerminalGraphics

/// Says how many per cent have come, or how many bytes where that is all that is known.
struct CountingIndicator: Indicator {
    func frame(_ moment: IndicatorContext) -> PlaceholderContent {
        .text([moment.percentage.map { "\($0) %" } ?? "\(moment.received) bytes"])
    }
}
