import AlcedoScreen
import Raster

/// The bytes that were received in each of the last seconds.
struct Throughput: Sendable, Equatable {
    /// The seconds that are kept.
    static let window = 60

    /// The bytes of the seconds in which some arrived.
    private var seconds: [Int: Int] = [:]

    mutating func add(_ bytes: Int, at milliseconds: Int) {
        guard bytes > 0 else { return }
        let number = milliseconds / 1000
        if seconds[number] == nil { seconds = seconds.filter { $0.key >= number - Self.window } }
        seconds[number] = (seconds[number] ?? 0).addingClamped(bytes)
    }

    /// Returns the bytes of each whole second before a time, the latest last.
    func bytes(before milliseconds: Int) -> [Int] {
        (milliseconds / 1000 - Self.window..<milliseconds / 1000).map { seconds[$0] ?? 0 }
    }

    /// Returns the bytes per second of the last ten whole seconds since a time; nil until there are three of them.
    func rate(since start: Int, at milliseconds: Int) -> Double? {
        let end = milliseconds / 1000
        let first = seconds.keys.filter { $0 >= start / 1000 }.min().map { max($0, end - 10) } ?? end
        guard end - first >= 3 else { return nil }
        return (first..<end).reduce(0) { $0 + Double(seconds[$1] ?? 0) } / Double(end - first)
    }

    /// Returns whether bytes arrived in the window before a time or in its second.
    func isMoving(at milliseconds: Int) -> Bool { seconds.keys.contains { milliseconds / 1000 - $0 <= Self.window } }
}

/// An estimate of the time left, kept as the moment of the end: it counts down by itself and does not follow every change
/// of the rate.
struct TimeLeft: Sendable, Equatable {
    private var end: Int?

    /// Takes a new estimate if the one in use is off by a quarter and more than two seconds; nil forgets it.
    mutating func update(_ seconds: Double?, at now: Int) {
        let left = end.map { Double($0 - now) / 1000 }
        if let seconds, let left, abs(seconds - left) <= max(2, left / 4) { return }
        end = seconds.map { now + Int(min($0, 1e9) * 1000) }
    }

    /// Returns the whole seconds that are left; nil if they are unknown or less than one.
    func seconds(at now: Int) -> Int? { end.flatMap { $0 - now < 1000 ? nil : ($0 - now + 999) / 1000 } }
}

/// A graph of the bytes per second, with the last, the largest and the mean value beside it.
struct ThroughputGraph {
    /// The columns from which there are numbers, and three rows.
    static let wide = 60
    /// The cells for the numbers.
    private static let numbersWidth = 38

    let throughput: Throughput
    let now: Int
    /// The pictures per second; nil if unknown.
    let items: Double?

    /// Returns the number of rows in a pane; none on a low screen.
    static func rows(screen rows: Int, columns: Int) -> Int { rows < 16 ? 0 : columns < wide ? 1 : 3 }

    func draw(in rect: Rect, _ canvas: inout Canvas) {
        let hasNumbers = rect.columns >= Self.wide
        let width = min(Throughput.window, rect.columns - (hasNumbers ? Self.numbersWidth + 2 : 2))
        guard width > 0, rect.rows > 0 else { return }
        let bytes = throughput.bytes(before: now)
        let shown = bytes.suffix(width)
        let top = max(1, shown.max() ?? 0)
        let lines = canvas.glyphs.graph(shown.map { Double($0) / Double(top) }, rows: rect.rows)
        for (row, line) in lines.enumerated() {
            canvas.write(line, rect.column + 1, rect.row + row, width: width, Style(.bar))
        }
        guard hasNumbers else { return }
        let count = max(1, min(width, now / 1000))
        let mean = shown.reduce(0) { $0.addingClamped($1) } / count
        let files = items.map { Units.counted(Int($0.rounded()), "file") + "/s" } ?? ""
        let numbers = [("now", bytes.last ?? 0, files), ("peak", shown.max() ?? 0, ""), ("mean", mean, "\(count) s")]
        for (row, (label, value, more)) in numbers.prefix(rect.rows).enumerated() {
            let (start, line) = (rect.column + width + 3, rect.row + row)
            canvas.write(label, start, line, width: 4, .dim)
            canvas.write(StyledText(Units.rate(value)), endingAt: start + 18, line, width: Units.rateWidth)
            canvas.write(more, start + 21, line, width: 14, .dim)
        }
    }
}
