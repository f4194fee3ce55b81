import AlcedoHTTPRequests
import Foundation
import FoundationNetworking
import ImageLoading

/// An error of a load, in one of five groups; each case has Kingfisher's code.
public enum KingfisherError: Error, Sendable {
    /// Errors before anything was sent: codes 1001 to 1006.
    public enum RequestErrorReason: Sendable {
        /// A request modifier returned nil.
        case emptyRequest
        /// The address cannot be fetched.
        case invalidURL(request: URLRequest)
        /// The task was cancelled.
        case taskCancelled(task: SessionDataTask, token: SessionDataTask.CancelToken)
        /// Not used: a cancelled task of Swift is `taskCancelled`.
        case asyncTaskContextCancelled
        /// Not used: a cancelled provider is `taskCancelled`.
        case dataProviderCancelled(provider: any ImageLoading.ImageDataProvider)
    }

    /// Errors of the transfer: codes 2001 to 2006.
    public enum ResponseErrorReason: Sendable {
        /// The response is not of HTTP.
        case invalidURLResponse(response: URLResponse)
        /// The status is not accepted.
        case invalidHTTPStatusCode(response: HTTPURLResponse)
        /// The transfer failed.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        case URLSessionError(error: any Error)
        /// The delegate's data modifier failed.
        case dataModifyingFailed(task: SessionDataTask)
        /// There was no response.
        case noURLResponse(task: SessionDataTask)
        /// The delegate cancelled the transfer.
        case cancelledByDelegate(response: URLResponse)
    }

    /// Errors of the caches: codes 3001 to 3011.
    public enum CacheErrorReason: Sendable {
        /// Not used: the cache's folder is never listed.
        case fileEnumeratorCreationFailed(url: URL)
        /// Not used: the cache's folder is never listed.
        case invalidFileEnumeratorContent(url: URL)
        /// Not used: no attributes of files are read.
        case invalidURLResource(error: any Error, key: String, url: URL)
        /// Not used: a file that cannot be read is a miss.
        case cannotLoadDataFromDisk(url: URL, error: any Error)
        /// The cache's folder cannot be made.
        case cannotCreateDirectory(path: String, error: any Error)
        /// No cache has the key, and only caches may be read.
        case imageNotExisting(key: String)
        /// Not used: the cache stores bytes only.
        case cannotConvertToData(object: any Sendable, error: any Error)
        /// The serializer made no bytes.
        case cannotSerializeImage(image: Image?, original: Data?, serializer: any CacheSerializer)
        /// A file cannot be written.
        case cannotCreateCacheFile(fileURL: URL, key: String, data: Data, error: any Error)
        /// Not used: no attributes of files are set.
        case cannotSetCacheFileAttribute(filePath: String, attributes: [String: String], error: any Error)
        /// The disk cache cannot be used.
        case diskStorageIsNotReady(cacheURL: URL)
    }

    /// Errors of decoding and processing: code 4001.
    public enum ProcessorErrorReason: Sendable {
        /// The processor failed, or the bytes are no image.
        case processingFailed(processor: any ImageProcessor, item: ImageProcessItem)
    }

    /// Errors of the use of an image: codes 5001 to 5004.
    public enum ImageSettingErrorReason: Sendable {
        /// There is no source.
        case emptySource
        /// A newer request of the view replaced this one, whose outcome the values tell.
        case notCurrentSourceTask(result: RetrieveImageResult?, error: (any Error)?, source: Source)
        /// A provider failed.
        case dataProviderError(provider: any ImageLoading.ImageDataProvider, error: any Error)
        /// The source and every alternative failed.
        case alternativeSourcesExhausted([PropagationError])
    }

    /// An error before anything was sent.
    case requestError(reason: RequestErrorReason)
    /// An error of the transfer.
    case responseError(reason: ResponseErrorReason)
    /// An error of the caches.
    case cacheError(reason: CacheErrorReason)
    /// An error of decoding and processing.
    case processorError(reason: ProcessorErrorReason)
    /// An error of the use of an image.
    case imageSettingError(reason: ImageSettingErrorReason)

    /// Whether the task was cancelled.
    public var isTaskCancelled: Bool { [1003, 1005, 1006].contains(errorCode) }

