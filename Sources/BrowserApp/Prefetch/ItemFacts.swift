import BrowserCore
import ImageLoading

extension ItemOutcome {
    /// The outcome as a word in JSON.
    var status: String {
        switch self {
        case .finished(let result): result.outcome.rawValue
        case .duplicate: "duplicate"
        case .doneBefore: "skipped"
        case .planned: "planned"
        case .failed(let error): error.isTaskCancelled ? "cancelled" : "failed"
        case .failedBefore: "failed"
        }
    }

    /// The reason of a failure; nil if the item did not fail.
    var failure: String? {
        switch self {
        case .failed(let error): error.isTaskCancelled ? nil : error.titleWithDelay
        case .failedBefore(let code): Self.beforeText(code: code)
        case .finished, .duplicate, .doneBefore, .planned: nil
        }
    }

    /// The reason without its figures, by which failures are grouped.
    var failureKind: String? {
        guard case .failed(let error) = self, !error.isTaskCancelled else { return failure }
        return error.kind
    }

    /// Returns the reason for a failure of the interrupted run, of which only the error code is known.
    static func beforeText(code: Int) -> String { "failed for good in the previous run: \(kind(of: code))" }

    private static func kind(of code: Int) -> String {
        switch code {
        case ImageError.response(.invalidHTTPStatusCode(404, retryAfter: nil)).code: "404 or 410"
        case ImageError.response(.notAnImage("")).code: "not an image"
        case ImageError.response(.notAccepted(format: "")).code: "not accepted"
        default: "error \(code)"
        }
    }
}

extension DataResult {
    /// How the picture got into the cache.
    var outcome: PrefetchOutcome { isRevalidated ? .revalidated : cacheType == .none ? .fetched : .hit }

    /// Where the bytes came from.
    var origin: String {
        if isRevalidated { return "disk" }
        return switch cacheType {
        case .memory: "memory"
        case .disk: "disk"
        case .none: metrics == nil ? "file" : "network"
        }
    }
}

extension ImageError {
    /// The title, with the requested pause if the server asked for one that was not granted.
    var titleWithDelay: String {
        serverDelay.map { $0 > .zero ? "\(title); asked for a pause of \($0.shortText)" : title } ?? title
    }

    fileprivate var kind: String {
        switch self {
        case .response(.truncated): "cut off"
        case .response(.hostUnavailable(let host, _, nil)): "\(host) has failed for too long"
        case .response(.hostUnavailable(_, _, let error?)):
            "\(ImageError(error).kind); its host has failed for too long"
        case .response(.retryBudgetExhausted(let error)): "\(ImageError(error).kind); too many retries on this host"
        case .processor(.damaged(_, .incomplete)): "incomplete"
        case .processor(.damaged(_, .corrupt)): "corrupt"
        case .processor(.limitExceeded(let what)): "too large; \(what.split(separator: "; ").last ?? "")"
        default: title
        }
    }

    /// The family of the error as a word in JSON.
    var family: String {
        switch self {
        case .request: "request"
        case .response(.invalidHTTPStatusCode): "status"
        case .response(.transport): "transport"
        case .response(.timedOut): "timeout"
        case .response(.hostUnavailable), .response(.retryBudgetExhausted): "host"
        case .response: "response"
        case .cache: "cache"
        case .processor(.damaged(_, .corrupt)): "corrupt"
        case .processor(.damaged): "incomplete"
        case .processor: "picture"
        case .imageSetting(.alternativeSourcesExhausted(let failures)): failures.first?.error.family ?? "source"
        case .imageSetting: "source"
        }
    }

    /// The HTTP status code; nil for other errors.
    var statusCode: Int? {
        switch self {
        case .response(.invalidHTTPStatusCode(let code, _)): code
        case .response(.retryBudgetExhausted(let error)), .response(.hostUnavailable(_, _, let error?)):
            ImageError(error).statusCode
        case .imageSetting(.alternativeSourcesExhausted(let failures)): failures.first?.error.statusCode
        default: nil
        }
    }
}
