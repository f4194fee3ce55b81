import Synchronization

/// One request and the connection that carries it.
final class Exchange: Sendable {
    /// The time at which the request was passed to the HTTP client.
    let began: Duration
    /// The request line's target in place of the path, for a proxy (RFC 9112, section 3.2.2).
    let absoluteTarget: String?
    /// The deadlines of the transfer, if it has received no response yet.
    private let deadlines: Deadlines?
    private let state = Mutex(State())

    private struct State {
        var carrier: ConnectionUse?
        var setAlarm: (@Sendable () -> Alarm)?
        var alarm: Alarm?
    }

    init(began: Duration, absoluteTarget: String? = nil, deadlines: Deadlines? = nil) {
        self.began = began
        self.absoluteTarget = absoluteTarget
        self.deadlines = deadlines
    }

    /// Whether this is the first request of its transfer.
    var isFirst: Bool { deadlines != nil }

    /// The connection that carries the request; nil before the head is written.
    var use: ConnectionUse? { state.withLock(\.carrier) }

    /// Stores a function that sets the alarm for the response; it runs when the head is written.
    func onDeparture(_ setAlarm: @escaping @Sendable () -> Alarm) { state.withLock { $0.setAlarm = setAlarm } }

    /// Cancels the alarm because the response has arrived or will not.
    func finish() {
        state.withLock { state in
            state.alarm?.cancel()
            (state.setAlarm, state.alarm) = (nil, nil)
        }
    }

    /// Cancels the transfer if this is its first request and was not sent yet.
    func giveUp() {
        let isSent = state.withLock { $0.carrier != nil }
        if !isSent { deadlines?.pass(.cancelled) }
    }

    func depart(on use: ConnectionUse) {
        state.withLock { state in
            state.carrier = use
            state.alarm?.cancel()
            state.alarm = state.setAlarm?()
        }
    }

    /// Resets the exchange because the request has to be sent again on another connection.
    func reset() {
        state.withLock { state in
            state.alarm?.cancel()
            (state.carrier, state.alarm) = (nil, nil)
        }
    }
}

/// The connection of a request, and the times of its use.
struct ConnectionUse: Sendable, Hashable {
    /// Whether the connection had carried a request before.
    var isReused: Bool
    /// The time at which name lookup, connection and TLS handshake were complete.
    var ready: Duration
    /// The time at which the request's head was written.
    var sent: Duration
}

/// The requests in progress, by the number that each carries to its connection.
final class ExchangeTable: Sendable {
    /// The field that contains the number; it is removed before the request is sent.
    static let field = "x-exchange"

    private let state = Mutex((last: 0, exchanges: [Int: Exchange](), isDraining: false))

    /// Adds a request and returns its number, or nil for the first request of a transfer while draining.
    func add(_ exchange: Exchange) -> Int? {
        state.withLock { state in
            if state.isDraining, exchange.isFirst { return nil }
            state.last += 1
            state.exchanges[state.last] = exchange
            return state.last
        }
    }

    /// Prevents further transfers from starting, and cancels those whose first request is not sent yet.
    func drain() {
        let exchanges = state.withLock { state in
            state.isDraining = true
            return Array(state.exchanges.values)
        }
        for exchange in exchanges { exchange.giveUp() }
    }

    func remove(_ number: Int) { state.withLock { _ = $0.exchanges.removeValue(forKey: number) } }

    subscript(number: Int) -> Exchange? { state.withLock { $0.exchanges[number] } }
}
