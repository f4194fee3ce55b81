import AlcedoSupport
import FoundationEssentials
import Raster
import Retrying
import Synchronization

/// One network fetch with its retries.
extension ImagePipeline {
    func transfer(
        _ resource: any Resource, _ request: LoadRequest, expired: (data: Data, entry: CacheEntry)? = nil,
        send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> FetchedData {
        let address = resource.downloadURL.absoluteString
        let clearings = request.originals.clearings.load(ordering: .relaxed)
        if request.policy.usesNegativeCache, let error = gone.error(for: address, clearings) { throw error }
        let facts = expired?.entry.facts
        let attempts = Attempts(
            resource.downloadURL, request,
            validators: Validators(etag: facts?.etag, lastModified: facts?.lastModified),
            isPatient: !(expired.map { request.serves(expired: $0.entry) } ?? false))
        let downloader = request.options.download.downloader ?? downloader
        let attempt: @Sendable () async throws -> FetchedData = {
            try await self.attempt(attempts, downloader, send: send)
        }
        do throws(ImageError) {
            let fetched = try await self.fetched(attempt, attempts, request, send: send).renewed(from: expired)
            gone.remove(address)
            return await renewed(fetched, expired?.entry, request)
        } catch {
            attempts.answer.map { send(.answered(statusCode: $0.statusCode, redirects: $0.redirects)) }
            gone.record(error, for: address, clearings)
            // An image that is permanently gone is removed from the cache too.
            if error.isInvalidResponseStatusCode(410) {
                _ = try? await request.originals.removeImages(forKey: resource.cacheKey)
            }
            throw error
        }
    }

    /// Renews the disk entry of bytes that are still valid, whether or not the load stores its original.
    private func renewed(
        _ fetched: FetchedData, _ entry: CacheEntry?, _ request: LoadRequest
    ) async -> FetchedData {
        guard fetched.isRevalidated, let entry, let disk = request.originals.disk else { return fetched }
        var fetched = fetched
        fetched.isRenewed = await disk.renew(
            entry, expiration: request.options.cache.diskCacheExpiration, etag: fetched.download?.etag,
            lastModified: fetched.download?.lastModified)
        return fetched
    }

    private func fetched(
        _ attempt: @escaping @Sendable () async throws -> FetchedData, _ attempts: Attempts, _ request: LoadRequest,
        send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> FetchedData {
        do {
            guard attempts.isPatient, let strategy = request.options.download.retryStrategy else {
                return try await attempt()
            }
            return try await Self.prepare(strategy, attempts, send: send).job(attempt).value
        } catch {
            throw Self.imageError(from: error)
        }
    }

    /// Waits for the host's turn, transfers the bytes, and records the outcome for the host.
    private func attempt(
        _ attempts: Attempts, _ downloader: any DataDownloading, send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws -> FetchedData {
        let permit = try await turn(attempts, send: send)
        send(.started)
        let transfer = TransferTable.Transfer(id: attempts.request.id, downloader: downloader)
        let priority = transfers.begin(transfer, for: attempts.key) ?? attempts.priority
        defer { transfers.end(attempts.key) }
        attempts.begin()
        var request = attempts.request
        if hosts.isPaced {
            request.redirectHandler = RateLimitedRedirects(hosts: hosts, handler: request.redirectHandler)
        }
        request.onAnswer = attempts.answered
        request.onBytes = { [transfers, key = attempts.key] in transfers.append($0, at: $1, of: key) }
        let earlier = attempts.timeSinceFirst(now())
        do throws(DownloadError) {
            var done = try await downloader.download(request, priority: priority) {
                send(.progress($0))
            }
            done.metrics.firstByte += earlier
            done.metrics.total += earlier
            hosts.record(.success, of: permit)
            return FetchedData(download: done)
        } catch {
            attempts.failed(error)
            record(error, of: permit)
            if let pause = attempts.pause(after: error) { hosts.park(permit.host, for: pause) }
            throw ImageError(error)
        }
    }

    private func record(_ error: DownloadError, of permit: HostHealth.Permit) {
        if error.isInvalidResponseStatusCode(429) {
            hosts.recordRefusal(of: permit)
        } else if error.isInvalidResponseStatusCode(503) {
            // A 503 may also mean an outage, so it is not certain that there were too many requests.
            hosts.recordRefusal(of: permit, isCertain: false)
        } else {
            hosts.record(error.outcomeForHost, of: permit, isAnswer: error.isAnswer)
        }
    }

    private func turn(
        _ attempts: Attempts, send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws -> HostHealth.Permit {
        let last = attempts.lastError
        // A retry after the delay that the host asked for uses none of the host's retry budget.
        let isRetry = last.map { attempts.pause(after: $0) == nil } ?? false
        do {
            return try await hosts.turn(
                at: attempts.host, isRetry: isRetry, isPatient: attempts.isPatient,
                ignoresFailures: attempts.ignoresFailures
            ) {
                send(.parked($0))
            } isUrgent: {
                (transfers.priority(of: attempts.key) ?? attempts.priority) >= 0.5
            }
        } catch HostRejection.retryBudgetExhausted {
            throw ImageError.response(.retryBudgetExhausted(after: last ?? .cancelled))
        } catch HostRejection.unavailable(let time) {
            throw ImageError.response(.hostUnavailable(attempts.host, since: time, after: last))
        } catch is HostRejection {
            throw ImageError.response(.hostUnavailable(attempts.host, since: .zero, after: last))
        }
    }

    /// Returns a retrier that decides by the newest error whether to retry and which server delay to accept.
    private static func prepare(
        _ strategy: any RetryStrategy, _ attempts: Attempts, send: @escaping @Sendable (LoadEvent) -> Void
    ) -> Retrier {
        strategy.retrier(for: attempts.host)
            .giveUpOnErrors { ($0 as? ImageError)?.isRetryable != true }
            .honouringServerDelay(upTo: attempts.serverDelayLimit) { ($0 as? ImageError)?.serverDelay }
            .handleRetrierEvents { event in
                guard case .attemptFailure(let failure) = event, let error = failure.error as? ImageError,
                    let delay = failure.delay
                else { return }
                send(.retrying(attempt: failure.index + 2, error: error, delay: delay))
            }
    }

    private static func imageError(from error: any Error) -> ImageError {
        switch error {
        case let error as ImageError: error
        case is CancellationError: .cancelled
        case RetrierError.timedOut: .response(.timedOut(.total))
        case RetrierError.conditionEnded: .response(.transport(.unreachable))
        default: .response(.transport(.other(String(describing: error))))
        }
    }
}

/// The state of the attempts at one transfer: the request, and the outcome of the last attempt.
private final class Attempts: Sendable {
    let request: DownloadRequest
    let host: String
    let priority: Double
    let serverDelayLimit: Duration
    /// Whether waiting and retrying is useful; false if an expired entry can be used instead.
    let isPatient: Bool
    /// Whether failures of other transfers do not hold this one up: a single load should fail at once, with its own
    /// error.
    let ignoresFailures: Bool
    /// The key under which waiters share the transfer.
    let key: BytesKey
    private struct State {
        var error: DownloadError?
        var answer: (statusCode: Int, redirects: [URL])?
        var start: Duration?
    }

    private let state = Mutex(State())

    init(_ url: URL, _ load: LoadRequest, validators: Validators?, isPatient: Bool) {
        self.isPatient = isPatient
        let options = load.options.download
        ignoresFailures = isPatient && !options.waitsForHost && options.retryStrategy == nil
        key = load.bytesKey
        var request = DownloadRequest(url: url, headers: options.headers)
        request.modifier = options.requestModifier
        request.redirectHandler = options.redirectHandler
        request.hooks = options.hooks
        request.validators = validators
        request.isDocument = load.isDocument
        if !load.isDocument {
            request.bodyCheck = FormatSniffer.check(accepting: load.options.process.acceptedFormats)
        }
        if case .beginning(let bytes) = options.inspection { request.firstBytes = bytes }
        self.request = request
        host = url.hostKey
        priority = options.priority
        serverDelayLimit = options.serverDelayLimit
    }

    var lastError: DownloadError? { state.withLock(\.error) }

    /// The response to the last attempt; nil if there was none.
    var answer: (statusCode: Int, redirects: [URL])? { state.withLock(\.answer) }

    /// Returns the time since the first attempt began; 0 for the first attempt.
    func timeSinceFirst(_ now: Duration) -> Duration {
        state.withLock { state in
            let start = state.start ?? now
            state.start = start
            return now - start
        }
    }

    func begin() { state.withLock { $0.answer = nil } }

    @Sendable func answered(_ statusCode: Int, _ redirects: [URL]) {
        state.withLock { $0.answer = (statusCode, redirects) }
    }

    func failed(_ error: DownloadError) { state.withLock { $0.error = error } }

    /// Returns the delay that the server asked for, if it is within the limit.
    func pause(after error: DownloadError) -> Duration? {
        error.serverDelay.flatMap { $0 > .zero && $0 <= serverDelayLimit ? $0 : nil }
    }
}

extension DownloadError {
    /// The outcome for the health of the host: any response except a server error shows that the host works.
    fileprivate var outcomeForHost: CircuitBreaker.Outcome {
        guard case .response(let reason) = self else { return .neutral }
        return switch reason {
        case .invalidHTTPStatusCode(let code, _): code >= 500 ? .failure : .success
        case .transport(.nameNotFound), .transport(.proxy(_, .nameNotFound)), .transport(.environment): .neutral
        // An empty body may be that of one address.
        case .truncated(0, 0): .neutral
        case .transport, .timedOut, .truncated: .failure
        case .tooLarge, .redirect, .notAnImage, .notAccepted, .dataModifyingFailed, .cancelledByDelegate,
            .digestMismatch:
            .success
        case .hostUnavailable, .retryBudgetExhausted: .neutral
        }
    }
}

extension DownloadError {
    /// Whether the server answered, with an error status or with a part of the body.
    fileprivate var isAnswer: Bool {
        guard case .response(let reason) = self else { return false }
        return switch reason {
        case .invalidHTTPStatusCode, .truncated, .timedOut(.idle): true
        default: false
        }
    }
}

extension FetchedData {
    /// Returns the expired bytes with their new validators, if the server confirmed that they are still valid.
    fileprivate func renewed(from expired: (data: Data, entry: CacheEntry)?) -> FetchedData {
        guard isRevalidated, let expired else { return self }
        var copy = self
        copy.data = expired.data
        copy.download?.etag = download?.etag ?? expired.entry.facts.etag
        copy.download?.lastModified = download?.lastModified ?? expired.entry.facts.lastModified
        return copy
    }

    init(download: Download) {
        self.init(
            data: download.data, cacheType: .none, download: download)
    }
}

/// A redirect handler that delays the redirected request to keep its host's pace, like a first request.
struct RateLimitedRedirects: RedirectHandler {
    let hosts: HostHealth
    /// The caller's handler, which is called first.
    let handler: (any RedirectHandler)?

    func next(after redirect: Redirect) async -> DownloadRequest? {
        guard let handler else { return await paced(redirect.next) }
        guard let next = await handler.next(after: redirect) else { return nil }
        return await paced(next)
    }

    /// Waits for the host's pace; the next step detects a cancellation during the wait.
    private func paced(_ request: DownloadRequest) async -> DownloadRequest {
        try? await hosts.pace(at: request.url.hostKey)
        return request
    }
}

extension FormatSniffer {
    /// Returns a check whether a body is an image of an accepted format; nil if any body is accepted.
    static func check(accepting formats: Set<ImageFormat>?) -> BodyCheck? {
        guard let formats else { return nil }
        return { bytes, isWhole in
            switch judge(bytes, isWhole: isWhole) {
            case .format(let format): formats.contains(format) ? .accepted : .notAccepted(format.rawValue)
            case .undecided: .undecided
            case .refused(let appearance): .refused(appearance)
            }
        }
    }
}

/// A short-lived record of addresses without an image, which saves repeated requests.
final class NegativeCache: Sendable {
    private struct Entry: Sendable {
        let error: ImageError
        let until: Duration
        /// The number of times that the cache had been cleared; a later clearing ends the entry.
        let clearings: Int
    }

    /// The lifetime of an entry; nothing is recorded if it is 0.
    private let lifetime: Duration
    /// The number of entries at which expired ones are removed; if too many are left, all are removed.
    private let limit: Int
    private let now: @Sendable () -> Duration
    private let entries = Mutex<[String: Entry]>([:])

    init(lifetime: Duration, limit: Int = 4096, now: @escaping @Sendable () -> Duration) {
        (self.lifetime, self.limit, self.now) = (lifetime, limit, now)
    }

    /// Returns the recorded error of an address, or nil if there is none or it has expired.
    func error(for address: String, _ clearings: Int = 0) -> ImageError? {
        guard lifetime > .zero else { return nil }
        let moment = now()
        return entries.withLock { entries in
            guard let entry = entries[address] else { return nil }
            if entry.until > moment, entry.clearings == clearings { return entry.error }
            entries[address] = nil
            return nil
        }
    }

    /// Records an error if it means that the image does not exist (404, 410).
    func record(_ error: ImageError, for address: String, _ clearings: Int = 0) {
        guard lifetime > .zero, error.isInvalidResponseStatusCode(404) || error.isInvalidResponseStatusCode(410)
        else { return }
        let moment = now()
        entries.withLock { entries in
            if entries.count >= limit { entries = entries.filter { $0.value.until > moment } }
            if entries.count >= limit { entries = [:] }
            entries[address] = Entry(error: error, until: moment + lifetime, clearings: clearings)
        }
    }

    /// Removes the record of an address.
    func remove(_ address: String) { entries.withLock { $0[address] = nil } }
}
