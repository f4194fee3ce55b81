import Foundation

extension ImageError {
    /// A stable number; the model's where the case is the model's.
    public var code: Int {
        switch self {
        case .request(let reason): reason.code
        case .response(let reason): reason.code
        case .cache(let reason): reason.code
        case .processor(let reason): reason.code
        case .imageSetting(let reason): reason.code
        }
    }

    /// A few words for a column or a card's heading: `404 Not Found`, `timed out`.
    public var title: String {
        switch self {
        case .request(let reason): reason.title
        case .response(let reason): reason.title
        case .cache(let reason): reason.title
        case .processor(let reason): reason.title
        case .imageSetting(let reason): reason.title
        }
    }
}

extension ImageError.RequestReason {
    var code: Int {
        switch self {
        case .emptyRequest: 1001
        case .invalidURL: 1002
        case .taskCancelled: 1003
        }
    }

    var title: String {
        switch self {
        case .emptyRequest: "no request"
        case .invalidURL(let why): "bad address: \(why)"
        case .taskCancelled: "cancelled"
        }
    }
}

extension ImageError.ResponseReason {
    var code: Int {
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
        case .hostUnavailable: 2106
        case .retryBudgetExhausted: 2107
        case .digestMismatch: 2108
        }
    }

    var title: String {
        switch self {
        case .invalidHTTPStatusCode(let code, _): StatusPhrase.text(for: code)
        case .transport(let failure): failure.title
        case .timedOut(let stage): stage.title
        case .truncated(let received, let expected?): "cut off after \(received) of \(expected) bytes"
        case .truncated(let received, nil): "cut off after \(received) bytes"
        case .tooLarge(let limit):
            "larger than \(limit < 1 << 20 ? "\(limit) bytes" : "\(limit >> 20) MiB"); raise --max-size"
        case .dataModifyingFailed(let why): "the body could not be used: \(why)"
        case .cancelledByDelegate: "refused by a hook"
        case .redirect(let problem): problem.title
        case .digestMismatch: "not the bytes that the list names by their SHA-256"
        case .notAnImage(let what): FormatSniffer.isPicture(what) ? "format not read: \(what)" : "not an image: \(what)"
        case .hostUnavailable(let host, .zero, nil): "\(host) fails just now"
        case .hostUnavailable(let host, let time, nil): "\(host) has failed for \(time.components.seconds) s"
        case .hostUnavailable(_, let time, let error?):
            "\(error.title); its host has failed for \(time.components.seconds) s"
        case .retryBudgetExhausted(let error): "\(error.title); too many retries on this host"
        }
    }
}

extension ImageError.TimeoutStage {
    var title: String {
        switch self {
        case .connect: "no connection in time"
        case .head: "no response in time"
        case .idle: "stalled"
        case .rate: "too slow"
        case .total: "took too long"
        }
    }
}

extension ImageError.TransportFailure {
    var title: String {
        switch self {
        case .refused: "connection refused"
        case .reset: "connection reset"
        case .nameNotFound: "host not found"
        case .nameLookupFailed: "no answer from the name service"
        case .unreachable: "host unreachable"
        case .tls(let why): "TLS: \(why)"
        case .malformedResponse(let why): "malformed answer: \(why)"
        case .other(let why): why
        case .proxy(let proxy, let failure): "proxy \(proxy): \(failure.title)"
        }
    }
}

extension ImageError.RedirectProblem {
    var title: String {
        switch self {
        case .tooMany(let limit): "more than \(limit) redirects"
        case .missingLocation: "redirect without a target"
        case .toInsecure: "redirect from https to http refused"
        case .toScheme(let scheme): "redirect to \(scheme): refused"
        case .stopped: "redirect not followed"
        }
    }
}

extension ImageError.CacheReason {
    var code: Int {
        switch self {
        case .imageNotExisting: 3006
        case .cannotStore: 3009
        case .diskUnavailable: 3011
        }
    }

    var title: String {
        switch self {
        case .imageNotExisting: "not in the cache"
        case .diskUnavailable(let why): "the disk cache cannot be used: \(why)"
        case .cannotStore(let why): "not stored: \(why)"
        }
    }
}

extension ImageError.ProcessorReason {
    var code: Int {
        switch self {
        case .processingFailed: 4001
        case .decodingFailed: 4101
        case .limitExceeded: 4102
        }
    }

    var title: String {
        switch self {
        case .processingFailed(let identifier, let why): "\(identifier): \(why)"
        case .decodingFailed(let format, let why): "damaged \(format): \(why)"
        case .limitExceeded(let what): "too large: \(what)"
        }
    }
}

extension ImageError.ImageSettingReason {
    var code: Int {
        switch self {
        case .emptySource: 5001
        case .notCurrentSourceTask: 5002
        case .dataProvider: 5003
        case .alternativeSourcesExhausted: 5004
        }
    }

    var title: String {
        switch self {
        case .emptySource: "no source"
        case .notCurrentSourceTask: "replaced by a newer request"
        case .dataProvider(let why): why
        case .alternativeSourcesExhausted(let failures): Self.title(of: failures)
        }
    }

    /// Of the source itself first: it is the one that is named.
    private static func title(of failures: [SourceFailure]) -> String {
        guard let first = failures.first?.error.title, let last = failures.last?.error.title else {
            return "every source failed"
        }
        switch failures.count - 1 {
        case 0: return first
        case 1: return "\(first); its mirror: \(last)"
        case let mirrors: return "\(first); the last of \(mirrors) mirrors: \(last)"
        }
    }
}
