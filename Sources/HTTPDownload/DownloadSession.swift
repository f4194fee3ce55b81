import AsyncHTTPClient
import Foundation
import NIOHTTP1
import Support

/// One transfer: its requests, through redirects and challenges, until a body is complete or the transfer fails.
struct DownloadSession {
    /// The objects that all sessions of a downloader share.
    final class Dependencies: Sendable {
        let configuration: DownloaderConfiguration
        let transport: HTTPTransport
        let queue: AdmissionQueue
        let clock: TransferClock
        /// The bandwidth limit; nil if there is none.
        let bandwidth: Bandwidth?
        let receivedBytes = ReceivedBytes()
        let cookies: CookieJar
        /// The current date, for `Retry-After` dates and the expiry of cookies.
        let date: @Sendable () -> Date

        init(_ configuration: DownloaderConfiguration, clock: TransferClock, date: @escaping @Sendable () -> Date) {
            self.configuration = configuration
            self.clock = clock
            self.date = date
            let limits = configuration.limits
            transport = HTTPTransport(limits: limits, tls: configuration.tls, clock: clock)
            queue = AdmissionQueue(limits: limits)
            cookies = CookieJar(configuration.cookies)
            bandwidth = limits.bytesPerSecond.map { Bandwidth(bytesPerSecond: $0, clock: clock) }
        }
    }

    private let dependencies: Dependencies
    private var place: AdmissionQueue.Place
    private let hooks: any DownloadHooks
    private let onProgress: @Sendable (DownloadProgress) -> Void
    private let started: Duration
    private let deadlines: Deadlines
    private let usersURL: URL
    private var request: DownloadRequest
    private var part: BodyPart?
    private var learned: [Origin: Credential] = [:]
    private var refusedAnswers = 0
    private var metrics = DownloadMetrics()

    /// The maximum number of credentials that one transfer sends in response to challenges.
    private static let answerLimit = 3
    private var leftovers = 0
    /// The maximum number of requests that are repeated because of leftover bytes on a connection.
    private static let leftoverLimit = 3

    init(
        _ request: DownloadRequest, hooks: any DownloadHooks, at place: AdmissionQueue.Place,
        in dependencies: Dependencies, until deadlines: Deadlines,
        onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) {
        self.request = request
        self.hooks = hooks
        self.place = place
        self.deadlines = deadlines
        self.dependencies = dependencies
        self.onProgress = onProgress
        started = dependencies.clock.now()
        usersURL = request.url
    }

    private var limits: DownloadLimits {
        var limits = dependencies.configuration.limits
        limits.total = request.timeout ?? limits.total
        return limits
    }

    /// The current time in seconds since 1970.
    private var now: Int64 { Int64(dependencies.date().timeIntervalSince1970) }

    /// Runs the transfer; on failure, stores the received part for the next attempt.
    mutating func run() async throws(DownloadError) -> Download {
        part = request.partial?.removeAll()
        do throws(DownloadError) {
            return try await converse()
        } catch {
            request.partial?.keep(part)
            throw error
        }
    }

    private mutating func converse() async throws(DownloadError) -> Download {
        while true {
            if let download = try await answer() { return download }
            // The response is released by now, so a transfer that waits for a place blocks no connection of another
            // one.
            try await place.move(to: request.url.hostKey, isSecure: request.url.isSecure)
        }
    }

    /// Sends one request and returns its result, or nil if another request must follow.
    private mutating func answer() async throws(DownloadError) -> Download? {
        let response = try await head()
        if try await answersElsewhere(response) { return nil }
        let description = description(of: response)
        let check = check(response, description)
        guard await hooks.didReceive(description) == .allow else { throw .response(.cancelledByDelegate) }
        switch try check.verdict() {
        case .notModified: return finished(Data(), response, isProvenWhole: true, isNotModified: true)
        case .otherPart:
            part = nil
            request.firstBytes = nil
            return nil
        case .whole(let length):
            part = nil
            return try await body(of: response, description, check, length: length, isProvenWhole: check.isFramed)
        case .beginning(let total):
            part = nil
            return try await beginning(of: response, description, check, total: total)
        case .rest(let total):
            return try await body(of: response, description, check, length: total, isProvenWhole: true)
        }
    }

