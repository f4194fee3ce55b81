import Foundation

/// A schedule that decides which scans become partial pictures, and when.
package struct ScanSchedule: Sendable {
    private let options: ImageProgressive
    private var scanner = ProgressiveScanner()
    private var waiting: [ProgressiveScan] = []
    private var lastShown: Duration?

    /// Creates a schedule for a file that has not begun to arrive.
    package init(_ options: ImageProgressive) { self.options = options }

    /// Adds the next bytes of the file.
    package mutating func append(_ bytes: some ContiguousBytes) {
        waiting += scanner.append(bytes)
        if options.isFastestScan { waiting = waiting.suffix(1) }
    }

    /// Removes and returns the scan to show now; nil if there is none or the interval is not over.
    ///
    /// Call it until it returns nil: without an interval, several scans may be due.
    ///
    /// - Parameter now: The time since any fixed moment.
    package mutating func next(at now: Duration) -> ProgressiveScan? {
        guard !waiting.isEmpty, due.map({ now >= $0 }) ?? true else { return nil }
        lastShown = now
        return waiting.removeFirst()
    }

    /// The time at which to call `next(at:)` again if no bytes arrive before; nil if no scan waits.
    package var nextDue: Duration? { waiting.isEmpty ? nil : due ?? .zero }

    private var due: Duration? { lastShown.map { $0 + max(.zero, min(options.scanInterval, .seconds(86_400))) } }
}
