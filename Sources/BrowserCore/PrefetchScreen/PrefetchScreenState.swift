import AlcedoScreen

/// The state of a prefetch's progress lines; its size does not grow with the list.
package struct PrefetchScreenState: Sendable, Equatable {
    struct Failure: Sendable, Equatable {
        let line: Int
        let location: String
        let reason: String
    }

    /// The failures of one kind.
    struct Reason: Sendable, Equatable {
        var count = 0
        var first: [Failure] = []

        mutating func add(_ failure: Failure) {
            count += 1
            if first.count < PrefetchScreenState.namedFailures { first.append(failure) }
        }
    }

    /// The status of a host in trouble.
    struct HostNotice: Sendable, Equatable {
        let host: String
        let text: String
    }

    /// Limits: failures shown, kinds of failures counted, failures of each kind named in the summary.
    static let shownFailures = 3
    static let countedReasons = 12
    static let namedFailures = 5
    /// The maximum number of hosts with a notice.
    static let noticedHosts = 8
    static let otherReasons = "other reasons"

    package let title: String
    package let isASCII: Bool
    /// Milliseconds of the first and of the last tick.
    private(set) var start: Int?
    private(set) var now = 0
    package private(set) var items = 0
    package private(set) var isListComplete = false
    private(set) var board: TransferBoard
    private(set) var rates = RateMeter()
    /// Bytes received over the network, and bytes that needed no transfer.
    private(set) var receivedBytes = 0
    private(set) var savedBytes = 0
    private(set) var failures: [Failure] = []
    private(set) var reasons: [String: Reason] = [:]
    /// Notices, the latest last.
    private(set) var notices: [HostNotice] = []
    /// Whether there ever was a notice: the block keeps that row.
    private(set) var hasNotices = false
    package private(set) var failed = 0
    package private(set) var retried = 0
    private var outcomes: [PrefetchOutcome: Int] = [:]
    /// Items that wait for their host.
    private var waitingForHost: Set<Int> = []
    /// Items that wait for their next attempt.
    private var waitingForRetry: Set<Int> = []
    private var lastFinish = 0
    /// The word for items that the network delivered.
    package var fetchedWord = "fetched"

    /// Creates the state of a prefetch that has not begun.
    ///
    /// - Parameter perHost: the maximum number of transfers per host; unlimited by default.
    package init(title: String, isASCII: Bool = false, perHost: Int = .max) {
        self.title = SafeText.clean(title)
        self.isASCII = isASCII
        board = TransferBoard(limitPerHost: perHost)
    }

    /// Returns the number of items with an outcome.
    package func count(of outcome: PrefetchOutcome) -> Int { outcomes[outcome] ?? 0 }

    /// The number of items that wait for a host or for their next attempt.
    package var waitingCount: Int { waitingForHost.union(waitingForRetry).count }

    /// The number of finished and failed items.
    package var done: Int { outcomes.values.reduce(failed, +) }

    /// Milliseconds between the first and the last tick.
    package var elapsed: Int { now - (start ?? now) }

    /// The estimated seconds until the rest is done, from the present rate of items.
    ///
    /// Nil while no item finishes because hosts are paused or all remaining items wait for another attempt, and below one
    /// second, because the last items may take much longer than the average.
    var secondsLeft: Int? {
        guard isListComplete, let rate = rates.items, rate > 0 else { return nil }
        let isHeldUp = !waitingForHost.isEmpty || waitingForRetry.count >= items - done && !waitingForRetry.isEmpty
        guard !isHeldUp || now - lastFinish < 2_000 else { return nil }
        let seconds = Int(min(Double(max(0, items - done)) / rate, 1e9))
        return seconds > 0 ? seconds : nil
    }

    var glyphs: GlyphSet { GlyphSet.set(isASCII: isASCII) }
}

// MARK: - Events

extension PrefetchScreenState {
    /// Records the number of items known so far; `isFinal` if the list was read to its end.
    package mutating func listGrew(items count: Int, isFinal: Bool) {
        (items, isListComplete) = (max(items, count), isFinal)
    }

    /// Adds or updates the transfer of an item.
    package mutating func transfer(_ item: Int, name: String, host: String, received: Int, total: Int?) {
        board.update(item, name: name, host: host, received: received, total: total, at: now)
    }

    package mutating func finish(_ item: Int, _ outcome: PrefetchOutcome, bytes: Int = 0) {
        removeTransfer(item)
        outcomes[outcome, default: 0] += 1
        guard outcome == .hit || outcome == .revalidated else { return }
        savedBytes = savedBytes.addingClamped(max(0, bytes))
    }