    /// Follows a redirect or answers a challenge; returns true if a new request must be sent.
    private mutating func answersElsewhere(_ response: HTTPClientResponse) async throws(DownloadError) -> Bool {
        let code = Int(response.status.code)
        let isChallenge = code == 401 || code == 407
        guard isChallenge || RedirectRules.statusCodes.contains(code) else { return false }
        if isChallenge { return try await answerChallenge(of: response) }
        try await redirect(by: response)
        return true
    }
}

// MARK: - Requests

extension DownloadSession {
    private mutating func head() async throws(DownloadError) -> HTTPClientResponse {
        let proxy = try dependencies.configuration.proxies.server(for: request.url).map(withLearnedCredential)
        let route = HTTPTransport.Route(to: request.url, through: proxy)
        let outgoing = OutgoingRequest(
            request: request, configuration: dependencies.configuration,
            isUsersOwn: request.url == usersURL || Origin(request.url) == Origin(usersURL), learned: learned,
            cookies: dependencies.cookies.field(for: request.url, at: now), part: part, route: route)
        let exchange = Exchange(
            began: dependencies.clock.now(), absoluteTarget: outgoing.absoluteTarget,
            deadlines: metrics.statusCode == nil ? deadlines : nil)
        let response: HTTPClientResponse
        do throws(DownloadError) {
            response = try await send(
                outgoing.message, exchange, on: route, to: proxy?.host ?? request.url.host() ?? "")
        } catch {
            if exchange.use?.isReused == true, error.isMalformed { return try await headAfterLeftover() }
            guard exchange.use == nil, error != .cancelled else { throw error }
            throw proxy.map { error.onTheWay(through: $0) } ?? error
        }
        record(response, exchange)
        dependencies.queue.learn(place.host, isMultiplexed: response.version.major >= 2)
        return response
    }

    /// Sends a request to a server or a proxy and returns the response's head.
    ///
    /// - Throws: The explained error, a time-out or the cancellation.
    private func send(
        _ message: HTTPClientRequest, _ exchange: Exchange, on route: HTTPTransport.Route, to host: String
    ) async throws(DownloadError) -> HTTPClientResponse {
        let (clock, headLimit) = (dependencies.clock, limits.head)
        let total = limits.total.map { deadlines.alarm(after: started + $0 - clock.now(), .total, by: clock) }
        // The time for the head begins when the request is sent; connecting has its own limit.
        exchange.onHeadSent { [deadlines] in deadlines.alarm(after: headLimit, .head, by: clock) }
        let result = await result(of: message, exchange, on: route, to: host)
        exchange.finish()
        total?.cancel()
        if let passed = deadlines.passed { throw passed }
        if Task.isCancelled { throw .cancelled }
        return try result.get()
    }

    private func result(
        of message: HTTPClientRequest, _ exchange: Exchange, on route: HTTPTransport.Route, to host: String
    ) async -> Result<HTTPClientResponse, DownloadError> {
        do {
            return .success(
                try await dependencies.transport.send(message, exchange, on: route, connection: place.connection))
        } catch let error as HTTPClientError where error == .proxyAuthenticationRequired {
            // The client does not expose the fields of a 407 response to the tunnel's CONNECT request.
            return .success(HTTPClientResponse(status: .proxyAuthenticationRequired))
        } catch {
            return .failure(await Self.explained(TransportErrors.downloadError(from: error, stage: .head), host))
        }
    }

    /// Repeats the request after leftover bytes of an earlier response on the connection made this response
    /// malformed.
    private mutating func headAfterLeftover() async throws(DownloadError) -> HTTPClientResponse {
        leftovers += 1
        guard leftovers <= Self.leftoverLimit else { throw .response(.transport(.reset)) }
        return try await head()
    }

