import NIOCore
import NIOHTTP1
import NIOHTTP2
import Synchronization

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
            let handler = RequestProbeHandler(record: record, exchanges: exchanges, clock: clock)
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
            let handler = RequestProbeHandler(record: record, exchanges: exchanges, clock: clock)
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

    func use(sent: Duration) -> ConnectionUse {
        let isReused = isUsed.withLock { isUsed in
            defer { isUsed = true }
            return isUsed
        }
        return ConnectionUse(isReused: isReused, ready: ready, sent: sent)
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
    private let clock: TransferClock

    init(record: ConnectionRecord, exchanges: ExchangeTable, clock: TransferClock) {
        self.record = record
        self.exchanges = exchanges
        self.clock = clock
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        let number = head.headers.first(name: ExchangeTable.field).flatMap { Int($0) }
        head.headers.remove(name: ExchangeTable.field)
        if let exchange = number.flatMap({ exchanges[$0] }) {
            if let target = exchange.absoluteTarget { head.uri = target }
            exchange.depart(on: record.use(sent: clock.now()))
        }
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
