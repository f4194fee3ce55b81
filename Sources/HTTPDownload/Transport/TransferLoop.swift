import AlcedoCCurl
import AlcedoHTTPRequests
import Dispatch
import FoundationEssentials
import Glibc

/// The thread of the transfers: it owns the multi handle, the easy handles and the sockets of all connections.
final class TransferLoop {
    private let multi: UnsafeMutableRawPointer
    fileprivate let transport: HTTPTransport
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    /// The handles for later requests, by the digest login whose nonce they know, "" for none.
    private var idle: [String: [CurlHandle]] = [:]
    /// The transfers that received something in this turn.
    private var touched: [Transfer] = []
    fileprivate let sockets = SocketTable()
    /// The number of requests to each host that HTTP/1.1 answered after HTTP/2 had failed.
    private var http2Failures: [String: Int] = [:]
    /// The number of such requests after which a host is asked by HTTP/1.1 only.
    private static let http2Limit = 2

    /// The maximum number of easy handles and hosts that are kept for later.
    private static let kept = (handles: 64, hosts: 1_000)

    /// Starts the thread, which ends when the transport is shut down.
    static func start(_ transport: HTTPTransport) {
        DispatchQueue(label: "alcedo.transfers").async {
            _ = setCallbacks
            guard let multi = alcedo_curl_multi_new(transport.setup.connections) else {
                transport.shutdown()
                return transport.close(.noMemory)
            }
            transport.open(multi)
            // The library has the sockets until the end.
            let loop = TransferLoop(multi, transport)
            withExtendedLifetime(loop) { loop.run() }
        }
    }

    private init(_ multi: UnsafeMutableRawPointer, _ transport: HTTPTransport) {
        (self.multi, self.transport) = (multi, transport)
    }

    private func run() {
        while let commands = transport.take() {
            for command in commands { perform(command) }
            alcedo_curl_multi_perform(multi)
            finishTransfers()
            for transfer in touched {
                transfer.isTouched = false
                transfer.exchange.notify()
            }
            touched.removeAll(keepingCapacity: true)
            alcedo_curl_multi_wait(multi, 60_000)
        }
        transport.close(.shutDown)
        for transfer in transfers.values {
            alcedo_curl_multi_remove(multi, transfer.handle.pointer)
            transfer.exchange.fail(.shutDown)
        }
        (transfers, idle) = ([:], [:])
        alcedo_curl_multi_free(multi)
    }

    private func perform(_ command: HTTPTransport.Command) {
        switch command {
        case .start(let exchange): if !exchange.isOver { start(exchange, attempt: .first) }
        case .cancel(let exchange):
            if let transfer = transfer(of: exchange) { release(transfer, keepsHandle: true) }
        case .resume(let exchange):
            guard let transfer = transfer(of: exchange) else { return }
            alcedo_curl_easy_resume(transfer.handle.pointer)
            if exchange.isOver { release(transfer, keepsHandle: false) }
        case .drain:
            for transfer in transfers.values where transfer.exchange.isFirst && transfer.exchange.use == nil {
                transfer.exchange.cancel()
            }
        }
    }

    private func transfer(of exchange: Exchange) -> Transfer? { transfers.values.first { $0.exchange === exchange } }

    /// Marks a transfer whose task is resumed at the end of this turn.
    fileprivate func touch(_ transfer: Transfer) {
        guard !transfer.isTouched else { return }
        transfer.isTouched = true
        touched.append(transfer)
    }
}

// MARK: - Starting

extension TransferLoop {
    private func start(_ exchange: Exchange, attempt: Transfer.Attempt) {
        let request = exchange.request
        guard let handle = takeHandle(for: request) else { return exchange.fail(.noMemory) }
        let transfer = Transfer(exchange: exchange, handle: handle, attempt: attempt, loop: self)
        let isHTTP1 = attempt == .http1 || http2Failures[request.host] ?? 0 >= Self.http2Limit
        transport.setup.apply(to: handle, request, isFresh: attempt != .first, isHTTP1: isHTTP1)
        let (context, table) = (Unmanaged.passUnretained(transfer), Unmanaged.passUnretained(sockets))
        alcedo_curl_set_contexts(handle.pointer, context.toOpaque(), table.toOpaque())
        transfers[handle.pointer] = transfer
        transfer.connectTimer = TimerQueue.shared.add(after: transport.setup.configuration.limits.connect) {
            exchange.fail(.response(.timedOut(.connect)))
        }
        if alcedo_curl_multi_add(multi, handle.pointer) != CURLM_OK {
            release(transfer, keepsHandle: false)
            exchange.fail(.noMemory)
        }
    }

    private func takeHandle(for request: OutgoingRequest) -> CurlHandle? {
        let handle = idle[request.loginKey]?.popLast() ?? CurlHandle()
        handle?.reset(forgetsLogin: request.digest == nil)
        return handle
    }

