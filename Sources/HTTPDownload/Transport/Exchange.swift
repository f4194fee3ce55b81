import Synchronization

/// One request on its way, as the connection that carries it sees it.
final class Exchange: Sendable {
    /// When it was handed to the client.
    let began: Duration
    /// What stands in the request line in place of the path, for a proxy (RFC 9112, section 3.2.2).
    let absoluteTarget: String?
    /// Those of a transfer that has had no answer yet.
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

    /// Whether the transfer begins with it.
    var isFirst: Bool { deadlines != nil }

    /// The connection that carries it; nil before the head is written.
    var use: ConnectionUse? { state.withLock(\.carrier) }

    /// Has an alarm set when the head is written, for the answer that is to come.
    func onDeparture(_ setAlarm: @escaping @Sendable () -> Alarm) { state.withLock { $0.setAlarm = setAlarm } }

    /// The answer is there, or none will be.
    func end() {
        state.withLock { state in
            state.alarm?.cancel()
            (state.setAlarm, state.alarm) = (nil, nil)
        }
    }

    /// Ends the transfer that begins with it, unless it is sent.
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

    /// It was sent in vain, and has to wait for another connection.
    func comeBack() {
        state.withLock { state in
            state.alarm?.cancel()
            (state.carrier, state.alarm) = (nil, nil)
        }
    }
}

/// What a request had of its connection.
struct ConnectionUse: Sendable, Hashable {
    /// Whether the connection had carried a request before.
    var isReused: Bool
    /// When the connection was ready: name looked up, connected, and TLS agreed on.
    var ready: Duration
    /// When the request's head was written.
    var sent: Duration
}

/// The requests on their way, by the number that each carries to its connection.
final class ExchangeTable: Sendable {
    /// The field with the number; it is taken off before anything is sent.
    static let field = "x-exchange"

    private let state = Mutex((last: 0, exchanges: [Int: Exchange](), isDraining: false))

    /// Its number; nil for the first of a transfer that may not begin any more.
    func add(_ exchange: Exchange) -> Int? {
        state.withLock { state in
            if state.isDraining, exchange.isFirst { return nil }
            state.last += 1
            state.exchanges[state.last] = exchange
            return state.last
        }
    }

    /// Lets no transfer begin any more, and gives those up whose request is not sent.
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
