import Foundation

/// One line a case: the median, and how the other values lie about it.
enum Report {
    /// `goal` is what the median is to keep to, as text.
    static func line(_ name: String, unit: String, _ values: [Double], goal: String) {
        let sorted = values.sorted()
        guard let least = sorted.first, let most = sorted.last else { return }
        let shares = [0.5, 0.9, 0.99].map { sorted[min(sorted.count - 1, Int(Double(sorted.count) * $0))] }
        let title = name.padding(toLength: 52, withPad: " ", startingAt: 0)
        let percentiles = String(format: "p50 %@  p90 %@  p99 %@", text(shares[0]), text(shares[1]), text(shares[2]))
        let range = "\(text(least)) to \(text(most))"
        write("\(title)  \(percentiles) \(unit)  (n \(sorted.count), \(range); goal \(goal))\n")
    }

    private static func text(_ value: Double) -> String { String(format: value < 10 ? "%.2f" : "%.0f", value) }

    private static func write(_ line: String) { FileHandle.standardOutput.write(Data(line.utf8)) }
}
