import ImageLoading
import Retrying

/// Shows how a prefetch goes; one for a terminal, one for a pipe, one for programs.
///
/// Lists and reasons come as they may be shown.
protocol PrefetchReporter {
    /// Whether it shows transfers under way.
    var followsTransfers: Bool { get }
    /// `resumed` is how many pictures an interrupted run has done.
    mutating func start(_ settings: PrefetchSettings, resumed: Int)
    mutating func listGrew(items: Int, isFinal: Bool)
    mutating func lineRejected(_ line: Int, list: String, reason: String)
    /// Of a line whose picture is fetched.
    mutating func partLeftOut(_ line: Int, list: String, reason: String)
    mutating func started(_ item: ItemRecord)
    mutating func progress(_ item: ItemRecord, _ progress: DownloadProgress)
    mutating func retrying(_ item: ItemRecord, error: ImageError, delay: Duration)
    /// It waits for its host, which pauses or keeps failing.
    mutating func waits(_ item: ItemRecord)
    mutating func hostChanged(_ event: HostEvent)
    mutating func ended(_ item: ItemRecord, _ outcome: ItemOutcome)
    mutating func tick(_ tally: PrefetchTally)
    /// A signal lets nothing new begin.
    mutating func interrupted()
    /// The process is about to stop.
    mutating func suspend()
    /// The process goes on after a stop.
    mutating func resume()
    mutating func finish(_ tally: PrefetchTally)
}

extension PrefetchReporter {
    var followsTransfers: Bool { false }
    mutating func start(_ settings: PrefetchSettings, resumed: Int) {}
    mutating func listGrew(items: Int, isFinal: Bool) {}
    mutating func partLeftOut(_ line: Int, list: String, reason: String) {
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