    /// Whether a newer request of the view replaced this one.
    public var isNotCurrentTask: Bool { errorCode == 5002 }

    /// Returns whether the server answered with this status.
    public func isInvalidResponseStatusCode(_ code: Int) -> Bool { invalidStatusCode == code }

    /// Whether the server answered with a status that is not accepted.
    public var isInvalidResponseStatusCode: Bool { invalidStatusCode != nil }

    private var invalidStatusCode: Int? {
        if case .responseError(.invalidHTTPStatusCode(let response)) = self { return response.statusCode }
        return nil
    }
}

/// A source that failed, with its error.
public struct PropagationError: Sendable {
    /// The source.
    public let source: Source
    /// The error.
    public let error: KingfisherError
}

extension KingfisherError: LocalizedError, CustomNSError {
    /// The domain of `NSError`.
    public static let domain = "com.onevcat.Kingfisher.Error"
    /// The domain of `NSError`.
    public static var errorDomain: String { domain }

    /// Kingfisher's number of the case.
    public var errorCode: Int {
        switch self {
        case .requestError(.emptyRequest): 1001
        case .requestError(.invalidURL): 1002
        case .requestError(.taskCancelled): 1003
        case .requestError(.asyncTaskContextCancelled): 1005
        case .requestError(.dataProviderCancelled): 1006
        case .responseError(.invalidURLResponse): 2001
        case .responseError(.invalidHTTPStatusCode): 2002
        case .responseError(.URLSessionError): 2003
        case .responseError(.dataModifyingFailed): 2004
        case .responseError(.noURLResponse): 2005
        case .responseError(.cancelledByDelegate): 2006
        case .cacheError(.fileEnumeratorCreationFailed): 3001
        case .cacheError(.invalidFileEnumeratorContent): 3002
        case .cacheError(.invalidURLResource): 3003
        case .cacheError(.cannotLoadDataFromDisk): 3004
        case .cacheError(.cannotCreateDirectory): 3005
        case .cacheError(.imageNotExisting): 3006
        case .cacheError(.cannotConvertToData): 3007
        case .cacheError(.cannotSerializeImage): 3008
        case .cacheError(.cannotCreateCacheFile): 3009
        case .cacheError(.cannotSetCacheFileAttribute): 3010
        case .cacheError(.diskStorageIsNotReady): 3011
        case .processorError(.processingFailed): 4001
        case .imageSettingError(.emptySource): 5001
        case .imageSettingError(.notCurrentSourceTask): 5002
        case .imageSettingError(.dataProviderError): 5003
        case .imageSettingError(.alternativeSourcesExhausted): 5004
        }
    }

    /// A sentence for people that says what failed.
    public var errorDescription: String? {
        let text =
            switch self {
            case .requestError(.emptyRequest): "there is no request"
            case .requestError(.invalidURL(let request)): "the address cannot be fetched: \(request.url?.host ?? "")"
            case .requestError: "cancelled"
            case .responseError(.invalidHTTPStatusCode(let response)): "the server answered \(response.statusCode)"
            case .responseError(.URLSessionError(let error)): error.localizedDescription
            case .responseError(.dataModifyingFailed): "the data modifier failed"
            case .responseError(.cancelledByDelegate): "the delegate cancelled the transfer"
            case .responseError(.invalidURLResponse), .responseError(.noURLResponse): "there is no HTTP response"
            case .cacheError(.imageNotExisting(let key)): "no cache has \(key)"
            case .cacheError(.cannotCreateDirectory(_, let error)): error.localizedDescription
            case .cacheError(.cannotSerializeImage): "the serializer made no bytes"
            case .cacheError(.cannotCreateCacheFile(_, _, _, let error)): error.localizedDescription
            case .cacheError(.diskStorageIsNotReady(let url)): "the cache in \(url.path) cannot be used"
            case .cacheError: "the disk cache failed"
            case .processorError(.processingFailed(let processor, _)): "no image: \(processor.identifier)"
            case .imageSettingError(.emptySource): "there is no source"
            case .imageSettingError(.notCurrentSourceTask): "replaced by a newer request"
            case .imageSettingError(.dataProviderError(_, let error)): error.localizedDescription
            case .imageSettingError(.alternativeSourcesExhausted(let failures)):
                failures.map(\.error.localizedDescription).joined(separator: "; ")
            }
        return "\(text) (code \(errorCode))"
    }
}

