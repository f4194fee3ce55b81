import AlcedoHTTPRequests
import AlcedoSupport
import FoundationEssentials
import Retrying
import Synchronization

/// One transfer: its requests, through redirects and challenges, until a body is complete or the transfer fails.
struct DownloadSession {
    let downloader: ImageDownloader
    private var place: AdmissionQueue.Place
    private let hooks: any DownloadHooks
    let onProgress: @Sendable (DownloadProgress) -> Void
    private let started: Duration
    private let originalURL: URL
    private(set) var request: DownloadRequest
    private var part: BodyPart?
    private var logins = Logins()
    private var refusedAnswers = 0
    private(set) var metrics = DownloadMetrics()

    /// The maximum number of credentials that one transfer sends in response to challenges.
    private static let loginLimit = 3

    init(
        _ request: DownloadRequest, hooks: any DownloadHooks, at place: AdmissionQueue.Place,
        by downloader: ImageDownloader, onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) {
        (self.request, self.hooks, self.place, self.downloader) = (request, hooks, place, downloader)
        self.onProgress = onProgress
        started = downloader.clock.now()
        originalURL = request.url
    }

    var limits: DownloadLimits {
        var limits = downloader.configuration.limits
        limits.total = request.timeout ?? limits.total
        return limits
    }

    /// The current time in seconds since 1970.
    private var now: Int64 { Int64(downloader.date().timeIntervalSince1970) }

    /// The part whose rest the next request asks for; nil if there is none of its address.
    private var resumedPart: BodyPart? { part.flatMap { $0.canContinue(at: request.url) ? $0 : nil } }

    /// Runs the transfer; on failure, stores the received part for the next transfer.
    mutating func run() async throws(DownloadError) -> Download {
        let key = PartialBodies.Key(request)
        // A part belongs to one transfer at a time; another one for an equal request begins with nothing.
        part = key.flatMap { key in downloader.parts.withLock { $0.remove(key) } }
        do throws(DownloadError) {
            while true {
                if let download = try await answer() { return download }
                // The response is released by now, so a transfer that waits for a place blocks no connection of
                // another one.
                try await place.move(to: request.url.hostKey, isSecure: request.url.isSecure)
            }
        } catch {
            if let key, let part { downloader.parts.withLock { $0.store(part, for: key) } }
            throw error
        }
    }