    private func withLearnedCredential(_ proxy: ProxyServer) -> ProxyServer {
        var proxy = proxy
        proxy.credential = learned[Origin(proxy)] ?? proxy.credential
        return proxy
    }

    private mutating func record(_ response: HTTPClientResponse, _ exchange: Exchange) {
        metrics.firstByte = dependencies.clock.now() - started
        metrics.version = Self.name(of: response.version)
        metrics.statusCode = Int(response.status.code)
        request.onAnswer?(Int(response.status.code), metrics.redirectedTo)
        dependencies.cookies.store(response.headers["set-cookie"], from: request.url, at: now)
        guard let use = exchange.use else { return }
        metrics.isReusedConnection = use.isReused
        metrics.connect = use.isReused ? nil : max(.zero, use.ready - exchange.began)
    }

    /// Returns the error for a failed lookup: only a name that does not exist is permanent.
    private static func explained(_ error: DownloadError, _ host: String) async -> DownloadError {
        guard error == .response(.transport(.nameNotFound)), await !NameLookup.isUnknown(host) else { return error }
        return .response(.transport(.nameLookupFailed))
    }

    private mutating func redirect(by response: HTTPClientResponse) async throws(DownloadError) {
        let proposed = try RedirectRules.next(
            after: request, location: response.headers.first(name: "location"), redirectsSoFar: metrics.redirects,
            limits: limits)
        let redirect = Redirect(
            statusCode: Int(response.status.code), request: request, next: proposed, count: metrics.redirects)
        request = try await handled(redirect)
        metrics.redirectedTo.append(request.url)
    }

    /// Returns the next request after the redirect handler has edited it.
    private func handled(_ redirect: Redirect) async throws(DownloadError) -> DownloadRequest {
        guard let handler = redirect.request.redirectHandler else { return redirect.next }
        guard let next = await handler.next(after: redirect) else { throw .response(.redirect(.stopped)) }
        try RedirectRules.check(next.url, from: redirect.request.url, limits: limits)
        return next
    }

    private mutating func answerChallenge(of response: HTTPClientResponse) async throws(DownloadError) -> Bool {
        let isProxy = response.status.code == 407
        guard let responder = dependencies.configuration.challengeResponder, refusedAnswers < Self.answerLimit else {
            return false
        }
        let proxy = try dependencies.configuration.proxies.server(for: request.url)
        // A server that is not a proxy must not receive the credentials of a proxy.
        guard !isProxy || proxy != nil, let url = URL(string: OutgoingRequest.withoutUserInfo(request.url)) else {
            return false
        }
        let fields = response.headers[isProxy ? "proxy-authenticate" : "www-authenticate"]
        let challenge = AuthenticationChallenge(
            url: url, isProxy: isProxy, schemes: ChallengeParser.schemes(in: fields), previousFailures: refusedAnswers)
        switch await responder.answer(challenge) {
        case .performDefault: return false
        case .cancel: throw .response(.cancelledByDelegate)
        case .credential(let credential):
            refusedAnswers += 1
            let origin = isProxy ? proxy.map { Origin($0) } : nil
            learned[origin ?? Origin(request.url)] = credential
            return true
        }
    }
}

// MARK: - Responses

extension DownloadSession {
    private func check(_ response: HTTPClientResponse, _ description: DownloadResponse) -> ResponseCheck {
        ResponseCheck(
            status: response.status, version: response.version, headers: response.headers, limits: limits,
            now: now, part: part,
            isValidation: request.validators != nil, isBeginning: request.firstBytes != nil,
            isDocument: request.isDocument,
            isValid: { [hooks] in hooks.isValid(statusCode: $0, of: description) })
    }

    private func description(of response: HTTPClientResponse) -> DownloadResponse {
        DownloadResponse(
            url: request.url, statusCode: Int(response.status.code),
            headers: response.headers.map { HeaderField(name: $0.name, value: $0.value) },
            version: Self.name(of: response.version))
    }

