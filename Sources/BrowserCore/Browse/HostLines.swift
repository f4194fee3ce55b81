import Raster

/// The hosts in trouble, one line each, above the tasks.
struct HostLines {
    /// The most that are shown, so that the tasks keep their room.
    private static let limit = 4

    let state: BrowseState
    let rect: Rect

    /// How many lines there are, the empty one below them included.
    static func rows(_ state: BrowseState) -> Int {
        let count = min(limit, state.hostBoard.hosts.count)
        return count == 0 ? 0 : count + 1
    }

    func draw(_ canvas: inout Canvas) {
        let hosts = state.hostBoard.hosts.prefix(Self.limit)
        let longest = hosts.map { CellWidth.of($0.host) }.max() ?? 0
        for (row, host) in hosts.enumerated() where row < rect.rows {
            draw(host, at: rect.row + row, nameWidth: min(longest, 30, max(0, rect.columns / 3)), &canvas)
        }
    }

    private func draw(_ host: HostStatus, at line: Int, nameWidth: Int, _ canvas: inout Canvas) {
        let end = rect.column + rect.columns - 1
        let start = canvas.write(sign(of: host), rect.column + 3, line, width: 2) + 1
        let name = Fitting.middle(host.host, to: nameWidth, ellipsis: state.glyphs.ellipsis)
        canvas.write(name, start, line, width: nameWidth)
        let text = start + nameWidth + 2
        let next = canvas.write(words(for: host), text, line, width: end - text, style(of: host))
        let budget = "retries \(Units.count(host.retriesTaken))/\(Units.count(host.retriesAllowed))"
        guard end - next - 3 >= CellWidth.of(budget) else { return }
        canvas.write(budget, next + 3, line, width: end - next - 3, .dim)
    }

    private func sign(of host: HostStatus) -> StyledText {
        switch host.trouble {
        case .parked, .failing, .slowed: StyledText(state.glyphs.parked, .warning)
        case .givenUp: StyledText(state.glyphs.failed, .failure)
        case .recovering: StyledText(state.glyphs.retrying, .warning)
        }
    }

    private func style(of host: HostStatus) -> Style { host.trouble == .givenUp ? .failure : .warning }

    private func words(for host: HostStatus) -> String {
        host.words(seconds: state.hostBoard.secondsLeft(of: host, at: state.now))
    }
}