    /// Sends one request and returns its result, or nil if another request must follow.
    private mutating func answer() async throws(DownloadError) -> Download? {
        let exchange = try exchange()
        let end = limits.total.map { total in
            downloader.clock.alarm(after: max(started + total - downloader.clock.now(), .zero)) {
                exchange.fail(.response(.timedOut(.total)))
            }
        }
        defer { end?.cancel() }
        do throws(DownloadError) {
            let download = try await download(by: exchange, try await head(of: exchange))
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
        by exchange: Exchange, _ head: ResponseHead
    ) async throws(DownloadError) -> Download? {
        if try await follows(head, of: exchange.request) { return nil }
        let response = DownloadResponse(
            url: request.url, statusCode: head.statusCode, headers: head.fields, version: head.version)
        let check = ResponseCheck(
            head: head, request: request, limits: limits, now: now, part: resumedPart,
            isValid: { [hooks] in hooks.isValid(statusCode: $0, of: response) })
        guard await hooks.didReceive(response) == .allow else { throw .response(.cancelledByDelegate) }
        let verdict = try check.verdict()
        if case .rest = verdict {} else { part = nil }
        switch verdict {
        case .notModified: return finished(Data(), head, isProvenWhole: true, isNotModified: true)
        case .otherPart:
            request.firstBytes = nil
            return nil
        case .whole(let length):
            return try await body(of: exchange, check, response, length: length, isProvenWhole: check.isFramed)
        case .rest(let total):
            return try await body(of: exchange, check, response, length: total, isProvenWhole: true)
        case .beginning(let total):
            var download = try await body(of: exchange, check, response, length: total, isProvenWhole: check.isFramed)
            download.isBeginning = total != download.data.count
            download.wholeLength = total
            return download
        }
    }

    /// Follows a redirect or answers a challenge; returns true if a new request must be sent.
    private mutating func follows(_ head: ResponseHead, of sent: OutgoingRequest) async throws(DownloadError) -> Bool {
        if head.statusCode == 401 || head.statusCode == 407 { return try await answerChallenge(of: head, to: sent) }
        guard RedirectRules.statusCodes.contains(head.statusCode) else { return false }
        try await redirect(by: head)
        return true
    }
}

// MARK: - Requests

extension DownloadSession {
    private func exchange() throws(DownloadError) -> Exchange {
        let configuration = downloader.configuration
        var logins = logins
        logins.digests.formUnion(downloader.digestOrigins.withLock(\.self))
        let outgoing = try OutgoingRequest(
            request, configuration: configuration,
            isOriginalOrigin: request.url == originalURL || Origin(request.url) == Origin(originalURL),
            logins: logins, cookies: downloader.cookies.field(for: request.url, at: now), part: resumedPart,
            proxy: try configuration.proxies.server(for: request.url))
        let (clock, headLimit, queue, host) = (downloader.clock, limits.head, downloader.queue, place.host)
        return Exchange(
            outgoing, isFirst: metrics.statusCode == nil, bodyLimit: limits.bytes,
            pauseAt: downloader.bandwidth == nil ? nil : 64 << 10, by: downloader.transport
        ) { exchange in
            queue.didConnect(host)
            // The time for the head begins when the request is sent; connecting has its own limit.
            return clock.alarm(after: max(headLimit, .zero)) { exchange.fail(.response(.timedOut(.head))) }
        }
    }

    /// Sends the request and returns the head of its response.
    ///
    /// - Throws: The explained error, a time-out or the cancellation.
    private mutating func head(of exchange: Exchange) async throws(DownloadError) -> ResponseHead {
        defer { exchange.finishAlarm() }
        do throws(DownloadError) {
            let head = try await downloader.transport.send(exchange)
            if Task.isCancelled { throw .cancelled }
            record(head, exchange)
            return head
        } catch {
            if Task.isCancelled { throw .cancelled }
            // The library does not pass the head of a proxy's answer to CONNECT.
            if error.isInvalidResponseStatusCode(407) { return ResponseHead(statusCode: 407, version: "HTTP/1.1") }
            let proxy = exchange.request.proxy
            let explained = await Self.explained(error, proxy?.host ?? request.url.host() ?? "")
            guard exchange.use == nil, let proxy else { throw explained }
            throw explained.onTheWay(through: proxy)
        }
    }

    private mutating func record(_ head: ResponseHead, _ exchange: Exchange) {
        metrics.firstByte = downloader.clock.now() - started
        metrics.version = head.version
        metrics.statusCode = head.statusCode
        request.onAnswer?(head.statusCode, metrics.redirectedTo)
        downloader.cookies.store(head.values(of: "set-cookie"), from: request.url, at: now)
        downloader.queue.learn(place.host, isMultiplexed: head.isMultiplexed)
        guard let use = exchange.use else { return }
        (metrics.isReusedConnection, metrics.phases) = (use.isReused, use.phases)
    }

    /// Returns the error for a failed lookup: only a name that does not exist is permanent.
    private static func explained(_ error: DownloadError, _ host: String) async -> DownloadError {
        guard error == .response(.transport(.nameNotFound)), await !NameLookup.isUnknown(host) else { return error }
        return .response(.transport(.nameLookupFailed))
    }

    private mutating func redirect(by head: ResponseHead) async throws(DownloadError) {
        var next = try RedirectRules.next(
            after: request, location: head.first("location"), redirectsSoFar: metrics.redirects, limits: limits)
        if let handler = request.redirectHandler {
            let redirect = Redirect(
                statusCode: head.statusCode, request: request, next: next, count: metrics.redirects)
            guard let edited = await handler.next(after: redirect) else { throw .response(.redirect(.stopped)) }
            try RedirectRules.check(edited.url, from: request.url, limits: limits)
            next = edited
        }
        request = next
        metrics.redirectedTo.append(request.url)
    }