    /// Records a failure.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - line: Its line in the list; 0 if it has none.
    ///   - location: Its location, without secrets.
    ///   - reason: The reason.
    ///   - kind: A text that similar failures have in common.
    package mutating func fail(_ item: Int, line: Int, location: String, reason: String, kind: String) {
        removeTransfer(item)
        failed += 1
        let failure = Failure(line: line, location: SafeText.clean(location), reason: SafeText.clean(reason))
        failures.append(failure)
        if failures.count > Self.shownFailures { failures.removeFirst() }
        let kind = SafeText.clean(kind)
        let isKnown = reasons[kind] != nil || reasons.count < Self.countedReasons
        reasons[isKnown ? kind : Self.otherReasons, default: Reason()].add(failure)
    }

    /// Records that an item waits for its next attempt; its row is free for a running transfer.
    package mutating func waitForRetry(_ item: Int) {
        retried += 1
        waitingForRetry.insert(item)
        board.remove(item)
    }

    /// Records that an item waits for its host, which is paused or failing; its row is free for a running transfer.
    package mutating func waitForHost(_ item: Int) {
        waitingForHost.insert(item)
        board.remove(item)
    }

    /// Records that an item no longer waits.
    package mutating func resume(_ item: Int) {
        waitingForHost.remove(item)
        waitingForRetry.remove(item)
    }

    /// Removes the transfer of an item that was cancelled and is not finished.
    package mutating func cancel(_ item: Int) { removeTransfer(item) }

    /// Sets the status of a host; nil if there is no trouble any more.
    package mutating func setNotice(_ text: String?, of host: String) {
        let host = SafeText.clean(host)
        notices.removeAll { $0.host == host }
        guard let text else { return }
        notices.append(HostNotice(host: host, text: SafeText.clean(text)))
        if notices.count > Self.noticedHosts { notices.removeFirst() }
        hasNotices = true
    }

    /// Records the time and the total number of bytes received over the network.
    package mutating func tick(milliseconds: Int, received: Int) {
        now = min(max(now, milliseconds), Int.max / 2)
        if start == nil { start = now }
        receivedBytes = max(receivedBytes, received)
        rates.add(RateMeter.Sample(milliseconds: now, bytes: receivedBytes, items: done))
    }

    private mutating func removeTransfer(_ item: Int) {
        resume(item)
        lastFinish = now
        board.remove(item)
    }
}

/// The running transfers, eight of which have rows that they keep until they finish.
///
/// A host gets no more rows than it has connections, because its other transfers are still queued.
struct TransferBoard: Sendable, Equatable {
    struct Transfer: Sendable, Equatable {
        let name: String
        let host: String
        let start: Int
        /// Bytes that were present when the transfer began.
        let first: Int
        var received: Int
        var total: Int?

        /// Returns bytes per second since the transfer began; nil in the first half second.
        func rate(at now: Int) -> Int? {
            let elapsed = now - start
            guard elapsed >= 500 else { return nil }
            return Int(min(max(0, Double(received) - Double(first)) / Double(elapsed) * 1000, 1e15))
        }
    }

    static let places = 8

    private let limitPerHost: Int
    private var transfers: [Int: Transfer] = [:]
    private var shown: [Int?] = Array(repeating: nil, count: TransferBoard.places)
    /// The most rows that were ever used: the block keeps that height.
    private(set) var height = 0

    init(limitPerHost: Int = .max) { self.limitPerHost = max(1, limitPerHost) }

    var count: Int { transfers.count }

    /// Returns the transfer in a row.
    func transfer(at place: Int) -> Transfer? { shown[place].flatMap { transfers[$0] } }

    /// Adds or updates a transfer.
    mutating func update(_ line: Int, name: String, host: String, received: Int, total: Int?, at now: Int) {
        let received = max(0, received)
        if transfers[line] != nil {
            transfers[line]?.received = received
            transfers[line]?.total = total
            return
        }
        let transfer = Transfer(
            name: SafeText.clean(name), host: SafeText.clean(host), start: now, first: received, received: received,
            total: total)
        transfers[line] = transfer
        if let place = shown.firstIndex(of: nil), mayShow(transfer) { show(line, at: place) }
    }

    /// Removes a transfer; another one takes over its row.
    mutating func remove(_ line: Int) {
        transfers[line] = nil
        guard let place = shown.firstIndex(of: line) else { return }
        shown[place] = nil
        let others = transfers.filter { !shown.contains($0.key) }.sorted { $0.key < $1.key }
        if let next = others.first(where: { mayShow($0.value) }) { show(next.key, at: place) }
    }

    private func mayShow(_ transfer: Transfer) -> Bool {
        shown.count { $0.flatMap { transfers[$0] }?.host == transfer.host } < limitPerHost
    }

    private mutating func show(_ line: Int, at place: Int) {
        shown[place] = line
        height = max(height, place + 1)
    }
}

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

/// The outcome of an item that did not fail.
package enum PrefetchOutcome: String, Hashable, Sendable, CaseIterable {
    case hit, fetched, revalidated, duplicate, skipped, planned
}
