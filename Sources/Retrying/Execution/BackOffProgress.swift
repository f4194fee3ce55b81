/// What an attempt of a `BackOffExecution` is told.
public struct BackOffProgress: Sendable, Equatable {
    /// The attempt's number, from 1.
    public let attempt: Int
    /// The delay before this attempt; 0 for the first.
    public let lastInterval: Duration
    /// The wall-clock time since the execution started.
    public let elapsed: Duration
}

/// All that changes in a `BackOffExecution`.
struct BackOffStatus: Sendable {
    private(set) var state = BackOffExecution.State.stopped
    var attempts = 0
    var lastInterval = Duration.zero
    /// Which start this is; news of an earlier one is not noted.
    let number: Int
    /// Whether something may still run, as it may for a while after a stop.
    var isBusy = false
    var task: Task<Void, Never>?
    private let startedAt: Duration
    private var endedAt: Duration?

    init() {
        number = 0
        startedAt = .zero
        endedAt = .zero
    }

    init(number: Int, startedAt: Duration) {
        self.number = number
        self.startedAt = startedAt
        state = .running
        isBusy = true
    }

    mutating func end(_ state: BackOffExecution.State, at now: Duration) {
        self.state = state
        endedAt = now
    }

    func elapsed(at now: Duration) -> Duration { (endedAt ?? now) - startedAt }
}
