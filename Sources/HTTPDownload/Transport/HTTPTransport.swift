import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import Support
import Synchronization

/// The clients of a downloader: one for direct connections, and one for each way through a proxy, made when needed.
///
/// A client carries all its transfers to a host of HTTP/2 on one connection, of which the server may send 8 MiB ahead:
/// over 40 ms, some 100 MB a second. So there is another client for each further connection to such a host; to any host
/// with TLS, as nobody knows before what it speaks. One that speaks HTTP/1.1 has some of its connections in each.
final class HTTPTransport: Sendable {
    /// How a request reaches its server.
    enum Route: Hashable, Sendable {
        case direct
        /// The proxy takes the request itself: plain http through an HTTP proxy.
        case forward(ProxyServer)
        /// The proxy opens a connection to the server.
        case tunnel(ProxyServer)

        init(to url: URL, through proxy: ProxyServer?) {
            switch proxy {
            case nil: self = .direct
            case let proxy? where proxy.kind == .http && url.scheme?.lowercased() == "http": self = .forward(proxy)
            case let proxy?: self = .tunnel(proxy)
            }
        }
    }

    /// Which way a client's requests take; all forwarded ones take one, as its hosts are the proxies.
    private enum Way: Hashable {
        case direct
        case forward
        case tunnel(ProxyServer)

        init(_ route: Route) {
            switch route {
            case .direct: self = .direct
            case .forward: self = .forward
            case .tunnel(let proxy): self = .tunnel(proxy)
            }
        }
    }

    private struct ClientKey: Hashable {
        let way: Way
        let isSecure: Bool
        let connection: Int
    }

    /// For half of the processors, as the others check and store what comes.
    ///
    /// With a loop for each of two, 2,000 small transfers took a seventh longer.
    private static let loops = MultiThreadedEventLoopGroup(
        numberOfThreads: max(1, ProcessInfo.processInfo.activeProcessorCount / 2))

    private struct State {
        var clients: [ClientKey: HTTPClient] = [:]
        var isShutDown = false
    }

    private let limits: DownloadLimits
    private let tls: TLSSettings
    private let clock: TransferClock
    private let exchanges = ExchangeTable()
    private let state = Mutex(State())

    init(limits: DownloadLimits, tls: TLSSettings, clock: TransferClock) {
        self.limits = limits
        self.tls = tls
        self.clock = clock
    }

    deinit { shutdown() }

    /// Closes all connections; what runs fails.
    ///
    /// Nobody waits for it: a client that is connecting to a silent host takes until its time-out to be gone.
    func shutdown() {
        let clients = state.withLock { state in
            state.isShutDown = true
            defer { state.clients = [:] }
            return Array(state.clients.values)
        }
        for client in clients { client.shutdown { _ in } }
    }

    /// Lets no transfer begin any more; those end as cancelled whose request is not sent.
    func drain() { exchanges.drain() }

    /// Sends a request; the response's head comes back, and within it the body.
    ///
    /// A kept connection may have been closed just now by its server: then the request is sent once more, which is no
    /// retry, as the server has not answered it (RFC 9110, section 9.2.2).
    ///
    /// `connection` is which of the connections to a host with TLS it takes, from 0.
    func send(
        _ request: HTTPClientRequest, _ exchange: Exchange, on route: Route, connection: Int
    ) async throws -> HTTPClientResponse {
        guard let number = exchanges.add(exchange) else { throw CancellationError() }
        defer { exchanges.remove(number) }
        var request = request
        request.headers.replaceOrAdd(name: ExchangeTable.field, value: String(number))
        let isSecure = request.url.lowercased().hasPrefix("https:")
        let client = try client(for: ClientKey(way: Way(route), isSecure: isSecure, connection: connection))
        while true {
            do {
                return try await execute(request, exchange, by: client)
            } catch  where canSendAgain(exchange, after: error) {
                continue
            }
        }
    }

