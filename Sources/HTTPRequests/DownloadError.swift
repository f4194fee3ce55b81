import FoundationEssentials

/// The failure of a transfer.
public enum DownloadError: Error, Sendable, Equatable {
    /// An error before anything was sent.
    case request(RequestReason)
    /// An error of the transfer or its response.
    case response(ResponseReason)

    /// The reasons with codes 1001 to 1003.
    public enum RequestReason: Sendable, Equatable {
        /// A request modifier returned nil.
        case emptyRequest
        /// The address cannot be fetched; the text says why.
        case invalidURL(String)
        /// The task was cancelled; for a shared transfer, all tasks that waited for it were.
        ///
        /// The program does not show this as a failure.
        case taskCancelled
    }

    /// The reasons with codes 2002 to 2109.
    public enum ResponseReason: Sendable, Equatable {
        /// The status is not accepted (by default any but 200, 201, 203 and 226); `retryAfter` is the delay of the
        /// `Retry-After` field.
        case invalidHTTPStatusCode(Int, retryAfter: Duration?)
        /// Connecting, sending or receiving failed.
        case transport(TransportFailure)
        /// A time limit passed.
        case timedOut(TimeoutStage)
        /// The body ended before the end that its framing declares; 0 of 0 bytes if a picture's body is empty.
        case truncated(received: Int, expected: Int?)
        /// The body exceeds the limit in bytes, by its declared length or by the bytes received.
        case tooLarge(limit: Int)
        /// The data modifier or the decompression of the body failed; the text says why.
        case dataModifyingFailed(String)
        /// A hook or a challenge responder cancelled the transfer.
        case cancelledByDelegate
        /// A redirect was not followed.
        case redirect(RedirectProblem)
        /// The host has failed for so long that requests to it fail at once.
        ///
        /// - Parameters:
        ///   - since: The time since the host began to fail.
        ///   - after: The error of this request's own attempt; nil if there was none.
        indirect case hostUnavailable(String, since: Duration, after: DownloadError?)
        /// The attempt failed, and the host's retry budget is used up.
        indirect case retryBudgetExhausted(after: DownloadError)
        /// The body is not a picture in an accepted format; the text says what it looks like.
        case notAnImage(String)
        /// The body is a picture in a format that the request does not accept.
        case notAccepted(format: String)
        /// The SHA-256 of the body differs from the expected one.
        case digestMismatch
    }

    /// The limit of `DownloadLimits` that was exceeded.
    public enum TimeoutStage: String, Sendable, Equatable {
        /// The limit of connecting, of the header, of a pause, of the rate, or of the whole transfer.
        case connect, head, idle, rate, total
    }

    /// The reason why connecting, sending or receiving failed.
    public enum TransportFailure: Sendable, Equatable {
        /// The host refused the connection.
        case refused
        /// The peer closed the connection.
        case reset
        /// The host name does not exist.
        case nameNotFound
        /// The name service did not respond.
        case nameLookupFailed
        /// The host or the network is unreachable.
        case unreachable
        /// The TLS handshake failed, or the certificate is not trusted; the text says why.
        case tls(String)
        /// The response is not valid HTTP or was not requested; the text says why.
        case malformedResponse(String)
        /// A fault of this machine, not of the host: no descriptors, no memory, a missing library; the text says which.
        case environment(String)
        /// Another failure; the text describes it.
        case other(String)
        /// The connection to or through the proxy failed; the text is the proxy's name and port.
        indirect case proxy(String, TransportFailure)
    }

    /// The reason why a redirect is not followed.
    public enum RedirectProblem: Sendable, Equatable {
        /// The number of redirects exceeds the limit.
        case tooMany(limit: Int)
        /// The `Location` field is missing, invalid or without a host.
        case missingLocation
        /// The redirect leads from https to http.
        case toInsecure
        /// The redirect leads to this scheme, which is neither http nor https.
        case toScheme(String)
        /// The redirect handler returned nil.
        case stopped
    }

    /// The error of a cancelled transfer, `.request(.taskCancelled)`.
    package static let cancelled = DownloadError.request(.taskCancelled)

    /// Returns whether the transfer failed because the server responded with this status.
    public func isInvalidResponseStatusCode(_ code: Int) -> Bool {
        if case .response(.invalidHTTPStatusCode(code, _)) = self { return true }
        return false
    }

    /// Whether a retry can help: true for connection failures, time-outs, resets, truncated bodies and temporary
    /// statuses.
    public var isRetryable: Bool {
        guard case .response(let reason) = self else { return false }
        switch reason {
        case .invalidHTTPStatusCode(let code, let delay): return Self.isTransient(code, retryAfter: delay)
        case .timedOut, .truncated: return true
        case .transport(let failure): return failure.isTransient
        case .tooLarge, .redirect, .notAnImage, .notAccepted, .hostUnavailable, .retryBudgetExhausted,
            .dataModifyingFailed,
            .cancelledByDelegate, .digestMismatch:
            return false
        }
    }

    /// The delay that the server requested with `Retry-After`.
    public var serverDelay: Duration? {
        if case .response(.invalidHTTPStatusCode(_, let delay)) = self { return delay }
        return nil
    }

