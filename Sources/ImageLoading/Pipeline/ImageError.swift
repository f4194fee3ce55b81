import Foundation

/// What can go wrong between a source and its picture, in five families.
///
/// Every case has a stable `code`; where the case is Kingfisher's, the number is too.
public enum ImageError: Error, Sendable, Equatable {
    /// Before anything was sent.
    case request(DownloadError.RequestReason)
    /// The transfer and what came back.
    case response(DownloadError.ResponseReason)
    /// The cache tiers.
    case cache(CacheReason)
    /// Decoding and processing.
    case processor(CodecError.ProcessorReason)
    /// The use of a picture.
    case imageSetting(ImageSettingReason)

    public typealias RequestReason = DownloadError.RequestReason
    public typealias ResponseReason = DownloadError.ResponseReason
    public typealias TimeoutStage = DownloadError.TimeoutStage
    public typealias TransportFailure = DownloadError.TransportFailure
    public typealias RedirectProblem = DownloadError.RedirectProblem
    public typealias ProcessorReason = CodecError.ProcessorReason

    /// Codes 3006 to 3011.
    public enum CacheReason: Sendable, Equatable {
        /// Neither tier has the key, and only the cache was allowed.
        case imageNotExisting(key: String)
        /// The disk tier cannot be used; the text says why.
        case diskUnavailable(String)
        /// A store failed; the text says why.
        case cannotStore(String)
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
        downloadError?.isInvalidResponseStatusCode(code) ?? false
    }

    /// Whether trying again can help: connect failures, time-outs, resets, truncated bodies and passing statuses.
    public var isRetryable: Bool { downloadError?.isRetryable ?? false }

    /// The error of the transfer, if it is one.
    var downloadError: DownloadError? {
        switch self {
        case .request(let reason): .request(reason)
        case .response(let reason): .response(reason)
        case .cache, .processor, .imageSetting: nil
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
    public var serverDelay: Duration? { downloadError?.serverDelay }
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

    /// The error of a load whose transfer failed.
    public init(_ error: DownloadError) {
        switch error {
        case .request(let reason): self = .request(reason)
        case .response(let reason): self = .response(reason)
        }
    }

    /// The error of a load whose picture could not be decoded or processed.
    public init(_ error: CodecError) {
        switch error {
        case .processor(let reason): self = .processor(reason)
        case .notAnImage(let appearance): self = .response(.notAnImage(appearance))
        case .cancelled: self = .cancelled
        }
    }

    /// Runs work on a picture and throws its failure as the load's.
    public static func wrapping<Result>(_ work: () throws(CodecError) -> Result) throws(ImageError) -> Result {
        do throws(CodecError) { return try work() } catch { throw ImageError(error) }
    }
}
