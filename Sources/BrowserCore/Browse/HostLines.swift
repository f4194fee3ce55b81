import Raster

/// The hosts in trouble, one line each, above the tasks.
struct HostLines {
    /// The most that are shown, so that the tasks keep their room.
    static let limit = 4

    let state: BrowseState
    let rect: Rect
    /// The host at whose line the cursor stands.
    var chosen: String?

    /// How many lines there are, the empty one below them included.
    static func rows(_ state: BrowseState) -> Int {
        let count = min(limit, state.hostBoard.hosts.count)
        return count == 0 ? 0 : count + 1
    }

    func draw(_ canvas: inout Canvas) {
        let hosts = state.hostBoard.hosts.prefix(Self.limit)
        let longest = hosts.map { CellWidth.of($0.host) }.max() ?? 0
        let waiting = state.waitingCounts
        for (row, host) in hosts.enumerated() where row < rect.rows {
            let line = rect.row + row
            // Behind the name how the host stands, and how many items wait for it.
            let width = min(longest, 30, max(rect.columns / 4, rect.columns - 46))
            draw(host, waiting: waiting[host.host] ?? 0, at: line, nameWidth: width, &canvas)
            guard host.host == chosen else { continue }
            canvas.select(rect.column + 2, line, width: rect.columns - 3)
            canvas.write(state.glyphs.selected, rect.column + 1, line, width: 1, .accent)
        }
    }

    private func draw(
        _ host: HostStatus, waiting: Int, at line: Int, nameWidth: Int, _ canvas: inout Canvas
    ) {
        let end = rect.column + rect.columns - 1
        let start = canvas.write(sign(of: host), rect.column + 3, line, width: 2) + 1
        let name = Fitting.truncateMiddle(host.host, to: nameWidth, ellipsis: state.glyphs.ellipsis)
        canvas.write(name, start, line, width: nameWidth)
        let text = start + nameWidth + 2
        var next = canvas.write(words(for: host), text, line, width: end - text, style(of: host))
        let facts = [
            waiting > 0 ? "\(Units.count(waiting)) waiting" : "",
            "retries \(Units.count(host.retriesTaken))/\(Units.count(host.retriesAllowed))",
        ]
        for fact in facts where !fact.isEmpty && end - next - 2 >= CellWidth.of(fact) {
            next = canvas.write(fact, next + 2, line, width: end - next - 2, .dim)
        }
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