    private func release(_ transfer: Transfer, keepsHandle: Bool) {
        let (handle, key) = (transfer.handle, transfer.exchange.request.loginKey)
        alcedo_curl_multi_remove(multi, handle.pointer)
        transfers[handle.pointer] = nil
        transfer.connectTimer?.cancel()
        guard keepsHandle, key.isEmpty ? idle[key, default: []].count < Self.kept.handles : idle.count < Self.kept.hosts
        else { return }
        idle[key, default: []].append(handle)
    }

    /// Sets the callbacks of all loops, once.
    private static let setCallbacks: Void = alcedo_curl_set_callbacks(callbacks)

    private static let callbacks = alcedo_curl_callbacks(
        line: { bytes, count, context in
            guard let transfer = Transfer.of(context) else { return false }
            return transfer.receive(line: UnsafeRawBufferPointer(start: bytes, count: count))
        },
        body: { bytes, count, context in
            guard let transfer = Transfer.of(context) else { return alcedo_body_refused }
            return transfer.receive(body: UnsafeRawBufferPointer(start: bytes, count: count))
        },
        request: { address, port, localPort, context in
            guard let transfer = Transfer.of(context), let address else { return false }
            return transfer.didConnect(.init(localPort: localPort, address: String(cString: address), port: port))
        },
        open_socket: { family, type, number, context in
            Transfer.of(context)?.openSocket(family, type, number) ?? -1
        },
        close_socket: { context, descriptor in
            context.map { Unmanaged<SocketTable>.fromOpaque($0).takeUnretainedValue() }?.remove(descriptor)
            return Glibc.close(descriptor)
        })
}

// MARK: - Finishing

extension TransferLoop {
    private func finishTransfers() {
        var code = CURLE_OK
        while let pointer = alcedo_curl_multi_finished(multi, &code) {
            if let transfer = transfers[pointer] { finish(transfer, code) }
        }
    }

    private func finish(_ transfer: Transfer, _ code: CURLcode) {
        let exchange = transfer.exchange
        if !exchange.isOver, let next = transfer.nextAttempt(after: code) {
            release(transfer, keepsHandle: false)
            exchange.restart()
            return start(exchange, attempt: next)
        }
        if let head = exchange.answer {
            transfer.socket?.isHTTP1 = !head.isMultiplexed
            if transfer.attempt == .http1, code == CURLE_OK {
                if http2Failures.count >= Self.kept.hosts { http2Failures = [:] }
                http2Failures[exchange.request.host, default: 0] += 1
            }
        }
        exchange.end(transfer.result(of: code))
        touch(transfer)
        // After a failure the handle keeps the system's error number, so it is not reused.
        release(transfer, keepsHandle: code == CURLE_OK)
    }
}

/// One attempt at an exchange on the thread.
final class Transfer {
    enum Attempt { case first, fresh, http1 }

    let exchange: Exchange
    let handle: CurlHandle
    let attempt: Attempt
    private unowned let loop: TransferLoop
    private(set) var socket: SocketTable.Entry?
    fileprivate var isTouched = false
    private var isReused = false
    /// Whether the connection held bytes that no request had asked for.
    private var hasSurplusBytes = false
    /// The timer for connecting; the library's own does not run while the transfer waits for a stream.
    fileprivate var connectTimer: Alarm?
    /// The error number of a socket that could not be opened for lack of descriptors or memory.
    private var openError: CInt?

    fileprivate init(exchange: Exchange, handle: CurlHandle, attempt: Attempt, loop: TransferLoop) {
        (self.exchange, self.handle, self.attempt, self.loop) = (exchange, handle, attempt, loop)
    }

    fileprivate static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    fileprivate func receive(line: UnsafeRawBufferPointer) -> Bool {
        loop.touch(self)
        guard exchange.receive(line: line) else { return false }
        if line.count <= 2, exchange.answer?.hasDoubtfulLength == true { handle.set(CURLOPT_FORBID_REUSE, true) }
        return true
    }

    fileprivate func receive(body bytes: UnsafeRawBufferPointer) -> alcedo_body {
        loop.touch(self)
        return exchange.receive(body: bytes)
    }

    /// Checks the connection before the request is sent.
    ///
    /// Bytes that wait on a kept HTTP/1.1 connection would become the response to this request.
    fileprivate func didConnect(_ ends: SocketTable.Ends) -> Bool {
        connectTimer?.cancel()
        let socket = loop.sockets.entry(between: ends)
        self.socket = socket
        isReused = socket.map(\.isUsed) ?? (handle.number(CURLINFO_NUM_CONNECTS) == 0)
        if attempt == .first, isReused, let socket, socket.isHTTP1, loop.sockets.hasUnreadBytes(socket) {
            hasSurplusBytes = true
            return false
        }
        socket?.isUsed = true
        return exchange.didConnect(.init(phases: isReused ? nil : handle.phases))
    }

