import NIOCore
import NIOHTTP1
import NIOHTTP2
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
        var connection: ConnectionUse?
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
    var use: ConnectionUse? { state.withLock(\.connection) }

    /// Stores a function that sets the alarm for the response; it runs when the head is written.
    func onHeadSent(_ setAlarm: @escaping @Sendable () -> Alarm) { state.withLock { $0.setAlarm = setAlarm } }

    /// Cancels the alarm because the response has arrived or will not.
    func finish() {
        state.withLock { state in
            state.alarm?.cancel()
            (state.setAlarm, state.alarm) = (nil, nil)
        }
    }

    /// Cancels the transfer if its first request has not been sent; later requests, after redirects, go on.
    func giveUp() {
        let isSent = state.withLock { $0.connection != nil }
        if !isSent { deadlines?.pass(.cancelled) }
    }

    func didSendHead(on use: ConnectionUse) {
        state.withLock { state in
            state.connection = use
            state.alarm?.cancel()
            state.alarm = state.setAlarm?()
        }
    }

    /// Resets the exchange because the request has to be sent again on another connection.
    func reset() {
        state.withLock { state in
            state.alarm?.cancel()
            (state.connection, state.alarm) = (nil, nil)
        }
    }
}

/// The connection of a request.
struct ConnectionUse: Sendable, Hashable {
    /// Whether the connection had carried a request before.
    var isReused: Bool
    /// The time at which name lookup, connection and TLS handshake were complete.
    var ready: Duration
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

/// Channel handlers that record which connection carries which request, and that set absolute targets for proxies.
struct ConnectionProbe: Sendable {
    let exchanges: ExchangeTable
    let clock: TransferClock

    /// Adds the handlers to a new HTTP/1.1 connection.
    @Sendable func attach(to channel: any Channel) -> EventLoopFuture<Void> {
        atOnce(on: channel) {
            let record = ConnectionRecord(ready: clock.now())
            let pipeline = channel.pipeline.syncOperations
            let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
            let handler = RequestProbeHandler(record: record, exchanges: exchanges)
            try pipeline.addHandler(handler, position: .after(encoder))
            try pipeline.addHandler(ResponseHeadHandler(), position: .before(encoder))
        }
    }

    /// Adds the record to a new HTTP/2 connection, where its streams find it.
    @Sendable func attachRecord(to channel: any Channel) -> EventLoopFuture<Void> {
        atOnce(on: channel) {
            let handler = ConnectionRecordHandler(record: ConnectionRecord(ready: clock.now()))
            try channel.pipeline.syncOperations.addHandler(handler)
        }
    }

    /// Adds the handlers to a new HTTP/2 stream.
    @Sendable func attachToStream(_ channel: any Channel) -> EventLoopFuture<Void> {
        atOnce(on: channel) {
            let holder = try channel.parent?.pipeline.syncOperations.handler(type: ConnectionRecordHandler.self)
            let record = holder?.record ?? ConnectionRecord(ready: clock.now())
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
            let handler = RequestProbeHandler(record: record, exchanges: exchanges)
            try pipeline.addHandler(handler, position: .after(codec))
        }
    }

    /// Runs the closure at once if this is the event loop's thread.
    ///
    /// An additional turn of the loop would be unsafe. If the connection closes within it, the client crashes
    /// because a stream has no request yet, or keeps the dead connection.
    private func atOnce(
        on channel: any Channel, _ attach: @escaping @Sendable () throws -> Void
    ) -> EventLoopFuture<Void> {
        let loop = channel.eventLoop
        return loop.inEventLoop ? loop.makeCompletedFuture(withResultOf: attach) : loop.submit(attach)
    }
}

/// The time at which a connection became ready, and whether it has carried a request.
private final class ConnectionRecord: Sendable {
    private let ready: Duration
    private let isUsed = Mutex(false)

    init(ready: Duration) { self.ready = ready }

    func use() -> ConnectionUse {
        let isReused = isUsed.withLock { isUsed in
            defer { isUsed = true }
            return isUsed
        }
        return ConnectionUse(isReused: isReused, ready: ready)
    }
}

private final class ConnectionRecordHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    let record: ConnectionRecord

    init(record: ConnectionRecord) { self.record = record }
}

private final class RequestProbeHandler: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private let record: ConnectionRecord
    private let exchanges: ExchangeTable

    init(record: ConnectionRecord, exchanges: ExchangeTable) {
        self.record = record
        self.exchanges = exchanges
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        let number = head.headers.first(name: ExchangeTable.field).flatMap { Int($0) }
        head.headers.remove(name: ExchangeTable.field)
        if let exchange = number.flatMap({ exchanges[$0] }) {
            if let target = exchange.absoluteTarget { head.uri = target }
            exchange.didSendHead(on: record.use())
        }
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