    private static func name(of version: HTTPVersion) -> String {
        switch version {
        case _ where version.major == 2: "HTTP/2"
        case .http1_1: "HTTP/1.1"
        default: version.description
        }
    }

    /// Reads the wanted beginning of a body.
    private mutating func beginning(
        of response: HTTPClientResponse, _ description: DownloadResponse, _ check: ResponseCheck, total: Int?
    ) async throws(DownloadError) -> Download {
        var download = try await body(of: response, description, check, length: total, isProvenWhole: check.isFramed)
        download.isBeginning = total != download.data.count
        download.wholeLength = total
        return download
    }

    private mutating func body(
        of response: HTTPClientResponse, _ description: DownloadResponse, _ check: ResponseCheck, length: Int?,
        isProvenWhole: Bool
    ) async throws(DownloadError) -> Download {
        let modifier = hooks.dataModifier(for: description)
        let etag = response.headers.first(name: "etag") ?? part?.etag
        let codings = check.codings
        metrics.resumedBytes = part?.data.count ?? 0
        let reader = BodyReader(
            prefix: part?.data ?? Data(), expected: length, limits: limits, clock: dependencies.clock,
            started: started, deadlines: deadlines, bandwidth: dependencies.bandwidth,
            receivedBytes: dependencies.receivedBytes,
            check: modifier == nil || !codings.isEmpty ? request.bodyCheck : nil,
            firstBytes: codings.isEmpty ? request.firstBytes : nil, codings: codings,
            onProgress: onProgress, onBytes: modifier == nil && codings.isEmpty ? request.onBytes : nil)
        part = nil
        let outcome = await reader.read(response.body)
        if let error = outcome.error {
            if error.leavesPart, isProvenWhole, codings.isEmpty {
                part = BodyPart(data: outcome.data, etag: etag, total: length)
            }
            throw error
        }
        metrics.bytes = outcome.data.count
        var data = outcome.data
        if !codings.isEmpty {
            data = try ContentCoding.removed(codings, from: data, atMost: limits.bytes, unless: request.bodyCheck)
            if modifier == nil, let refusal = request.refusal(of: data) { throw refusal }
        }
        data = try await modified(data, by: modifier)
        return finished(data, response, isProvenWhole: isProvenWhole)
    }

    private func modified(_ data: Data, by modifier: DataModifier?) async throws(DownloadError) -> Data {
        guard let modifier else { return data }
        let modified: Data
        do {
            modified = try await modifier(data)
        } catch is CancellationError {
            throw deadlines.passed ?? .cancelled
        } catch {
            throw .response(.dataModifyingFailed(String(describing: error)))
        }
        if let refusal = request.refusal(of: modified) { throw refusal }
        return modified
    }

    private func finished(
        _ data: Data, _ response: HTTPClientResponse, isProvenWhole: Bool, isNotModified: Bool = false
    ) -> Download {
        let known = isNotModified ? request.validators : nil
        return Download(
            data: data, url: request.url, isNotModified: isNotModified, isProvenWhole: isProvenWhole,
            etag: response.headers.first(name: "etag") ?? known?.etag,
            lastModified: response.headers.first(name: "last-modified") ?? known?.lastModified,
            headers: StoredHeaders.lines(of: response.headers), metrics: metrics)
    }
}

extension DownloadError {
    /// Returns the error of a connection through a proxy; TLS errors stay, because TLS is negotiated with the host
    /// itself.
    fileprivate func onTheWay(through proxy: ProxyServer) -> DownloadError {
        guard case .response(.transport(let failure)) = self else { return self }
        if case .tls = failure { return self }
        return .response(.transport(.proxy("\(proxy.host):\(proxy.port)", failure)))
    }

    fileprivate var isMalformed: Bool {
        if case .response(.transport(.malformedResponse)) = self { true } else { false }
    }

    /// Whether the bytes received before the error are valid and can be continued.
    fileprivate var leavesPart: Bool {
        switch self {
        case .response(.truncated), .response(.timedOut), .response(.transport(.reset)), .request(.taskCancelled): true
        default: false
        }
    }
}
