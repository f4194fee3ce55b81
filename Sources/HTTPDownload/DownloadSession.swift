import AlcedoHTTPRequests
import AlcedoSupport
import Foundation
import Retrying
import Synchronization

/// One transfer: its requests, through redirects and challenges, until a body is complete or the transfer fails.
struct DownloadSession {
    /// The objects that all sessions of a downloader share.
    final class Dependencies: Sendable {
        let configuration: DownloaderConfiguration
        let transport: HTTPTransport
        let queue: AdmissionQueue
        let clock: RunClock
        /// The bandwidth limit; nil if there is none.
        let bandwidth: Bandwidth?
        let receivedBytes = ReceivedBytes()
        let cookies: CookieJar
        /// The origins that requested a digest login.
        let digestOrigins = Mutex(Set<Origin>())
        /// The current date, for `Retry-After` dates and the expiry of cookies.
        let date: @Sendable () -> Date

        init(_ configuration: DownloaderConfiguration, clock: RunClock, date: @escaping @Sendable () -> Date) {
            (self.configuration, self.clock, self.date) = (configuration, clock, date)
            let limits = configuration.limits
            transport = HTTPTransport(configuration)
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
    private let originalURL: URL
    private var request: DownloadRequest
    private var part: BodyPart?
    private var logins = Logins()
    private var refusedAnswers = 0
    private var metrics = DownloadMetrics()

    /// The maximum number of credentials that one transfer sends in response to challenges.
    private static let answerLimit = 3

    init(
        _ request: DownloadRequest, hooks: any DownloadHooks, at place: AdmissionQueue.Place,
        in dependencies: Dependencies, onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) {
        (self.request, self.hooks, self.place, self.dependencies) = (request, hooks, place, dependencies)
        self.onProgress = onProgress
        started = dependencies.clock.now()
        originalURL = request.url
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
            return try await exchangeUntilFinal()
        } catch {
            request.partial?.keep(part)
            throw error
        }
    }

    private mutating func exchangeUntilFinal() async throws(DownloadError) -> Download {
        while true {
            if let download = try await answer() { return download }
            // The response is released by now, so a transfer that waits for a place blocks no connection of another
            // one.
            try await place.move(to: request.url.hostKey, isSecure: request.url.isSecure)
        }
    }

    /// Sends one request and returns its result, or nil if another request must follow.
    private mutating func answer() async throws(DownloadError) -> Download? {
        let proxy = try dependencies.configuration.proxies.server(for: request.url)
        let exchange = try exchange(through: proxy)
        do throws(DownloadError) {
            let head = try await head(of: exchange, through: proxy)
            let download = try await download(by: exchange, head, through: proxy)
            // After a success, bytes follow only if just the beginning of the body was wanted; those are not read.
            if download == nil { exchange.discardBody() } else { exchange.cancel() }
            return download
        } catch {
            // The rest of an error page is read, so that the connection can be reused. The rest of a refused body is
            // not.
            if case .response(.invalidHTTPStatusCode) = error { exchange.discardBody() } else { exchange.cancel() }
            throw error
        }
    }

    private mutating func download(
        by exchange: Exchange, _ head: ResponseHead, through proxy: ProxyServer?
    ) async throws(DownloadError) -> Download? {
        if try await followRedirectOrChallenge(head, to: exchange.request, through: proxy) { return nil }
        let description = description(of: head)
        let check = check(head, description)
        guard await hooks.didReceive(description) == .allow else { throw .response(.cancelledByDelegate) }
        switch try check.verdict() {
        case .notModified: return finished(Data(), head, isProvenWhole: true, isNotModified: true)
        case .otherPart:
            part = nil
            request.firstBytes = nil
            return nil
        case .whole(let length):
            part = nil
            return try await body(
                of: exchange, head, description, check, length: length, isProvenWhole: check.isFramed)
        case .beginning(let total):
            part = nil
            return try await beginning(of: exchange, head, description, check, total: total)
        case .rest(let total):
            return try await body(of: exchange, head, description, check, length: total, isProvenWhole: true)
        }
    }