extension KingfisherError {
    /// Creates the error of one attempt at a source.
    init(_ error: ImageError, _ source: Source, _ processor: any ImageProcessor, _ task: DownloadTask) {
        let url = source.url ?? URL(filePath: "/")
        switch error {
        case .request(.emptyRequest): self = .requestError(reason: .emptyRequest)
        case .request(.invalidURL): self = .requestError(reason: .invalidURL(request: URLRequest(url: url)))
        case .request(.taskCancelled): self = .cancelled(task)
        case .response(.notAnImage), .response(.notAccepted), .processor:
            self = .processorError(reason: .processingFailed(processor: processor, item: .data(Data())))
        case .response(let reason): self = .responseError(reason: .init(reason, url, task))
        case .cache(let reason): self = .cacheError(reason: .init(reason, key: source.cacheKey))
        case .imageSetting(.dataProviderError(let failure)):
            self = .provider(source, failure.error) ?? .imageSettingError(reason: .emptySource)
        case .imageSetting:
            self = .provider(source, error) ?? .imageSettingError(reason: .emptySource)
        }
    }

    private static func provider(_ source: Source, _ error: any Error) -> KingfisherError? {
        guard case .provider(let provider) = source else { return nil }
        return .imageSettingError(reason: .dataProviderError(provider: provider, error: error))
    }

    /// The error of a cancelled task.
    static func cancelled(_ task: DownloadTask) -> KingfisherError {
        .requestError(reason: .taskCancelled(task: task.data, token: task.data.token))
    }
}

extension KingfisherError.ResponseErrorReason {
    fileprivate init(_ reason: DownloadError.ResponseReason, _ url: URL, _ task: DownloadTask) {
        switch reason {
        case .invalidHTTPStatusCode(let code, _):
            let response = HTTPURLResponse(url: url, statusCode: code, httpVersion: nil, headerFields: nil)
            self = response.map { .invalidHTTPStatusCode(response: $0) } ?? .noURLResponse(task: task.data)
        case .dataModifyingFailed: self = .dataModifyingFailed(task: task.data)
        case .cancelledByDelegate:
            self = .cancelledByDelegate(
                response: URLResponse(
                    url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil))
        default:
            let text = DownloadError.response(reason).localizedDescription
            self = .URLSessionError(
                error: URLError(
                    reason.urlErrorCode, userInfo: [NSLocalizedDescriptionKey: text, NSURLErrorKey: url]))
        }
    }
}

extension DownloadError.ResponseReason {
    /// The code of `URLError` that says most about the reason.
    fileprivate var urlErrorCode: URLError.Code {
        switch self {
        case .timedOut: .timedOut
        case .transport(.refused): .cannotConnectToHost
        case .transport(.reset), .truncated: .networkConnectionLost
        case .transport(.nameNotFound): .cannotFindHost
        case .transport(.nameLookupFailed): .dnsLookupFailed
        case .transport(.unreachable): .notConnectedToInternet
        case .transport(.tls): .secureConnectionFailed
        case .transport(.malformedResponse): .badServerResponse
        case .tooLarge: .dataLengthExceedsMaximum
        case .redirect(.tooMany): .httpTooManyRedirects
        case .redirect: .redirectToNonExistentLocation
        default: .unknown
        }
    }
}

extension KingfisherError.CacheErrorReason {
    /// Creates the error of a key, whose bytes are known if they could not be stored.
    init(_ reason: ImageError.CacheReason, key: String, data: Data = Data(), folder: URL = URL(filePath: "/")) {
        self =
            switch reason {
            case .imageNotExisting(let key): .imageNotExisting(key: key)
            case .diskUnavailable: .diskStorageIsNotReady(cacheURL: folder)
            case .cannotStore:
                .cannotCreateCacheFile(fileURL: folder, key: key, data: data, error: ImageError.cache(reason))
            }
    }
}
