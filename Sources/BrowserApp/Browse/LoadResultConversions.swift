import AlcedoBrowserCore
import AlcedoConfig
import AlcedoPrefetch
import ImageLoading
import Retrying

/// Conversions from the library's types to the screen's.
extension PictureOrigin {
    init(_ result: ImageResult, source: Source) {
        self = result.expiredBecause == nil ? Self(result.cacheType, source: source) : .expired
    }

    init(_ cacheType: ImageCache.CacheType, source: Source) {
        switch (cacheType, source) {
        case (.memory, _): self = .memory
        case (.disk, _): self = .disk
        case (.none, .provider): self = .file
        case (.none, .network): self = .network
        }
    }
}

extension HostStatus {
    init(_ state: HostState) {
        self.init(
            host: state.host, trouble: Trouble(state), seconds: state.pause.wholeSeconds,
            retriesUsed: state.retriesUsed, retriesAllowed: state.retriesAllowed)
    }
}

extension HostStatus.Trouble {
    fileprivate init(_ state: HostState) {
        if state.isGivenUp {
            self = .givenUp
        } else if state.isCircuitOpen {
            self = .failing
        } else {
            self = state.pause > .zero ? .parked : Self.slowness(state.requestsPerSecond) ?? .recovering
        }
    }

    private static func slowness(_ rate: Double?) -> Self? { rate.map { .slowed(tenthsPerSecond: $0.tenths) } }
}

extension FailureFacts {
    init(_ error: ImageError, of source: Source?, attempts: Int) {
        let isLocal = source.map { $0.url == nil } ?? false
        let detail = isLocal ? Self.localAdvice(for: error) : Self.advice(for: error)
        self.init(title: error.title, detail: detail, attempts: attempts)
    }

    private static func localAdvice(for error: ImageError) -> String {
        if case .response(.notAnImage) = error { return "The file is not a picture." }
        return advice(for: error)
    }

    private static func advice(for error: ImageError) -> String {
        switch error {
        case .response(.notAnImage): "The server sent something other than a picture; nothing was cached."
        case .response(.invalidHTTPStatusCode): "The server answered, but not with the picture."
        case .response(.timedOut), .response(.transport): "The server could not be reached, or the connection broke."
        case .response(.hostUnavailable): "The host is paused; r tries this picture again."
        case .response(.retryBudgetExhausted): "The host fails so often that it gets no more retries."
        case .response(.truncated): "The download ended early; nothing was cached."
        case .response: "The download was stopped."
        case .processor(.limitExceeded):
            "It is over a limit, so it was not decoded."
        case .processor(.decoderUnavailable): "This machine has no decoder for it; alcedo doctor lists the formats."
        case .processor(.environment): "This is a fault of the machine, not of the picture."
        case .processor(.decodingFailed): "No part of the file can be shown."
        case .processor: "The processors cannot work on it."
        case .cache: "Only the cache was allowed to be used."
        case .request, .imageSetting: "The address or file could not be used."
        }
    }
}

extension ItemFacts {
    /// - Parameter address: The picture's address, whose name may contradict the format.
    init(_ facts: ImageFacts, address: String) {
        self.init(facts.picture)
        digest = facts.sha256.flatMap { UInt64($0.prefix(16), radix: 16) }
        isMismatched = facts.mismatch(address: address) != nil
    }
}

extension ImageServices {
    /// Returns what the disk cache has of a source.
    func status(of source: Source) async -> ItemStatus {
        guard let entry = await cache.disk?.entry(for: CacheEntryKey(source: source.cacheKey)) else { return .waiting }
        return .onDisk(bytes: entry.length)
    }
}
