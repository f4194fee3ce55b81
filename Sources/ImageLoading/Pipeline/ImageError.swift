import Foundation

/// What can go wrong between a source and its picture, in five families.
///
/// Every case has a stable `code`; where the case is Kingfisher's, the number is too.
public enum ImageError: Error, Sendable, Equatable {
    /// Before anything was sent.
    case request(RequestReason)
    /// The transfer and what came back.
    case response(ResponseReason)
    /// The cache tiers.
    case cache(CacheReason)
    /// Decoding and processing.
    case processor(ProcessorReason)
    /// The use of a picture.
    case imageSetting(ImageSettingReason)

    /// Codes 1001 to 1003.
    public enum RequestReason: Sendable, Equatable {
        /// A request modifier answered nil.
        case emptyRequest
        /// Not an address that can be fetched; the text says why.
        case invalidURL(String)
        /// The task, or the last waiter of a joined one, was cancelled.
        ///
        /// Never shown as a failure.
        case taskCancelled
    }

    /// Codes 2002 to 2108.
    public enum ResponseReason: Sendable, Equatable {
        /// A status other than 200 and 203, with the server's `Retry-After` when it sent one.
        case invalidHTTPStatusCode(Int, retryAfter: Duration?)
        /// Connecting, sending or receiving failed.
        case transport(TransportFailure)
        /// A time limit passed.
        case timedOut(TimeoutStage)
        /// The body ended before its framing said so.
        case truncated(received: Int, expected: Int?)
        /// Larger than the limit, by its declared length or while it came.
        case tooLarge(limit: Int)
        /// What turns a body into the picture's bytes failed; the text says why.
        case dataModifyingFailed(String)
        /// A hook or a challenge's answer ended the transfer.
        case cancelledByDelegate
        /// A redirect that is not followed.
        case redirect(RedirectProblem)
        /// The host has failed for so long that nothing is waited for; before that the attempt itself may have failed.
        indirect case hostUnavailable(String, since: Duration, after: ImageError?)
        /// The attempt failed, and the retries to its host have used up their budget.
        indirect case retryBudgetExhausted(after: ImageError)
        /// The body is not a picture of an accepted format; the text says what it looks like.
        case notAnImage(String)
        /// The body is not the one that was asked for: its SHA-256 is another.
        case digestMismatch
    }

    /// Which time of `DownloadLimits` passed.
    public enum TimeoutStage: String, Sendable, Equatable {
        case connect, head, idle, rate, total
    }

    /// How connecting, sending or receiving failed.
    public enum TransportFailure: Sendable, Equatable {
        /// Nobody listens at the port.
        case refused
        /// The other side ended the connection.
        case reset
        /// There is no such name.
        case nameNotFound
        /// The name service gave no answer.
        case nameLookupFailed
        /// There is no way to the host, or no network.
        case unreachable
        /// TLS could not be agreed on, or the certificate is not trusted; the text says why.
        case tls(String)
        /// The answer is no HTTP, or one that was not asked for; the text says why.
        case malformedResponse(String)
        /// Something else; the text says what.
        case other(String)
        /// The way to the proxy failed, or it gave no way to the host; the text is its name and port.
        indirect case proxy(String, TransportFailure)
    }

    /// Why a redirect is not followed.
    public enum RedirectProblem: Sendable, Equatable {
        /// More than the limit.
        case tooMany(limit: Int)
        /// It names no address with a host.
        case missingLocation
        /// It leads from https to http.
        case toInsecure
        /// It leads to neither http nor https, but to this scheme.
        case toScheme(String)
        /// The redirect handler wants no more.
        case stopped
    }

    /// Codes 3006 to 3011.
    public enum CacheReason: Sendable, Equatable {
        /// Neither tier has the key, and only the cache was allowed.
        case imageNotExisting(key: String)
        /// The disk tier cannot be used; the text says why.
        case diskUnavailable(String)
        /// A store failed; the text says why.
        case cannotStore(String)
    }

    /// Codes 4001 to 4102.
    public enum ProcessorReason: Sendable, Equatable {
        /// The processor with this identifier could not do its work.
        case processingFailed(identifier: String, String)
        /// The bytes are damaged or incomplete.
        case decodingFailed(format: String, String)
        /// The picture is larger than the limits allow.
        case limitExceeded(String)
    }

    /// Codes 5001 to 5004.
    public enum ImageSettingReason: Sendable, Equatable {
        /// For those who show pictures: there is no source; the pipeline never throws it.
        case emptySource
        /// For those who show pictures: a newer request took the place; the pipeline never throws it.
        case notCurrentSourceTask
        /// A provider failed; the text says why.
        case dataProvider(String)
        /// Every source failed, in order.
        case alternativeSourcesExhausted([SourceFailure])
    }

    /// The cancellation, `.request(.taskCancelled)`.
    public static let cancelled = ImageError.request(.taskCancelled)
}

/// A source that was tried in vain, and why.
public struct SourceFailure: Error, Sendable, Equatable {
    /// Its address without credentials.
    public let source: String
    /// Why it failed, after its retries.
    public let error: ImageError

    public init(source: String, error: ImageError) {
        self.source = source
        self.error = error
    }
}

extension ImageError {
    /// True for every kind of cancel.
    public var isTaskCancelled: Bool { self == .cancelled }

    /// True when another request took the place of this one.
    public var isNotCurrentTask: Bool { self == .imageSetting(.notCurrentSourceTask) }

    /// Whether the server answered with this status.
    public func isInvalidResponseStatusCode(_ code: Int) -> Bool {
        if case .response(.invalidHTTPStatusCode(code, _)) = self { return true }
        return false
    }

    /// Whether trying again can help: connect failures, time-outs, resets, truncated bodies and passing statuses.
    public var isRetryable: Bool {
        guard case .response(let reason) = self else { return false }
        switch reason {
        case .invalidHTTPStatusCode(let code, _): return Self.passingStatusCodes.contains(code)
        case .timedOut, .truncated: return true
        case .transport(let failure): return failure.isPassing
        case .tooLarge, .redirect, .notAnImage, .hostUnavailable, .retryBudgetExhausted, .dataModifyingFailed,
            .cancelledByDelegate, .digestMismatch:
            return false
        }
    }

    /// Whether the source's own server could not be asked, rather than had nothing to give.
    var isOutage: Bool {
        switch self {
        case .response(.hostUnavailable), .response(.retryBudgetExhausted): true
        case .imageSetting(.alternativeSourcesExhausted(let failures)): failures.first?.error.isOutage ?? false
        default: isRetryable
        }
    }

    /// The delay that the server itself asked for.
    public var serverDelay: Duration? {
        if case .response(.invalidHTTPStatusCode(_, let delay)) = self { return delay }
        return nil
    }

    private static let passingStatusCodes: Set<Int> = [
        408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524,
    ]
}

extension ImageError.TransportFailure {
    fileprivate var isPassing: Bool {
        switch self {
        case .refused, .reset, .unreachable, .nameLookupFailed, .other: true
        case .nameNotFound, .tls, .malformedResponse: false
        case .proxy(_, let failure): failure.isPassing
        }
    }
}

extension ImageError {
    /// The error of a load whose disk cache failed.
    public init(_ error: DiskCacheError) {
        switch error {
        case .cannotStore(let reason): self = .cache(.cannotStore(reason))
        case .unavailable(let reason): self = .cache(.diskUnavailable(reason))
        case .cancelled: self = .cancelled
        }
    }
}
