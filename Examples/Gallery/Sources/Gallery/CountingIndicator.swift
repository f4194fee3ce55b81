import TerminalGraphics

/// Shows the percentage, or the number of bytes when the total is unknown.
struct CountingIndicator: Indicator {
    func frame(_ moment: IndicatorContext) -> PlaceholderContent {
        .text([moment.percentage.map { "\($0) %" } ?? "\(moment.received) bytes"])
    }
}
