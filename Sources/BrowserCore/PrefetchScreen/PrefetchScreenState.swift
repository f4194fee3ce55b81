/// All that the progress lines of a prefetch are made from, in memory that does not grow with the list.
package struct PrefetchScreenState: Sendable, Equatable {
    struct Failure: Sendable, Equatable {
        let line: Int
        let location: String
        let reason: String
    }

    /// What failed for one reason.
    struct Reason: Sendable, Equatable {
        var count = 0
        var first: [Failure] = []
    }

    /// How it stands with a host.
    struct Notice: Sendable, Equatable {
        let host: String
        let text: String
    }

    /// Failures kept to be shown, different reasons kept to be counted, and failures of each that are named at the end.
    static let shownFailures = 3
    static let countedReasons = 12
    static let namedFailures = 5
    /// Hosts of which it is kept how it stands with them.
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
    /// Bytes that came over the network, and bytes that did not have to.
    private(set) var receivedBytes = 0
    private(set) var savedBytes = 0
    private(set) var failures: [Failure] = []
    private(set) var reasons: [String: Reason] = [:]
    /// Of hosts of which something is to be known, the latest last.
    private(set) var notices: [Notice] = []
    /// Whether there ever were any: the block keeps that row.
    private(set) var hasNotices = false
    package private(set) var failed = 0
    package private(set) var retried = 0
    private var outcomes: [PrefetchOutcome: Int] = [:]
    private var waiting: Set<Int> = []
    /// Those that wait for their next attempt.
    private var resting: Set<Int> = []
    private var lastEnd = 0

    /// `perHost` is how many transfers run to one host at most; any number by default.
    package init(title: String, isASCII: Bool = false, perHost: Int = .max) {
        self.title = SafeText.clean(title)
        self.isASCII = isASCII
        board = TransferBoard(limitPerHost: perHost)
    }

    /// Items that ended so.
    package func count(of outcome: PrefetchOutcome) -> Int { outcomes[outcome] ?? 0 }

    /// Items that wait, for a host or for their next attempt.
    package var waitingCount: Int { waiting.union(resting).count }

    /// Items that need no more work.
    package var done: Int { outcomes.values.reduce(failed, +) }

    /// Milliseconds between the first and the last tick.
    package var elapsed: Int { now - (start ?? now) }

    /// Seconds until the rest is done at the present rate of items, as far as the rate tells.
    ///
    /// Nil while nothing ends because hosts are waited for, while all that is left waits for another attempt, and where
    /// less than a second would be left: items end at their own times, so that the last ones may take much longer.
    var secondsLeft: Int? {
        guard isListComplete, let rate = rates.items, rate > 0 else { return nil }
        let isHeldUp = !waiting.isEmpty || resting.count >= items - done && !resting.isEmpty
        guard !isHeldUp || now - lastEnd < 2_000 else { return nil }
        let seconds = Int(min(Double(max(0, items - done)) / rate, 1e9))
        return seconds > 0 ? seconds : nil
    }

    var glyphs: GlyphSet { GlyphSet.set(isASCII: isASCII) }

    mutating func grow(to count: Int, isFinal: Bool) {
        items = max(items, count)
        isListComplete = isFinal
    }

    mutating func tick(_ milliseconds: Int, received: Int) {
        now = min(max(now, milliseconds), Int.max / 2)
        if start == nil { start = now }
        receivedBytes = max(receivedBytes, received)
        rates.add(RateMeter.Sample(milliseconds: now, bytes: receivedBytes, items: done))
    }

    mutating func transfer(_ line: Int, name: String, host: String, received: Int, total: Int?) {
        board.update(line, name: name, host: host, received: received, total: total, at: now)
    }

    mutating func finish(_ line: Int, _ outcome: PrefetchOutcome, bytes: Int) {
        end(line)
        outcomes[outcome, default: 0] += 1
        guard outcome == .hit || outcome == .revalidated else { return }
        let (sum, overflow) = savedBytes.addingReportingOverflow(max(0, bytes))
        savedBytes = overflow ? .max : sum
    }

    mutating func fail(_ item: Int, line: Int, location: String, reason: String, kind: String) {
        end(item)
        failed += 1
        let failure = Failure(line: line, location: SafeText.clean(location), reason: SafeText.clean(reason))
        failures.append(failure)
        if failures.count > PrefetchScreenState.shownFailures { failures.removeFirst() }
        let kind = SafeText.clean(kind)
        let isKnown = reasons[kind] != nil || reasons.count < PrefetchScreenState.countedReasons
        reasons[isKnown ? kind : Self.otherReasons, default: Reason()].add(failure)
    }

    mutating func notice(_ host: String, _ text: String?) {
        let host = SafeText.clean(host)
        notices.removeAll { $0.host == host }
        guard let text else { return }
        notices.append(Notice(host: host, text: SafeText.clean(text)))
        if notices.count > Self.noticedHosts { notices.removeFirst() }
        hasNotices = true
    }

    /// Who waits leaves its row to one that runs.
    mutating func retry(_ line: Int) {
        retried += 1
        resting.insert(line)
        board.end(line)
    }

    mutating func wait(_ line: Int) {
        waiting.insert(line)
        board.end(line)
    }

    mutating func goOn(_ line: Int) {
        waiting.remove(line)
        resting.remove(line)
    }

    mutating func cancel(_ line: Int) { end(line) }

    private mutating func end(_ line: Int) {
        goOn(line)
        lastEnd = now
        board.end(line)
    }
}

extension PrefetchScreenState.Reason {
    fileprivate mutating func add(_ failure: PrefetchScreenState.Failure) {
        count += 1
        if first.count < PrefetchScreenState.namedFailures { first.append(failure) }
    }
}

/// The progress lines' only way from one state to the next; it never asks for anything.
package enum PrefetchScreenUpdate {
    /// Lets a message happen.
    package static func update(_ state: inout PrefetchScreenState, _ message: PrefetchScreenMessage) {
        switch message {
        case .listGrew(let items, let isFinal): state.grow(to: items, isFinal: isFinal)
        case .transfer(let line, let name, let host, let received, let total):
            state.transfer(line, name: name, host: host, received: received, total: total)
        case .finished(let line, let outcome, let bytes): state.finish(line, outcome, bytes: bytes)
        case .failed(let item, let line, let location, let reason, let kind):
            state.fail(item, line: line, location: location, reason: reason, kind: kind)
        case .retried(let line): state.retry(line)
        case .waiting(let line): state.wait(line)
        case .resumed(let line): state.goOn(line)
        case .hostNotice(let host, let text): state.notice(host, text)
        case .cancelled(let line): state.cancel(line)
        case .tick(let milliseconds, let received): state.tick(milliseconds, received: received)
        }
    }
}