    /// Returns whether a request that was not sent may be sent on another connection.
    private func canSendAgain(_ exchange: Exchange, after error: any Error) -> Bool {
        guard exchange.use == nil, !Task.isCancelled, !state.withLock(\.isShutDown) else { return false }
        // A request that reached a connection that was just closing: nobody cancelled it.
        return error as? HTTPClientError == .cancelled
    }

    private func execute(
        _ request: HTTPClientRequest, _ exchange: Exchange, by client: HTTPClient
    ) async throws -> HTTPClientResponse {
        // The downloader counts the time on its own clock; the client's is behind it.
        let timeout = TimeAmount(limits.connect + limits.head)
        do {
            return try await client.execute(request, timeout: timeout)
        } catch  where Self.isStale(exchange, error) {
            exchange.comeBack()
            return try await client.execute(request, timeout: timeout)
        }
    }

    private static func isStale(_ exchange: Exchange, _ error: any Error) -> Bool {
        if error as? ChannelError == .ioOnClosedChannel { return true }
        // A server that ends a connection takes no streams after its last word (RFC 9113, sections 6.8 and 8.7).
        if let error = error as? NIOHTTP2Errors.StreamClosed {
            return [.cancel, .refusedStream].contains(error.errorCode)
        }
        return exchange.use?.isReused == true
            && TransportErrors.downloadError(from: error, stage: .head) == .response(.transport(.reset))
    }

    private func client(for key: ClientKey) throws -> HTTPClient {
        try state.withLock { state in
            guard !state.isShutDown else { throw HTTPClientError.alreadyShutdown }
            if let client = state.clients[key] { return client }
            let client = HTTPClient(
                eventLoopGroup: Self.loops, configuration: configuration(for: key))
            state.clients[key] = client
            return client
        }
    }

    private func configuration(for key: ClientKey) -> HTTPClient.Configuration {
        var pool = HTTPClient.Configuration.ConnectionPool(
            idleTimeout: .seconds(60), concurrentHTTP1ConnectionsPerHostSoftLimit: connectionLimit(of: key))
        // A refused connection is reported at once: retrying is decided in one place, the retry policy.
        pool.retryConnectionEstablishment = false
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls.configuration, redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(limits.connect)), connectionPool: pool, decompression: .disabled)
        // Spans that nobody collects would take a tenth of a small transfer's time.
        configuration.tracing.tracer = nil
        if case .tunnel(let proxy) = key.way { configuration.proxy = proxy.tunnel }
        let probe = ConnectionProbe(exchanges: exchanges, clock: clock)
        configuration.http1_1ConnectionDebugInitializer = probe.attach
        configuration.http2ConnectionDebugInitializer = { channel in
            ReceiveWindow.open(on: channel)
            return probe.attachRecord(to: channel)
        }
        configuration.http2StreamChannelDebugInitializer = probe.attachToStream
        return configuration
    }

    /// Returns how many connections of HTTP/1.1 a client opens to a host.
    private func connectionLimit(of key: ClientKey) -> Int {
        key.way == .forward ? max(1, limits.concurrent) : limits.connectionsPerHost
    }
}

extension ProxyServer {
    fileprivate var tunnel: HTTPClient.Configuration.Proxy {
        switch kind {
        case .socks5: .socksServer(host: host, port: port)
        case .http: .server(host: host, port: port, authorization: credential.flatMap(Self.authorization))
        }
    }

    /// The client knows two schemes for opening a tunnel.
    private static func authorization(_ credential: Credential) -> HTTPClient.Authorization? {
        let words = credential.fieldValue.split(separator: " ", maxSplits: 1).map(String.init)
        return switch words.first?.lowercased() {
        case "basic" where words.count == 2: .basic(credentials: words[1])
        case "bearer" where words.count == 2: .bearer(tokens: words[1])
        default: nil
        }
    }
}

extension TimeAmount {
    /// Clamped to what a time amount can hold.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .nanoseconds(min(max(seconds, 0), 1_000_000_000) * 1_000_000_000 + max(attoseconds, 0) / 1_000_000_000)
    }
}
