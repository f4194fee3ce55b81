import BrowserCore
import ImageLoading
import Retrying
import Synchronization

/// Tells the list how its items fare, with the rates of what is on its way.
final class StatusReporter: Sendable {
    private let inbox: Inbox<BrowseMessage>
    private let attempts: Int
    private let now: @Sendable () -> Duration
    private let starts = Mutex<[ItemID: Start]>([:])
    private let histories = Mutex<[ItemID: AttemptHistory]>([:])

    /// Where the measuring of a rate began: a load may join a transfer that is half done.
    private struct Start {
        let time: Duration
        let bytes: Int
    }

    /// `attempts` is how many there are in all; `now` is time since any fixed moment.
    init(inbox: Inbox<BrowseMessage>, attempts: Int, now: @escaping @Sendable () -> Duration = MonotonicTime.now) {
        self.inbox = inbox
        self.attempts = attempts
        self.now = now
    }

    /// An item's own load.
    func report(_ item: ItemID, _ event: LoadEvent) {
        switch event {
        case .started:
            histories.withLock { $0[item]?.begin() }
            starts.withLock { $0[item] = Start(time: now(), bytes: 0) }
            set(item, .connecting)
        case .progress(let progress):
            set(item, .loading(received: progress.received, total: progress.total, rate: rate(of: item, progress)))
        case .received, .partial: break
        case .answered(_, let redirects):
            histories.withLock { histories in
                histories[item, default: AttemptHistory(failed: 0, answer: "", of: attempts)].redirects = redirects
            }
        case .parked(let rejection):
            set(
                item,
                .parked(
                    seconds: (rejection.delay ?? .zero).wholeSeconds, reason: rejection.reason,
                    answer: history(of: item)?.answer ?? ""))
        case .retrying(let attempt, let error, let delay):
            histories.withLock { $0[item] = AttemptHistory(failed: attempt - 1, answer: error.title, of: attempts) }
            set(item, .retrying(attempt: attempt, of: attempts, seconds: delay.wholeSeconds, reason: error.title))
        }
    }

    /// The prefetcher's.
    func report(_ event: PrefetchEvent) {
        switch event {
        case .started(let id): report(ItemID(id), .started)
        case .progress(let id, let progress): report(ItemID(id), .progress(progress))
        case .retrying(let id, let attempt, let error, let delay):
            report(ItemID(id), .retrying(attempt: attempt, error: error, delay: delay))
        case .answered(let id, let code, let redirects):
            report(ItemID(id), .answered(statusCode: code, redirects: redirects))
        case .hostChanged: break
        case .parked(let id, let rejection): report(ItemID(id), .parked(rejection))
        case .finished(let id, let result): end(ItemID(id), .onDisk(bytes: result.byteCount))
        case .failed(let id, .cache(.cannotStore)): leaveForLater(ItemID(id))
        case .failed(let id, let error):
            end(ItemID(id), error.isTaskCancelled ? .waiting : .failed(reason: error.title))
        }
    }

    /// A picture that came but cannot be kept can be shown all the same: it is fetched when it is looked at.
    private func leaveForLater(_ item: ItemID) {
        starts.withLock { $0[item] = nil }
        inbox.post(.removedFromCaches([item]))
    }

    /// The attempts at an item that failed, or were needed, so far; nil for one that came at once.
    func history(of item: ItemID) -> AttemptHistory? { histories.withLock { $0[item] } }

    /// An item's work is over.
    func end(_ item: ItemID, _ status: ItemStatus) {
        histories.withLock { histories in
            if case .failed(let reason) = status {
                histories[item, default: AttemptHistory(failed: 0, answer: "", of: attempts)].fail(reason)
            } else if case .waiting = status {
                histories[item] = nil
            } else {
                histories[item]?.succeed()
            }
        }
        starts.withLock { $0[item] = nil }
        set(item, status)
    }

    private func set(_ item: ItemID, _ status: ItemStatus) { inbox.post(.statusChanged(item, status)) }

    /// Bytes a second since the measuring began; nil in its first quarter of a second.
    private func rate(of item: ItemID, _ progress: DownloadProgress) -> Int? {
        let moment = now()
        let start = starts.withLock { starts in
            let known = starts[item] ?? Start(time: moment, bytes: progress.received)
            starts[item] = known
            return known
        }
        let elapsed = (moment - start.time).milliseconds
        guard elapsed >= 250 else { return nil }
        return Int(Double(max(0, progress.received - start.bytes)) * 1000 / Double(elapsed))
    }
}
