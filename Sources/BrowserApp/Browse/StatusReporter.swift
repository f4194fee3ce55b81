import AlcedoBrowserCore
import AlcedoPrefetch
import FoundationEssentials
import ImageLoading
import Retrying
import Synchronization

/// Reports the status of items to the list, with the rates of running transfers.
final class StatusReporter: Sendable {
    private let inbox: Inbox<BrowseMessage>
    private let attempts: Int
    private let now: @Sendable () -> Duration
    private let starts = Mutex<[ItemID: Start]>([:])
    private let histories = Mutex<[ItemID: AttemptHistory]>([:])
    /// For each item, the number of finished loads whose messages the list has not read yet.
    private let unread = Mutex<[ItemID: Int]>([:])

    /// The start of a rate measurement: a load may join a transfer that is half done.
    private struct Start {
        let time: Duration
        let bytes: Int
    }

    /// - Parameters:
    ///   - attempts: Maximum number of attempts.
    ///   - now: The time since a fixed moment.
    init(inbox: Inbox<BrowseMessage>, attempts: Int, now: @escaping @Sendable () -> Duration = RunClock.system.now) {
        (self.inbox, self.attempts, self.now) = (inbox, attempts, now)
    }

    /// Reports an event of an item's own load.
    func report(_ item: ItemID, _ event: LoadEvent) {
        switch event {
        case .started:
            histories.withLock { $0[item]?.begin() }
            starts.withLock { $0[item] = Start(time: now(), bytes: 0) }
            set(item, .connecting)
        case .progress(let progress):
            set(
                item,
                .loading(
                    received: progress.received, total: progress.total, rate: rate(of: item, progress),
                    times: progress.firstByte.map { TransferTimes(progress.phases, firstByte: $0) }))
        case .received, .partial, .refused: break
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

    /// Reports an event of the prefetcher.
    ///
    /// - Parameter source: Returns an item's source, on which depends what a failure means.
    func report(_ event: PrefetchEvent, source: (ItemID) -> Source?) {
        switch event {
        case .load(let id, let event): report(ItemID(id), event)
        case .hostChanged: break
        case .finished(let id, let result): report(ItemID(id), .onDisk(bytes: result.byteCount))
        case .failed(let id, .cache(.cannotStore)):
            countRead(ItemID(id))
            markNotLoaded(ItemID(id))
        case .failed(let id, let error) where error.isTaskCancelled: report(ItemID(id), .waiting)
        case .failed(let id, let error):
            let attempts = max(1, history(of: ItemID(id))?.attempts ?? 1)
            report(ItemID(id), .failed(reason: error.title))
            inbox.post(.failureKnown(ItemID(id), FailureFacts(error, of: source(ItemID(id)), attempts: attempts)))
        }
    }

    /// Marks an item as not loaded; a picture that was downloaded but could not be stored is loaded again when it is
    /// shown.
    private func markNotLoaded(_ item: ItemID) {
        starts.withLock { $0[item] = nil }
        inbox.post(.removedFromCaches([item]))
    }

    /// Returns the failed or needed attempts of an item; nil if its first attempt succeeded.
    func history(of item: ItemID) -> AttemptHistory? { histories.withLock { $0[item] } }

    /// Notes that the prefetcher has finished an item; the event that says so follows.
    func didFinish(_ item: ItemID) { unread.withLock { $0[item, default: 0] += 1 } }

    /// Reports the final status of an item.
    func finish(_ item: ItemID, _ status: ItemStatus) {
        didFinish(item)
        report(item, status)
    }

    private func report(_ item: ItemID, _ status: ItemStatus) {
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

    /// Notes that the list reads a message.
    func didRead(_ message: BrowseMessage) {
        if case .statusChanged(let item, let status) = message, status.isFinal { countRead(item) }
    }

    private func countRead(_ item: ItemID) {
        unread.withLock { unread in
            guard let count = unread[item] else { return }
            unread[item] = count > 1 ? count - 1 : nil
        }
    }

    /// Returns whether an item has finished and the list does not know that yet.
    func isFinishedUnread(_ item: ItemID) -> Bool { unread.withLock { $0[item] != nil } }

    private func set(_ item: ItemID, _ status: ItemStatus) { inbox.post(.statusChanged(item, status)) }

    /// Returns the bytes a second since the measurement began; nil in its first quarter of a second.
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

/// The attempts of an item's latest load: their number and the last failure.
struct AttemptHistory: Sendable, Equatable {
    private(set) var attempts: Int
    private(set) var answer: String
    /// The redirects before the last failed response.
    var redirects: [URL] = []
    /// Maximum number of attempts.
    let limit: Int
    /// Whether the next attempt belongs to a new load.
    private var isOver = false

    init(failed attempts: Int, answer: String, of limit: Int) {
        (self.attempts, self.answer, self.limit) = (max(0, attempts), answer, limit)
        isBetween = true
    }

    /// Whether an attempt has failed and the next one has not begun.
    private var isBetween: Bool

    /// Records that an attempt begins.
    mutating func begin() {
        if isOver { self = AttemptHistory(failed: 0, answer: "", of: limit) }
        if isBetween { attempts += 1 }
        isBetween = false
    }

    /// Records that the load has succeeded.
    mutating func succeed() { (answer, redirects, isOver, isBetween) = ("", [], true, true) }

    /// Records that the load has failed.
    mutating func fail(_ reason: String) {
        (attempts, answer, isOver, isBetween) = (max(1, attempts), reason, true, true)
    }
}

extension ItemStatus {
    /// Whether it ends a load.
    fileprivate var isFinal: Bool {
        switch self {
        case .onDisk, .inMemory, .failed, .waiting: true
        default: false
        }
    }
}