    private mutating func answerChallenge(
        of head: ResponseHead, to sent: OutgoingRequest
    ) async throws(DownloadError) -> Bool {
        let isProxy = head.statusCode == 407
        let triesDigest = isProxy ? sent.canTryDigest.proxy : sent.canTryDigest.server
        let responder = downloader.configuration.challengeResponder
        // A server that is not a proxy must not receive the credentials of a proxy.
        guard !isProxy || sent.proxy != nil, triesDigest || responder != nil else { return false }
        let origin = isProxy ? sent.proxy.map { Origin($0) } ?? Origin(request.url) : Origin(request.url)
        let fields = head.values(of: isProxy ? "proxy-authenticate" : "www-authenticate")
        let schemes = ChallengeParser.schemes(in: fields)
        let names = schemes.map(\.name)
        // The schemes in a proxy's answer to CONNECT are not known.
        let isUnknown = isProxy && fields.isEmpty
        if triesDigest, isUnknown || names.contains("digest") && !names.contains("basic") {
            logins.digests.insert(origin)
            if !isUnknown { downloader.digestOrigins.withLock { _ = $0.insert(origin) } }
            return true
        }
        guard let responder, refusedAnswers < Self.loginLimit, let url = URL(string: sent.address) else { return false }
        let challenge = AuthenticationChallenge(
            url: url, isProxy: isProxy, schemes: schemes, previousFailures: refusedAnswers)
        switch await responder.answer(challenge) {
        case .performDefault: return false
        case .cancel: throw .response(.cancelledByDelegate)
        case .credential(let credential):
            refusedAnswers += 1
            logins.credentials[origin] = credential
            return true
        }
    }
}

// MARK: - Responses

extension DownloadSession {
    /// Reads a body, removes its codings and applies the data modifier.
    private mutating func body(
        of exchange: Exchange, _ check: ResponseCheck, _ response: DownloadResponse, length: Int?, isProvenWhole: Bool
    ) async throws(DownloadError) -> Download {
        let modifier = hooks.dataModifier(for: response)
        let (codings, validators) = (check.codings, part?.validators ?? check.head.rangeValidators(now: now))
        var data = part?.data ?? Data()
        part = nil
        metrics.resumedBytes = data.count
        do throws(DownloadError) {
            try await read(exchange, into: &data, expected: length, codings: codings, isModified: modifier != nil)
        } catch {
            let error = Task.isCancelled ? .cancelled : error
            if error.leavesPart, isProvenWhole, codings.isEmpty {
                part = BodyPart(data: data, validators: validators, url: request.url, total: length)
            }
            throw error
        }
        metrics.bytes = data.count
        if !codings.isEmpty {
            data = try ContentCoding.removed(codings, from: data, atMost: limits.bytes, unless: request.bodyCheck)
        }
        if let modifier { data = try await Self.modified(data, by: modifier) }
        if modifier != nil || !codings.isEmpty, let refusal = request.bodyCheck?(data, true).error { throw refusal }
        return finished(data, check.head, isProvenWhole: isProvenWhole)
    }

    private static func modified(_ data: Data, by modifier: DataModifier) async throws(DownloadError) -> Data {
        do {
            return try await modifier(data)
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .response(.dataModifyingFailed(String(describing: error)))
        }
    }

    private func finished(
        _ data: Data, _ head: ResponseHead, isProvenWhole: Bool, isNotModified: Bool = false
    ) -> Download {
        let known = isNotModified ? request.validators : nil
        return Download(
            data: data, url: request.url, isNotModified: isNotModified, isProvenWhole: isProvenWhole,
            etag: head.first("etag") ?? known?.etag,
            lastModified: head.first("last-modified") ?? known?.lastModified,
            headers: head.storedLines, metrics: metrics)
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