    /// Returns whether a later request may have another status.
    ///
    /// CDNs use 5xx statuses of their own, so every 5xx but 501 and 505 counts. A 202 with `Retry-After` means that the
    /// picture is still being made.
    private static func isTransient(_ code: Int, retryAfter: Duration?) -> Bool {
        switch code {
        case 202: retryAfter != nil
        case 408, 421, 425, 429: true
        case 501, 505: false
        default: (500...599).contains(code)
        }
    }
}

extension DownloadError.TransportFailure {
    fileprivate var isTransient: Bool {
        switch self {
        case .refused, .reset, .unreachable, .nameLookupFailed, .other: true
        case .nameNotFound, .tls, .malformedResponse, .environment: false
        case .proxy(_, let failure): failure.isTransient
        }
    }
}

extension DownloadError: LocalizedError {
    /// A short text for a column or a heading: `404 Not Found`, `timed out`.
    package var title: String {
        switch self {
        case .request(let reason): reason.title
        case .response(let reason): reason.title
        }
    }

    public var errorDescription: String? { title }
}

extension DownloadError.RequestReason {
    package var code: Int {
        switch self {
        case .emptyRequest: 1001
        case .invalidURL: 1002
        case .taskCancelled: 1003
        }
    }

    package var title: String {
        switch self {
        case .emptyRequest: "no request"
        case .invalidURL(let why): "bad address: \(why)"
        case .taskCancelled: "cancelled"
        }
    }
}

extension DownloadError.ResponseReason {
    /// Returns a long delay in whole minutes, hours or days, rounded up, so that failures with nearly the same delay
    /// have one text.
    private static func text(of delay: Duration) -> String {
        let units: [(seconds: Int64, name: String)] = [(86_400, "d"), (3_600, "h"), (60, "min")]
        let seconds = delay.components.seconds
        let unit = units.first { seconds > $0.seconds } ?? (60, "min")
        return "\((seconds + unit.seconds - 1) / unit.seconds) \(unit.name)"
    }

    package var code: Int {
        switch self {
        case .invalidHTTPStatusCode: 2002
        case .transport: 2003
        case .dataModifyingFailed: 2004
        case .cancelledByDelegate: 2006
        case .timedOut: 2101
        case .truncated: 2102
        case .tooLarge: 2103
        case .redirect: 2104
        case .notAnImage: 2105
        case .notAccepted: 2109
        case .hostUnavailable: 2106
        case .retryBudgetExhausted: 2107
        case .digestMismatch: 2108
        }
    }

    package var title: String {
        switch self {
        case .invalidHTTPStatusCode(let code, let delay?) where delay > .seconds(60):
            "\(StatusPhrase.text(for: code)); asks to wait \(Self.text(of: delay))"
        case .invalidHTTPStatusCode(let code, _): StatusPhrase.text(for: code)
        case .transport(let failure): failure.title
        case .timedOut(let stage): stage.title
        case .truncated(0, 0): "empty"
        case .truncated(let received, let expected?): "cut off after \(received) of \(expected) bytes"
        case .truncated(let received, nil): "cut off after \(received) bytes"
        case .tooLarge(let limit):
            "larger than \(limit < 1 << 20 ? "\(limit) bytes" : "\(limit >> 20) MiB"); raise --max-size"
        case .dataModifyingFailed(let why): "the body could not be used: \(why)"
        case .cancelledByDelegate: "refused by a hook"
        case .redirect(let problem): problem.title
        case .digestMismatch: "not the bytes that the list names by their SHA-256"
        case .notAnImage(let what): "not an image: \(what)"
        case .notAccepted(let format): "\(format) is not accepted"
        case .hostUnavailable(let host, .zero, nil): "\(host) fails just now"
        case .hostUnavailable(let host, let time, nil): "\(host) has failed for \(time.components.seconds) s"
        case .hostUnavailable(_, let time, let error?):
            "\(error.title); its host has failed for \(time.components.seconds) s"
        case .retryBudgetExhausted(let error): "\(error.title); too many retries on this host"
        }
    }
}

extension DownloadError.TimeoutStage {
    package var title: String {
        switch self {
        case .connect: "no connection in time"
        case .head: "no response in time"
        case .idle: "stalled"
        case .rate: "too slow"
        case .total: "took too long"
        }
    }
}

extension DownloadError.TransportFailure {
    package var title: String {
        switch self {
        case .refused: "connection refused"
        case .reset: "connection reset"
        case .nameNotFound: "host not found"
        case .nameLookupFailed: "no answer from the name service"
        case .unreachable: "host unreachable"
        case .tls(let why): "TLS: \(why)"
        case .malformedResponse(let why): "malformed answer: \(why)"
        case .environment(let why), .other(let why): why
        case .proxy(let proxy, let failure): "proxy \(proxy): \(failure.title)"
        }
    }
}

extension DownloadError.RedirectProblem {
    package var title: String {
        switch self {
        case .tooMany(let limit): "more than \(limit) redirects"
        case .missingLocation: "redirect without a target"
        case .toInsecure: "redirect from https to http refused"
        case .toScheme(let scheme): "redirect to \(scheme): refused"
        case .stopped: "redirect not followed"
        }
    }
}