    /// Follows a redirect or answers a challenge; returns true if a new request must be sent.
    private mutating func followRedirectOrChallenge(
        _ head: ResponseHead, to sent: OutgoingRequest, through proxy: ProxyServer?
    ) async throws(DownloadError) -> Bool {
        let isChallenge = head.statusCode == 401 || head.statusCode == 407
        guard isChallenge || RedirectRules.statusCodes.contains(head.statusCode) else { return false }
        if isChallenge { return try await answerChallenge(of: head, to: sent, through: proxy) }
        try await redirect(by: head)
        return true
    }
}

// MARK: - Requests

extension DownloadSession {
    private func exchange(through proxy: ProxyServer?) throws(DownloadError) -> Exchange {
        var logins = logins
        logins.merge(dependencies.digestOrigins.withLock(\.self))
        let isOriginalOrigin = request.url == originalURL || Origin(request.url) == Origin(originalURL)
        let outgoing = try OutgoingRequest(
            request, configuration: dependencies.configuration, isOriginalOrigin: isOriginalOrigin, logins: logins,
            cookies: dependencies.cookies.field(for: request.url, at: now), part: part, proxy: proxy)
        let (clock, headLimit, queue, host) = (dependencies.clock, limits.head, dependencies.queue, place.host)
        return Exchange(
            outgoing, isFirst: metrics.statusCode == nil, bodyLimit: limits.bytes,
            pauseAt: dependencies.bandwidth == nil ? nil : 64 << 10, inbox: dependencies.transport.inbox,
            receivedBytes: dependencies.receivedBytes
        ) { exchange in
            queue.didConnect(host)
            // The time for the head begins when the request is sent; connecting has its own limit.
            return clock.alarm(after: max(headLimit, .zero)) { exchange.fail(.response(.timedOut(.head))) }
        }
    }

    /// Sends the request and returns the head of its response.
    ///
    /// - Throws: The explained error, a time-out or the cancellation.
    private mutating func head(
        of exchange: Exchange, through proxy: ProxyServer?
    ) async throws(DownloadError) -> ResponseHead {
        let clock = dependencies.clock
        let cancelTotal = limits.total.map { total in
            clock.alarm(after: max(started + total - clock.now(), .zero)) {
                exchange.fail(.response(.timedOut(.total)))
            }
        }
        defer {
            exchange.finishAlarm()
            cancelTotal?()
        }
        do throws(DownloadError) {
            let head = try await dependencies.transport.send(exchange)
            if Task.isCancelled { throw .cancelled }
            record(head, exchange)
            return head
        } catch {
            if Task.isCancelled { throw .cancelled }
            // The library does not pass the head of a proxy's answer to CONNECT.
            if error.isInvalidResponseStatusCode(407) { return ResponseHead(statusCode: 407, version: "HTTP/1.1") }
            let explained = await Self.explained(error, proxy?.host ?? request.url.host() ?? "")
            guard exchange.use == nil, let proxy else { throw explained }
            throw explained.onTheWay(through: proxy)
        }
    }

    private mutating func record(_ head: ResponseHead, _ exchange: Exchange) {
        metrics.firstByte = dependencies.clock.now() - started
        metrics.version = head.version
        metrics.statusCode = head.statusCode
        request.onAnswer?(head.statusCode, metrics.redirectedTo)
        dependencies.cookies.store(head.values(of: "set-cookie"), from: request.url, at: now)
        dependencies.queue.learn(place.host, isMultiplexed: head.isMultiplexed)
        guard let use = exchange.use else { return }
        metrics.isReusedConnection = use.isReused
        metrics.phases = use.isReused ? nil : use.phases
    }

    /// Returns the error for a failed lookup: only a name that does not exist is permanent.
    private static func explained(_ error: DownloadError, _ host: String) async -> DownloadError {
        guard error == .response(.transport(.nameNotFound)), await !NameLookup.isUnknown(host) else { return error }
        return .response(.transport(.nameLookupFailed))
    }

