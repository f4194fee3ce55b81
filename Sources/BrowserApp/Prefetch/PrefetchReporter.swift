import Foundation
import ImageLoading
import Lists
import Retrying

/// Reports the progress of a prefetch: on a terminal, as plain lines, or as JSON.
///
/// List names and reasons are redacted.
protocol PrefetchReporter {
    /// Whether it shows running transfers.
    var followsTransfers: Bool { get }
    /// Starts the report. `resumed` is the number of items that the interrupted run finished.
    mutating func start(_ settings: PrefetchSettings, resumed: Int)
    mutating func listGrew(items: Int, isFinal: Bool)
    mutating func lineRejected(_ line: Int, list: String, reason: String)
    /// Reports that a part of a usable line was left out.
    mutating func partOmitted(_ line: Int, list: String, reason: String)
    mutating func started(_ item: ItemRecord)
    mutating func progress(_ item: ItemRecord, _ progress: DownloadProgress)
    mutating func retrying(_ item: ItemRecord, error: ImageError, delay: Duration)
    /// Reports that an item waits for its host, which has paused or is failing.
    mutating func waits(_ item: ItemRecord)
    mutating func hostChanged(_ event: HostEvent)
    mutating func finished(_ item: ItemRecord, _ outcome: ItemOutcome)
    mutating func tick(_ tally: PrefetchTally)
    /// Reports that a signal was received and nothing new is started.
    mutating func interrupted()
    /// Prepares for a stop of the process.
    mutating func suspend()
    /// Continues after a stop of the process.
    mutating func resume()
    mutating func finish(_ tally: PrefetchTally)
}

extension PrefetchReporter {
    var followsTransfers: Bool { false }
    mutating func start(_ settings: PrefetchSettings, resumed: Int) {}
    mutating func listGrew(items: Int, isFinal: Bool) {}
    mutating func partOmitted(_ line: Int, list: String, reason: String) {
        lineRejected(line, list: list, reason: reason)
    }
    mutating func started(_ item: ItemRecord) {}
    mutating func progress(_ item: ItemRecord, _ progress: DownloadProgress) {}
    mutating func retrying(_ item: ItemRecord, error: ImageError, delay: Duration) {}
    mutating func waits(_ item: ItemRecord) {}
    mutating func hostChanged(_ event: HostEvent) {}
    mutating func tick(_ tally: PrefetchTally) {}
    mutating func interrupted() {}
    mutating func suspend() {}
    mutating func resume() {}
}

extension Redaction {
    /// Returns the message about an unusable line, or the reason alone if there is no line.
    static func rejection(_ line: Int, of list: String, reason: String) -> String {
        line > 0 ? "\(display(list)): line \(line): \(reason)" : reason
    }
}
