import DequeModule
import NIOCore
import NIOHTTP1
import Synchronization

/// Holds requests back that are ready for a host of HTTP/2, until one of its streams ends.
///
/// On HTTP/1.1 they wait in the client, for a connection; a stream can always be had.
final class StreamGate: Sendable {
    private struct Held {
        let number: Int
        let go: @Sendable () -> Void
    }

    private struct Host {
        var openCount = 0
        /// In the order they came.
        var held: Deque<Held> = []
    }

    private let limit: Int
    private let hosts = Mutex<[String: Host]>([:])

    /// `limit` is how many streams of a host may be open, at least 1.
    init(limit: Int) { self.limit = max(1, limit) }

    /// How many wait.
    var heldCount: Int { hosts.withLock { $0.values.reduce(0) { $0 + $1.held.count } } }

    /// True for a stream that may go now, whose number is the exchange's; else `go` is called as soon as it may.
    func enter(_ host: String, as number: Int, orLater go: @escaping @Sendable () -> Void) -> Bool {
        hosts.withLock { hosts in
            guard hosts[host, default: Host()].openCount >= limit else {
                hosts[host, default: Host()].openCount += 1
                return true
            }
            hosts[host]?.held.append(Held(number: number, go: go))
            return false
        }
    }

    /// One that has entered ended, or is given up.
    func leave(_ host: String, as number: Int) {
        let next = hosts.withLock { hosts -> Held? in
            guard var state = hosts[host] else { return nil }
            defer { hosts[host] = state.openCount > 0 ? state : nil }
            if let place = state.held.firstIndex(where: { $0.number == number }) {
                state.held.remove(at: place)
                return nil
            }
            let next = state.held.popFirst()
            if next == nil { state.openCount -= 1 }
            return next
        }
        next?.go()
    }
}

/// Keeps a stream's request from its connection until the gate lets it through.
final class StreamGateHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private enum State {
        case new
        case held
        case open
        case left
    }

    private let gate: StreamGate
    private let exchanges: ExchangeTable
    private var state = State.new
    private var exchange: (host: String, number: Int)?
    private var writes: [(part: HTTPClientRequestPart, promise: EventLoopPromise<Void>?)] = []
    private var mustFlush = false

    init(gate: StreamGate, exchanges: ExchangeTable) {
        self.gate = gate
        self.exchanges = exchanges
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        if case .head(let head) = part, state == .new { enter(head, context) }
        guard state == .held else { return context.write(data, promise: promise) }
        writes.append((part, promise))
    }

    func flush(context: ChannelHandlerContext) {
        if state == .held { mustFlush = true } else { context.flush() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The next one goes before this one's end is told.
        if case .end = unwrapInboundIn(data) { leave() }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    private func enter(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard let number = head.headers.first(name: ExchangeTable.field).flatMap({ Int($0) }),
            let exchange = exchanges[number]
        else { return }
        self.exchange = (exchange.host, number)
        let (loop, own) = (context.eventLoop, NIOLoopBound((self, context), eventLoop: context.eventLoop))
        let mayGo = gate.enter(exchange.host, as: number) {
            loop.execute { own.value.0.open(own.value.1) }
        }
        state = mayGo ? .open : .held
        if !mayGo { exchange.hold() }
    }

    private func open(_ context: ChannelHandlerContext) {
        guard state == .held else { return }
        state = .open
        for write in writes { context.write(wrapOutboundOut(write.part), promise: write.promise) }
        writes = []
        if mustFlush { context.flush() }
    }

    private func leave() {
        for write in writes { write.promise?.fail(ChannelError.ioOnClosedChannel) }
        writes = []
        if let exchange, state != .left { gate.leave(exchange.host, as: exchange.number) }
        state = .left
    }
}
