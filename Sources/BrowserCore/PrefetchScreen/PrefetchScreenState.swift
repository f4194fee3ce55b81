/// All that the progress lines of a prefetch are made from, in memory that does not grow with the list.
public struct PrefetchScreenState: Sendable, Equatable {
    struct Failure: Sendable, Equatable {
        let line: Int
        let location: String
        let reason: String
    }

    /// Failures kept to be shown, and different reasons kept to be counted.
    static let shownFailures = 3
    static let countedReasons = 12
    static let otherReasons = "other reasons"

    public let title: String
    public let isASCII: Bool
    /// Milliseconds of the first and of the last tick.
    private(set) var start: Int?
    private(set) var now = 0
    public private(set) var items = 0
    public private(set) var isListComplete = false
    private(set) var board: TransferBoard
    private(set) var rates = RateMeter()
    /// Bytes that came over the network, and bytes that did not have to.
    private(set) var fetchedBytes = 0
    private(set) var savedBytes = 0
    private(set) var failures: [Failure] = []
    private(set) var reasons: [String: Int] = [:]
    public private(set) var failed = 0
    public private(set) var retried = 0
    private var outcomes: [PrefetchOutcome: Int] = [:]
    private var waiting: Set<Int> = []
    private var lastEnd = 0

    /// `perHost` is how many transfers run to one host at most; any number by default.
    public init(title: String, isASCII: Bool = false, perHost: Int = .max) {
        self.title = SafeText.clean(title)
        self.isASCII = isASCII
        board = TransferBoard(limitPerHost: perHost)
    }

    /// Items that ended so.
    public func count(of outcome: PrefetchOutcome) -> Int { outcomes[outcome] ?? 0 }

    /// Items that wait for a host.
    public var waitingCount: Int { waiting.count }

    /// Items that need no more work.
    public var done: Int { outcomes.values.reduce(failed, +) }

    /// Milliseconds between the first and the last tick.
    public var elapsed: Int { now - (start ?? now) }

    /// Seconds until the rest is done at the present rate of items; nil when nobody can know, as while nothing ends
    /// because hosts are waited for.
    var secondsLeft: Int? {
        guard isListComplete, let rate = rates.items, rate > 0, waiting.isEmpty || now - lastEnd < 2_000 else {
            return nil
        }
        return Int(min(Double(max(0, items - done)) / rate, 1e9))
    }

    var glyphs: GlyphSet { GlyphSet.set(isASCII: isASCII) }

    mutating func grow(to count: Int, isFinal: Bool) {
        items = max(items, count)
        isListComplete = isFinal
    }

    mutating func tick(_ milliseconds: Int) {
        now = min(max(now, milliseconds), Int.max / 2)
        if start == nil { start = now }
        rates.add(RateMeter.Sample(milliseconds: now, bytes: fetchedBytes, items: done))
    }

    mutating func transfer(_ line: Int, name: String, host: String, received: Int, total: Int?) {
        let added = board.update(line, name: name, host: host, received: received, total: total, at: now)
        fetchedBytes = sum(fetchedBytes, added)
    }

    mutating func finish(_ line: Int, _ outcome: PrefetchOutcome, bytes: Int) {
        let received = end(line)
        outcomes[outcome, default: 0] += 1
        switch outcome {
        case .fetched: fetchedBytes = sum(fetchedBytes, max(0, max(0, bytes) - received))
        case .hit, .revalidated: savedBytes = sum(savedBytes, max(0, bytes))
        case .duplicate, .skipped, .planned: break
        }
    }

    mutating func fail(_ item: Int, line: Int, location: String, reason: String, kind: String) {
        end(item)
        failed += 1
        let reason = SafeText.clean(reason)
        failures.append(Failure(line: line, location: SafeText.clean(location), reason: reason))
        if failures.count > PrefetchScreenState.shownFailures { failures.removeFirst() }
        let kind = SafeText.clean(kind)
        let isKnown = reasons[kind] != nil || reasons.count < PrefetchScreenState.countedReasons
        reasons[isKnown ? kind : Self.otherReasons, default: 0] += 1
    }

    /// Who waits leaves its row to one that runs.
    mutating func retry(_ line: Int) {
        retried += 1
        _ = board.end(line)
    }

    mutating func wait(_ line: Int) {
        waiting.insert(line)
        _ = board.end(line)
    }

    mutating func goOn(_ line: Int) { waiting.remove(line) }

    mutating func cancel(_ line: Int) { end(line) }

    /// Answers the bytes that had come of it.
    @discardableResult
    private mutating func end(_ line: Int) -> Int {
        waiting.remove(line)
        lastEnd = now
        return board.end(line) ?? 0
    }

    private func sum(_ left: Int, _ right: Int) -> Int {
        let (total, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : total
    }
}

/// The progress lines' only way from one state to the next; it never asks for anything.
public enum PrefetchScreenUpdate {
    /// Lets a message happen.
    public static func update(_ state: inout PrefetchScreenState, _ message: PrefetchScreenMessage) {
        switch message {
        case .listGrew(let items, let isFinal): state.grow(to: items, isFinal: isFinal)
        case .transfer(let line, let name, let host, let received, let total):
            state.transfer(line, name: name, host: host, received: received, total: total)
        case .finished(let line, let outcome, let bytes): state.finish(line, outcome, bytes: bytes)
        case .failed(let item, let line, let location, let reason, let kind):
            state.fail(item, line: line, location: location, reason: reason, kind: kind)
        case .retried(let line): state.retry(line)
        case .waits(let line): state.wait(line)
        case .goesOn(let line): state.goOn(line)
        case .cancelled(let line): state.cancel(line)
        case .tick(let milliseconds): state.tick(milliseconds)
        }
    }
}
