import BrowserCore
import ImageLoading

/// The library's words in the screen's words.
extension ItemStatus {
    /// What a load's event means for its row.
    init?(_ event: LoadEvent, attempts: Int) {
        switch event {
        case .started: self = .connecting
        case .progress(let progress):
            self = .loading(received: progress.received, total: progress.total, rate: nil)
        case .retrying(let attempt, let error, let delay):
            let seconds = Int(clamping: delay.components.seconds + (delay.components.attoseconds > 0 ? 1 : 0))
            self = .retrying(attempt: attempt, of: attempts, seconds: seconds, reason: error.title)
        }
    }

    /// What a prefetcher's event means for which row.
    static func change(_ event: PrefetchEvent, attempts: Int) -> (ItemID, ItemStatus)? {
        switch event {
        case .started(let id): (ItemID(id), .connecting)
        case .progress(let id, let progress):
            (ItemID(id), .loading(received: progress.received, total: progress.total, rate: nil))
        case .retrying(let id, let attempt, let error, let delay):
            ItemStatus(.retrying(attempt: attempt, error: error, delay: delay), attempts: attempts)
                .map { (ItemID(id), $0) }
        case .finished(let id, let result): (ItemID(id), .onDisk(bytes: result.byteCount))
        case .failed(let id, let error) where error.isTaskCancelled: (ItemID(id), .waiting)
        case .failed(let id, let error): (ItemID(id), .failed(reason: error.title))
        }
    }
}

extension PictureOrigin {
    init(_ cacheType: ImageCache.CacheType, source: Source) {
        switch (cacheType, source) {
        case (.memory, _): self = .memory
        case (.disk, _): self = .disk
        case (.none, .provider): self = .file
        case (.none, .network): self = .network
        }
    }
}

extension FailureFacts {
    init(_ error: ImageError, attempts: Int) {
        self.init(title: error.title, detail: Self.advice(for: error), attempts: attempts)
    }

    private static func advice(for error: ImageError) -> String {
        switch error {
        case .response(.notAnImage): "The server sent something else than a picture; nothing was stored."
        case .response(.invalidHTTPStatusCode): "The server answered, but not with the picture."
        case .response(.timedOut), .response(.transport): "The server could not be reached, or the connection broke."
        case .response(.truncated): "The transfer ended early; the part that came was thrown away."
        case .response: "The transfer was stopped."
        case .processor(.limitExceeded): "It is larger than the limits allow, so it was not decoded."
        case .processor: "The file is damaged, or the processors cannot work on it."
        case .cache: "Only the cache was allowed to answer."
        case .request, .imageSetting: "The address or file could not be used."
        }
    }
}
