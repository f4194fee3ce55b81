import FoundationEssentials

/// An error of a load, in one of five families.
///
/// Every case has a stable `code`; cases that Kingfisher has too use Kingfisher's number.
public enum ImageError: Error, Sendable, Equatable {
    /// An error before anything was sent.
    case request(DownloadError.RequestReason)
    /// An error of the transfer or the response.
    case response(DownloadError.ResponseReason)
    /// An error of the cache tiers.
    case cache(CacheReason)
    /// An error of decoding or processing.
    case processor(CodecError.ProcessorReason)
    /// An error of the use of an image.
    case imageSetting(ImageSettingReason)

    /// The reasons of cache errors, with the codes 3006 to 3011.
    public enum CacheReason: Sendable, Equatable {
        /// Neither tier has the key, and only the cache was allowed.
        case imageNotExisting(key: String)
        /// The disk tier cannot be used; the text contains the reason.
        case diskUnavailable(String)
        /// A store failed; the text contains the reason.
        case cannotStore(String)
    }

    /// The reasons of errors with the use of an image, with the codes 5001 to 5004.
    public enum ImageSettingReason: Sendable, Equatable {
        /// There is no source; used by code that displays images, never thrown by the pipeline.
        case emptySource
        /// A newer request replaced this one; used by code that displays images, never thrown by the pipeline.
        case notCurrentSourceTask
        /// A provider failed; the text contains the reason.
        case dataProvider(String)
        /// A provider of the application failed with an error of its own.
        case dataProviderError(ProviderError)
        /// Every source failed; the failures are in order.
        case alternativeSourcesExhausted([SourceFailure])
    }

    /// The error of a provider; two of them are equal if their texts are.
    public struct ProviderError: Sendable, Equatable {
        /// The error that the provider threw.
        public let error: any Error

        public static func == (left: Self, right: Self) -> Bool { left.text == right.text }
        var text: String { String(describing: error) }
    }

    /// The cancellation error, `.request(.taskCancelled)`.
    public static let cancelled = ImageError.request(.taskCancelled)
}

/// A source that failed, with its error.
public struct SourceFailure: Error, Sendable, Equatable {
    /// The source, whose address may contain credentials; `address` does not.
    public let source: Source
    /// The error after the source's retries.
    public let error: ImageError

    /// Creates a failure.
    public init(source: Source, error: ImageError) { (self.source, self.error) = (source, error) }

    /// The source's address without credentials.
    public var address: String { source.shownAddress }

    /// Compares the sources by their cache keys.
    public static func == (left: SourceFailure, right: SourceFailure) -> Bool {
        left.source.cacheKey == right.source.cacheKey && left.error == right.error
    }
}

extension ImageError {
    /// Whether the error is a cancellation.
    public var isTaskCancelled: Bool { self == .cancelled }

    /// Whether a newer request replaced this one.
    public var isNotCurrentTask: Bool { self == .imageSetting(.notCurrentSourceTask) }

    /// Returns whether the server answered with this status code.
    public func isInvalidResponseStatusCode(_ code: Int) -> Bool {
        downloadError?.isInvalidResponseStatusCode(code) ?? false
    }

    /// Whether a retry can help: after connection failures, time-outs, resets, truncated bodies and temporary statuses.
    public var isRetryable: Bool { downloadError?.isRetryable ?? false }

    /// The download error, or nil for errors of other kinds.
    var downloadError: DownloadError? {
        switch self {
        case .request(let reason): .request(reason)
        case .response(let reason): .response(reason)
        case .cache, .processor, .imageSetting: nil
        }
    }

    /// Whether the source's own server was unavailable, as opposed to having no image.
    var isOutage: Bool {
        switch self {
        case .response(.hostUnavailable), .response(.retryBudgetExhausted): true
        case .imageSetting(.alternativeSourcesExhausted(let failures)): failures.first?.error.isOutage ?? false
        default: isRetryable
        }
    }

    /// Whether the fault is this machine's, and says nothing about the picture or its server.
    public var isOfEnvironment: Bool {
        switch self {
        case .processor(.environment), .response(.transport(.environment)), .cache(.diskUnavailable): true
        case .response(.transport(.proxy(_, .environment))): true
        case .imageSetting(.alternativeSourcesExhausted(let failures)): failures.allSatisfy(\.error.isOfEnvironment)
        default: false
        }
    }

    /// The delay that the server asked for.
    public var serverDelay: Duration? { downloadError?.serverDelay }
}

extension ImageError {
    /// Creates the load's error from an error of the disk cache.
    package init(_ error: DiskCacheError) {
        switch error {
        case .cannotStore(let reason): self = .cache(.cannotStore(reason))
        case .unavailable(let reason): self = .cache(.diskUnavailable(reason))
        case .cancelled: self = .cancelled
        }
    }

    /// Creates the load's error from an error of the transfer.
    public init(_ error: DownloadError) {
        switch error {
        case .request(let reason): self = .request(reason)
        case .response(let reason): self = .response(reason)
        }
    }

    /// Creates the load's error from an error of decoding or processing.
    public init(_ error: CodecError) {
        switch error {
        case .processor(let reason): self = .processor(reason)
        case .notAnImage(let appearance): self = .response(.notAnImage(appearance))
        case .cancelled: self = .cancelled
        }
    }

    /// Runs work on an image and converts its error.
    public static func wrapping<Result>(_ work: () throws(CodecError) -> Result) throws(ImageError) -> Result {
        do throws(CodecError) { return try work() } catch { throw ImageError(error) }
    }
}

extension ImageError {
    /// A stable number; Kingfisher's number for cases that Kingfisher has too.
    public var code: Int {
        switch self {
        case .request(let reason): reason.code
        case .response(let reason): reason.code
        case .cache(let reason): reason.code
        case .processor(let reason): reason.code
        case .imageSetting(let reason): reason.code
        }
    }

    /// A short description for a column or a heading: `404 Not Found`, `timed out`.
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

extension ImageError: LocalizedError, CustomStringConvertible {
    /// The title: what happened, for a person or a log.
    public var description: String { title }
    public var errorDescription: String? { title }
}

extension SourceFailure: LocalizedError, CustomStringConvertible {
    /// The source and what happened: "https://host/a.jpg: 404 Not Found".
    public var description: String { "\(address): \(error.title)" }
    public var errorDescription: String? { description }
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

extension ImageError.ImageSettingReason {
    var code: Int {
        switch self {
        case .emptySource: 5001
        case .notCurrentSourceTask: 5002
        case .dataProvider, .dataProviderError: 5003
        case .alternativeSourcesExhausted: 5004
        }
    }

    var title: String {
        switch self {
        case .emptySource: "no source"
        case .notCurrentSourceTask: "replaced by a newer request"
        case .dataProvider(let why): why
        case .dataProviderError(let failure): failure.text
        case .alternativeSourcesExhausted(let failures): Self.title(of: failures)
        }
    }

    /// Returns a title that starts with the error of the source itself, because the source is what the user named.
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
