import Foundation

/// Decides which scans become partial pictures, and when.
public struct ScanSchedule: Sendable {
    private let options: ImageProgressive
    private var scanner = ProgressiveScanner()
    private var waiting: [ProgressiveScan] = []
    private var lastShown: Duration?

    /// A schedule of a file of which no byte is there yet.
    public init(_ options: ImageProgressive) { self.options = options }

    /// Takes the file's next bytes.
    public mutating func append(_ bytes: some ContiguousBytes) {
        waiting += scanner.append(bytes)
        if options.isFastestScan { waiting = waiting.suffix(1) }
    }

    /// The scan to show now, once; nil when there is none or the interval since the last one is not over.
    ///
    /// Ask again until the answer is nil: without an interval, several scans may be due. `now` is the time since any
    /// fixed moment.
    public mutating func next(at now: Duration) -> ProgressiveScan? {
        guard !waiting.isEmpty, due.map({ now >= $0 }) ?? true else { return nil }
        lastShown = now
        return waiting.removeFirst()
    }

    /// When to ask again if no bytes come before; nil when nothing waits.
    public var nextDue: Duration? { waiting.isEmpty ? nil : due ?? .zero }

    private var due: Duration? { lastShown.map { $0 + max(.zero, min(options.scanInterval, .seconds(86_400))) } }
}
