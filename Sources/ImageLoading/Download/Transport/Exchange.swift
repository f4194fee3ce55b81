import Synchronization

/// One request on its way, as the connection that carries it sees it.
final class Exchange: Sendable {
    /// When it was handed to the client.
    let began: Duration
    /// What stands in the request line in place of the path, for a proxy (RFC 9112, section 3.2.2).
    let absoluteTarget: String?
    /// Yields once, when the head is written.
    let departures: AsyncStream<Void>
    private let departed: AsyncStream<Void>.Continuation
    private let carrier = Mutex<ConnectionUse?>(nil)

    init(began: Duration, absoluteTarget: String? = nil) {
        self.began = began
        self.absoluteTarget = absoluteTarget
        (departures, departed) = AsyncStream.makeStream()
    }

    /// The connection that carries it; nil before the head is written.
    var use: ConnectionUse? { carrier.withLock(\.self) }

    func depart(on use: ConnectionUse) {
        carrier.withLock { $0 = use }
        departed.yield()
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

    private let state = Mutex((last: 0, exchanges: [Int: Exchange]()))

    func add(_ exchange: Exchange) -> Int {
        state.withLock { state in
            state.last += 1
            state.exchanges[state.last] = exchange
            return state.last
        }
    }

    func remove(_ number: Int) { state.withLock { _ = $0.exchanges.removeValue(forKey: number) } }

    subscript(number: Int) -> Exchange? { state.withLock { $0.exchanges[number] } }
}
