import BrowserCore
import ImageLoading

extension ItemOutcome {
    /// What became of an item, in the word that programs read.
    var status: String {
        switch self {
        case .ended(let result): result.outcome.rawValue
        case .duplicate: "duplicate"
        case .doneBefore: "skipped"
        case .planned: "planned"
        case .failed(let error): error.isTaskCancelled ? "cancelled" : "failed"
        case .failedBefore: "failed"
        }
    }

    /// Why it failed; nil when it did not.
    var failure: String? {
        switch self {
        case .failed(let error): error.isTaskCancelled ? nil : error.told
        case .failedBefore(let code): Self.beforeText(code: code)
        case .ended, .duplicate, .doneBefore, .planned: nil
        }
    }

    /// What its failure has in common with others: the reason without its figures.
    var failureKind: String? {
        guard case .failed(let error) = self, !error.isTaskCancelled else { return failure }
        return error.kind
    }

    /// For an error of the run that was interrupted, of which only the code is known.
    static func beforeText(code: Int) -> String { "failed for good in the previous run: \(kind(of: code))" }

    private static func kind(of code: Int) -> String {
        switch code {
        case ImageError.response(.invalidHTTPStatusCode(404, retryAfter: nil)).code: "404 or 410"
        case ImageError.response(.notAnImage("")).code: "not an image"
        default: "error \(code)"
        }
    }
}

extension DataResult {
    /// How the picture came to be in the cache.
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
    /// With the time that a server asked for and did not get.
    var told: String {
        serverDelay.map { $0 > .zero ? "\(title); asked for a pause of \($0.shortText)" : title } ?? title
    }

    fileprivate var kind: String {
        switch self {
        case .response(.truncated): "cut off"
        case .response(.hostUnavailable(let host, _, nil)): "\(host) has failed for too long"
        case .response(.hostUnavailable(_, _, let error?)): "\(error.kind); its host has failed for too long"
        case .response(.retryBudgetExhausted(let error)): "\(error.kind); too many retries on this host"
        case .processor(.limitExceeded(let what)): "too large; \(what.split(separator: "; ").last ?? "")"
        default: title
        }
    }

    /// Its family, in the word that programs read.
    var family: String {
        switch self {
        case .request: "request"
        case .response(.invalidHTTPStatusCode): "status"
        case .response(.transport): "transport"
        case .response(.timedOut): "timeout"
        case .response(.hostUnavailable), .response(.retryBudgetExhausted): "host"
        case .response: "response"
        case .cache: "cache"
        case .processor: "picture"
        case .imageSetting(.alternativeSourcesExhausted(let failures)): failures.first?.error.family ?? "source"
        case .imageSetting: "source"
        }
    }

    /// The status that it tells of; nil for errors of another kind.
    var statusCode: Int? {
        switch self {
        case .response(.invalidHTTPStatusCode(let code, _)): code
        case .response(.retryBudgetExhausted(let error)), .response(.hostUnavailable(_, _, let error?)):
            error.statusCode
        case .imageSetting(.alternativeSourcesExhausted(let failures)): failures.first?.error.statusCode
        default: nil
        }
    }
}
