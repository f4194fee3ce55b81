import BrowserCore
import ImageLoading

/// A reporter that keeps the state of the progress lines; what it prints is made from that alone.
protocol StatefulReporter: PrefetchReporter {
    var state: PrefetchScreenState { get set }
}

extension StatefulReporter {
    mutating func update(_ message: PrefetchScreenMessage) { PrefetchScreenUpdate.update(&state, message) }

    mutating func listGrew(items: Int, isFinal: Bool) { update(.listGrew(items: items, isFinal: isFinal)) }

    mutating func started(_ item: ItemRecord) { transfer(item, received: 0, total: nil) }

    mutating func progress(_ item: ItemRecord, _ progress: DownloadProgress) {
        transfer(item, received: progress.received, total: progress.total)
    }

    mutating func retrying(_ item: ItemRecord, error: ImageError, delay: Duration) { update(.retried(line: item.id)) }

    /// Transfers are known by the item's number, failures are shown with the line in the list.
    mutating func keep(_ item: ItemRecord, _ outcome: ItemOutcome) {
        switch outcome {
        case .ended(let result):
            let outcome: PrefetchOutcome =
                result.isRevalidated ? .revalidated : result.cacheType == .none ? .fetched : .hit
            update(.finished(line: item.id, outcome: outcome, bytes: result.byteCount))
        case .duplicate: update(.finished(line: item.id, outcome: .duplicate, bytes: 0))
        case .failed(let error) where error.isTaskCancelled:
            update(.finished(line: item.id, outcome: .skipped, bytes: 0))
        case .failed(let error): update(.failed(line: item.id, location: item.shown, reason: error.title))
        }
    }

    private mutating func transfer(_ item: ItemRecord, received: Int, total: Int?) {
        update(.transfer(line: item.id, name: item.name, host: item.host, received: received, total: total))
    }
}

extension PrefetchSettings {
    /// What the progress is headed with.
    var heading: String { title ?? (lists.count == 1 ? lists[0] : "\(lists.count) sources") }

    /// The command that tries the failed ones again, when they were written to a file.
    var retryCommand: String? { failedFile.map { "alcedo prefetch \($0)" } }
}
