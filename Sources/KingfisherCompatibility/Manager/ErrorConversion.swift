import AlcedoHTTPRequests
import Foundation
import FoundationNetworking
import ImageLoading

extension KingfisherError {
    /// Creates the error of one attempt at a source.
    init(_ error: ImageError, _ source: Source, _ processor: any ImageProcessor, _ task: DownloadTask) {
        let url = source.url ?? URL(filePath: "/")
        switch error {
        case .request(let reason): self = .requestError(reason: .init(reason, url, task))
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

extension KingfisherError.RequestErrorReason {
    fileprivate init(_ reason: DownloadError.RequestReason, _ url: URL, _ task: DownloadTask) {
        self =
            switch reason {
            case .emptyRequest: .emptyRequest
            case .invalidURL: .invalidURL(request: URLRequest(url: url))
            case .taskCancelled: .taskCancelled(task: task.data, token: task.data.token)
            }
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