    /// Opens a socket that child processes do not inherit.
    fileprivate func openSocket(_ family: CInt, _ type: CInt, _ number: CInt) -> CInt {
        let descriptor = Glibc.socket(family, type | CInt(SOCK_CLOEXEC.rawValue), number)
        if descriptor >= 0 {
            loop.sockets.add(descriptor)
        } else if [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(errno) {
            openError = errno
        }
        return descriptor
    }

    /// Returns how to send the request again, or nil if the failure is final.
    ///
    /// If the connection ended before any byte of the answer, the request was not processed in two cases: the
    /// connection was a kept one (RFC 9110, section 9.2.2), or it rejected the stream (RFC 9113, section 8.7). Some
    /// servers refuse HTTP/2 in one of several ways, so the last attempt at an https address uses HTTP/1.1.
    fileprivate func nextAttempt(after code: CURLcode) -> Attempt? {
        if hasSurplusBytes { return .fresh }
        // An answer that is not HTTP may be the rest of an earlier answer on the connection.
        let isNonsense = [CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_OUT_OF_MEMORY].contains(code)
        if attempt == .first, isReused, isNonsense, exchange.answer == nil { return .fresh }
        guard attempt != .http1, !exchange.hasAnswer, Self.lostConnection.contains(code) else { return nil }
        if attempt == .first, isReused { return .fresh }
        return exchange.request.isSecure && exchange.use != nil ? .http1 : nil
    }

    private static let lostConnection = [
        CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE,
    ]

    fileprivate func result(of code: CURLcode) -> Result<Void, DownloadError> {
        if code == CURLE_OK { return .success(()) }
        if code == CURLE_FILESIZE_EXCEEDED { return .failure(.response(.tooLarge(limit: exchange.bodyLimit))) }
        if let openError, exchange.use == nil {
            let reason = String(cString: strerror(openError)).lowercased()
            return .failure(.response(.transport(.environment("no socket can be opened: \(reason)"))))
        }
        let failure = CurlFailure(
            code: code, text: handle.text(of: code), systemError: CInt(handle.number(CURLINFO_OS_ERRNO)),
            verification: handle.number(CURLINFO_SSL_VERIFYRESULT),
            proxyStatus: handle.number(CURLINFO_HTTP_CONNECTCODE), hasAnswer: exchange.hasAnswer,
            isSent: exchange.use != nil, hasInterface: loop.transport.setup.configuration.interface != nil)
        return .failure(failure.error)
    }
}

/// The sockets of all connections; libcurl does not show them at the moments when they are needed.
final class SocketTable {
    /// The two ends of a connection; a local port alone may belong to connections to several hosts.
    struct Ends: Hashable {
        var localPort: CInt
        var address: String
        var port: CInt
    }

    final class Entry {
        fileprivate let descriptor: CInt
        /// The ends; nil before the socket is connected.
        fileprivate var ends: Ends?
        /// Whether a request was sent on the connection.
        fileprivate(set) var isUsed = false
        /// Whether the connection has carried an answer in HTTP/1.
        fileprivate(set) var isHTTP1 = false

        fileprivate init(_ descriptor: CInt) { self.descriptor = descriptor }
    }

    private var entries: [CInt: Entry] = [:]

    fileprivate func add(_ descriptor: CInt) { entries[descriptor] = Entry(descriptor) }

    fileprivate func remove(_ descriptor: CInt) { entries[descriptor] = nil }

    fileprivate func entry(between ends: Ends) -> Entry? {
        for entry in entries.values where entry.ends == nil { entry.ends = Self.ends(of: entry.descriptor) }
        return entries.values.first { $0.ends == ends }
    }

    private static func ends(of descriptor: CInt) -> Ends? {
        guard let own = endpoint({ getsockname(descriptor, $0, $1) }),
            let peer = endpoint({ getpeername(descriptor, $0, $1) })
        else { return nil }
        return Ends(localPort: own.port, address: peer.address, port: peer.port)
    }

    private static func endpoint(
        _ query: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
    ) -> (address: String, port: CInt)? {
        var (storage, length) = (sockaddr_storage(), socklen_t(MemoryLayout<sockaddr_storage>.size))
        var text = [CChar](repeating: 0, count: 64)
        let isKnown = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { end in
                query(end, &length) == 0
                    && getnameinfo(end, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            }
        }
        // The library's text has no scope. The port has the same place in IPv4 and IPv6 addresses.
        let address = text.prefix { $0 != 0 && $0 != 0x25 }.map(UInt8.init(bitPattern:))
        let port = withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
        return isKnown ? (String(decoding: address, as: UTF8.self), CInt(port)) : nil
    }

    /// Returns whether bytes, or the end, have arrived on an idle connection.
    fileprivate func hasUnreadBytes(_ entry: Entry) -> Bool {
        var byte: UInt8 = 0
        return recv(entry.descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) >= 0
    }
}