    private mutating func redirect(by head: ResponseHead) async throws(DownloadError) {
        let proposed = try RedirectRules.next(
            after: request, location: head.first("location"), redirectsSoFar: metrics.redirects,
            limits: limits)
        let redirect = Redirect(
            statusCode: head.statusCode, request: request, next: proposed, count: metrics.redirects)
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

    private mutating func answerChallenge(
        of head: ResponseHead, to sent: OutgoingRequest, through proxy: ProxyServer?
    ) async throws(DownloadError) -> Bool {
        let isProxy = head.statusCode == 407
        // A server that is not a proxy must not receive the credentials of a proxy.
        guard !isProxy || proxy != nil, let url = URL(string: OutgoingRequest.address(of: request.url)) else {
            return false
        }
        let origin = isProxy ? proxy.map { Origin($0) } ?? Origin(request.url) : Origin(request.url)
        let fields = head.values(of: isProxy ? "proxy-authenticate" : "www-authenticate")
        let schemes = ChallengeParser.schemes(in: fields)
        let canTryDigest = isProxy ? sent.canTryDigest.proxy : sent.canTryDigest.server
        if canTryDigest, useDigest(for: origin, schemes, isUnknown: isProxy && fields.isEmpty) { return true }
        guard let responder = dependencies.configuration.challengeResponder, refusedAnswers < Self.answerLimit else {
            return false
        }
        let challenge = AuthenticationChallenge(
            url: url, isProxy: isProxy, schemes: schemes, previousFailures: refusedAnswers)
        switch await responder.answer(challenge) {
        case .performDefault: return false
        case .cancel: throw .response(.cancelledByDelegate)
        case .credential(let credential):
            refusedAnswers += 1
            logins[origin] = credential
            return true
        }
    }

    /// Returns whether the request must be sent again with a digest login, which is then remembered for the origin.
    ///
    /// - Parameter isUnknown: Whether the schemes are not known, as in a proxy's answer to CONNECT.
    private mutating func useDigest(
        for origin: Origin, _ schemes: [AuthenticationChallenge.Scheme], isUnknown: Bool
    ) -> Bool {
        let names = schemes.map(\.name)
        guard isUnknown || names.contains("digest") && !names.contains("basic") else { return false }
        logins.useDigest(origin)
        if !isUnknown { dependencies.digestOrigins.withLock { _ = $0.insert(origin) } }
        return true
    }
}

// MARK: - Responses

extension DownloadSession {
    private func check(_ head: ResponseHead, _ description: DownloadResponse) -> ResponseCheck {
        ResponseCheck(
            head: head, limits: limits, now: now, part: part, isValidation: request.validators != nil,
            isBeginning: request.firstBytes != nil, isDocument: request.isDocument,
            isValid: { [hooks] in hooks.isValid(statusCode: $0, of: description) })
    }

    private func description(of head: ResponseHead) -> DownloadResponse {
        DownloadResponse(
            url: request.url, statusCode: head.statusCode, headers: head.fields, version: head.version)
    }

    /// Reads the wanted beginning of a body.
    private mutating func beginning(
        of exchange: Exchange, _ head: ResponseHead, _ description: DownloadResponse, _ check: ResponseCheck,
        total: Int?
    ) async throws(DownloadError) -> Download {
        var download = try await body(
            of: exchange, head, description, check, length: total, isProvenWhole: check.isFramed)
        download.isBeginning = total != download.data.count
        download.wholeLength = total
        return download
    }

    private mutating func body(
        of exchange: Exchange, _ head: ResponseHead, _ description: DownloadResponse, _ check: ResponseCheck,
        length: Int?, isProvenWhole: Bool
    ) async throws(DownloadError) -> Download {
        let modifier = hooks.dataModifier(for: description)
        let etag = head.first("etag") ?? part?.etag
        let codings = check.codings
        metrics.resumedBytes = part?.data.count ?? 0
        let reader = BodyReader(
            prefix: part?.data ?? Data(), expected: length, limits: limits, clock: dependencies.clock,
            started: started, bandwidth: dependencies.bandwidth,
            check: modifier == nil || !codings.isEmpty ? request.bodyCheck : nil,
            firstBytes: codings.isEmpty ? request.firstBytes : nil, codings: codings,
            onProgress: { [onProgress, phases = metrics.phases, firstByte = metrics.firstByte] in
                onProgress(.init(received: $0, total: length, phases: phases, firstByte: firstByte))
            },
            onBytes: modifier == nil && codings.isEmpty ? request.onBytes : nil)
        part = nil
        let outcome = await reader.read(exchange)
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
        return finished(data, head, isProvenWhole: isProvenWhole)
    }

    private func modified(_ data: Data, by modifier: DataModifier?) async throws(DownloadError) -> Data {
        guard let modifier else { return data }
        let modified: Data
        do {
            modified = try await modifier(data)
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .response(.dataModifyingFailed(String(describing: error)))
        }
        if let refusal = request.refusal(of: modified) { throw refusal }
        return modified
    }

    private func finished(
        _ data: Data, _ head: ResponseHead, isProvenWhole: Bool, isNotModified: Bool = false
    ) -> Download {
        let known = isNotModified ? request.validators : nil
        return Download(
            data: data, url: request.url, isNotModified: isNotModified, isProvenWhole: isProvenWhole,
            etag: head.first("etag") ?? known?.etag,
            lastModified: head.first("last-modified") ?? known?.lastModified,
            headers: StoredHeaders.lines(of: head), metrics: metrics)
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

    /// Whether the bytes received before the error are valid and can be continued.
    fileprivate var leavesPart: Bool {
        switch self {
        case .response(.truncated), .response(.timedOut), .response(.transport(.reset)), .request(.taskCancelled): true
        default: false
        }
    }
}
