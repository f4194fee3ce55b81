/// Bytes and items per second, averaged over the last 15 seconds of samples.
struct RateMeter: Sendable, Equatable {
    struct Sample: Sendable, Equatable {
        let milliseconds: Int
        let bytes: Int
        let items: Int
    }

    /// The averaged time and the minimum time between samples, in milliseconds.
    static let window = 15_000
    static let step = 500

    private var samples: [Sample] = []

    /// Adds running totals at a time; ignores a sample less than half a second after the last one.
    mutating func add(_ sample: Sample) {
        if let last = samples.last, sample.milliseconds - last.milliseconds < RateMeter.step { return }
        samples.append(sample)
        while samples.count > 2, sample.milliseconds - samples[1].milliseconds >= RateMeter.window {
            samples.removeFirst()
        }
    }

    /// Bytes per second; nil until there are two samples.
    var bytes: Int? { perSecond(\.bytes).map { Int($0) } }

    /// Items per second; nil until there are two samples.
    var items: Double? { perSecond(\.items) }

    private func perSecond(_ value: (Sample) -> Int) -> Double? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let elapsed = last.milliseconds - first.milliseconds
        guard elapsed > 0 else { return nil }
        return min(max(0, Double(value(last)) - Double(value(first))) / Double(elapsed) * 1000, 1e15)
    }
}
