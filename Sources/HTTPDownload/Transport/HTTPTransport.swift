import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import Support
import Synchronization

/// The HTTP clients of a downloader, created on demand: for direct connections and for each route through a proxy.
///
/// A client uses one HTTP/2 connection for each host, with a receive window of 8 MiB: at 40 ms of latency that
/// allows some 100 MB/s. So each further connection to a host with TLS uses another client, because the protocol is
/// not known in advance. A host with HTTP/1.1 has some of its connections in each client.
final class HTTPTransport: Sendable {
    /// The route of a request to its server.
    enum Route: Hashable, Sendable {
        case direct
        /// The proxy forwards the request: plain http through an HTTP proxy.
        case forward(ProxyServer)
        /// The proxy opens a tunnel to the server.
        case tunnel(ProxyServer)

        init(to url: URL, through proxy: ProxyServer?) {
            switch proxy {
            case nil: self = .direct
            case let proxy? where proxy.kind == .http && url.scheme?.lowercased() == "http": self = .forward(proxy)
            case let proxy?: self = .tunnel(proxy)
            }
        }
    }

    private struct ClientKey: Hashable {
        let route: Route
        let isSecure: Bool
        let connection: Int
    }

    /// One event loop for each two processors, because the others check and store what arrives.
    ///
    /// With one loop for each of two processors, 2,000 small transfers took a seventh longer.
    static let loops = MultiThreadedEventLoopGroup(
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

    /// Closes all connections; running requests fail.
    ///
    /// It does not wait: a client that connects to a silent host closes only after the connection time-out.
    func shutdown() {
        let clients = state.withLock { state in
            state.isShutDown = true
            defer { state.clients = [:] }
            return Array(state.clients.values)
        }
        for client in clients { client.shutdown { _ in } }
    }

    /// Prevents further transfers from starting, and cancels those whose first request is not sent yet.
    func drain() { exchanges.drain() }

    /// Sends a request and returns the response's head, which contains the body as a stream.
    ///
    /// A server may close a kept connection at the same moment. Then the request is sent once more, which is no
    /// retry, because the server has not processed it (RFC 9110, section 9.2.2).
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - exchange: The record of the request and its connection.
    ///   - route: The route to the server.
    ///   - connection: The number of the connection to a host with TLS, from 0.
    /// - Returns: The response's head and body stream.
    /// - Throws: The errors of the HTTP client, or `CancellationError` while draining.
    func send(
        _ request: HTTPClientRequest, _ exchange: Exchange, on route: Route, connection: Int
    ) async throws -> HTTPClientResponse {
        guard let number = exchanges.add(exchange) else { throw CancellationError() }
        defer { exchanges.remove(number) }
        var request = request
        request.headers.replaceOrAdd(name: ExchangeTable.field, value: String(number))
        let isSecure = request.url.lowercased().hasPrefix("https:")
        let client = try client(for: ClientKey(route: route, isSecure: isSecure, connection: connection))
        for _ in 0..<Self.resendLimit {
            do {
                return try await execute(request, exchange, by: client)
            } catch  where canSendAgain(exchange, after: error) {
                continue
            }
        }
        return try await execute(request, exchange, by: client)
    }

    /// The number of connections that may turn out to be closed before a request is sent.
    private static let resendLimit = 8

    /// Returns whether a request that was not sent may be sent on another connection.
    private func canSendAgain(_ exchange: Exchange, after error: any Error) -> Bool {
        guard exchange.use == nil, !Task.isCancelled, !state.withLock(\.isShutDown) else { return false }
        // The client reports this error when the connection was closing, although nobody cancelled.
        return error as? HTTPClientError == .cancelled
    }

    private func execute(
        _ request: HTTPClientRequest, _ exchange: Exchange, by client: HTTPClient
    ) async throws -> HTTPClientResponse {
        // A fallback time-out of the client; the downloader measures the limits on its own clock.
        let timeout = TimeAmount(limits.connect + limits.head)
        do {
            return try await client.execute(request, timeout: timeout)
        } catch  where Self.isStale(exchange, error) {
            exchange.reset()
            return try await client.execute(request, timeout: timeout)
        }
    }

    private static func isStale(_ exchange: Exchange, _ error: any Error) -> Bool {
        if error as? ChannelError == .ioOnClosedChannel { return true }
        // A closing server rejects streams after its last one (RFC 9113, sections 6.8 and 8.7).
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
        // Refused connections are reported at once, because only the retry policy decides about retries.
        pool.retryConnectionEstablishment = false
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls.configuration, redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(limits.connect)), connectionPool: pool, decompression: .disabled)
        // Tracing without a consumer would take a tenth of a small transfer's time.
        configuration.tracing.tracer = nil
        if case .tunnel(let proxy) = key.route { configuration.proxy = proxy.tunnel }
        let probe = ConnectionProbe(exchanges: exchanges, clock: clock)
        configuration.http1_1ConnectionDebugInitializer = probe.attach
        configuration.http2ConnectionDebugInitializer = { channel in
            ReceiveWindow.open(on: channel)
            return probe.attachRecord(to: channel)
        }
        configuration.http2StreamChannelDebugInitializer = probe.attachToStream
        return configuration
    }

    /// Returns the maximum number of HTTP/1.1 connections of a client to one host.
    private func connectionLimit(of key: ClientKey) -> Int {
        if case .forward = key.route { max(1, limits.concurrent) } else { limits.connectionsPerHost }
    }
}

extension ProxyServer {
    fileprivate var tunnel: HTTPClient.Configuration.Proxy {
        switch kind {
        case .socks5: .socksServer(host: host, port: port)
        case .http: .server(host: host, port: port, authorization: credential.flatMap(Self.authorization))
        }
    }

    /// Returns the credential for opening a tunnel; the client supports only basic and bearer.
    private static func authorization(_ credential: Credential) -> HTTPClient.Authorization? {
        let words = credential.fieldValue.split(separator: " ", maxSplits: 1).map(String.init)
        return switch words.first?.lowercased() {
        case "basic" where words.count == 2: .basic(credentials: words[1])
        case "bearer" where words.count == 2: .bearer(tokens: words[1])
        default: nil
        }
    }
}

/// The HTTP/2 flow control windows: the bytes that a server may send before it needs an update (RFC 9113, section
/// 6.9).
enum ReceiveWindow {
    /// The window of each stream in bytes, in place of 64 KiB.
    ///
    /// Most pictures fit into it, so they need no window update, which would cost a round trip.
    static let stream = 1 << 20
    /// The increment of a new connection's window of 64 KiB; the client keeps a window of this size afterwards.
    static let connection = 8 << 20

    /// Sends both windows to the server, before the first request.
    static func open(on channel: any Channel) {
        let setting = HTTP2Setting(parameter: .initialWindowSize, value: stream)
        let payloads: [HTTP2Frame.FramePayload] = [
            .settings(.settings([setting])), .windowUpdate(windowSizeIncrement: connection),
        ]
        for payload in payloads {
            channel.write(HTTP2Frame(streamID: .rootStream, payload: payload), promise: nil)
        }
        channel.flush()
    }
}
