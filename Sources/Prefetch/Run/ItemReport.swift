import AlcedoBrowserCore
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import ImageLoading
import Raster
import Retrying

/// The result of an item with all facts, as a line of `prefetch --json` and of reports.
@dynamicMemberLookup
struct ItemReport: Encodable {
    /// The fields that are not facts of the picture.
    struct Item: Encodable {
        let type = "item"
        let list: String
        let line: Int
        let url: String
        /// The bytes of a path that is no UTF-8, in base64.
        let pathBytes: String?
        let key: String
        let title: String?
        let tags: [String]?
        let columns: [String: JSONValue]?
        let status: String
        /// 1 if nothing failed; 0 if the host was given up before the first request.
        var attempts: Int
        var http, bytes: Int?
        var mismatch, contentType: String?
        var sha256, etag, lastModified, fetchedAt, because: String?
        var from, via, proto, file, thumbnail: String?
        var written: WrittenFacts?
        var ms: Milliseconds?
        var error: ErrorFacts?
    }

    private var item: Item
    /// The facts of the picture, which become fields of the same object.
    private(set) var picture = PictureFacts()

    subscript<Value>(dynamicMember member: WritableKeyPath<Item, Value>) -> Value {
        get { item[keyPath: member] }
        set { item[keyPath: member] = newValue }
    }

    subscript<Value>(dynamicMember member: KeyPath<Item, Value>) -> Value { item[keyPath: member] }

    func encode(to encoder: any Encoder) throws {
        try item.encode(to: encoder)
        try picture.encode(to: encoder)
    }

    init(_ item: ItemRecord, _ outcome: ItemOutcome) {
        self.item = Item(
            list: item.list, line: item.line, url: item.shown, pathBytes: item.pathBytes?.base64EncodedString(),
            key: item.shownKey,
            title: item.entry.title.map(Redaction.text), tags: item.entry.tags.isEmpty ? nil : item.entry.tags,
            columns: item.entry.columns.isEmpty ? nil : item.entry.columns.mapValues(\.redacted),
            status: outcome.status, attempts: item.attempts)
        self.file = item.file
        self.written = item.written
        switch outcome {
        case .finished(let result): add(result, item)
        case .leftOut(let result, let filter):
            add(result, item)
            self.because = filter
        case .rejected(let result, let filter):
            add(result, item)
            self.error = ErrorFacts(rejectedBy: filter)
        case .failed(let reason):
            if let refused = item.refused { add(refused, item) }
            self.http = reason.statusCode ?? item.statusCode ?? self.http
            self.error = ErrorFacts(reason)
            if case .response(.hostUnavailable(_, _, after: nil)) = reason { self.attempts = 0 }
        case .failedBefore(let code): self.error = ErrorFacts(code: code, text: ItemOutcome.beforeText(code: code))
        case .duplicate, .doneBefore, .planned: break
        }
    }
}

extension ItemReport {
    private mutating func add(_ result: DataResult, _ item: ItemRecord) {
        self.http = result.metrics?.statusCode
        self.bytes = result.byteCount > 0 ? result.byteCount : nil
        addFacts(result.facts, item)
        self.from = result.origin
        self.via = item.place(of: result)
        self.proto = result.metrics?.version
        self.ms = Milliseconds(result)
    }

    mutating func addFacts(_ facts: ImageFacts?, _ item: ItemRecord) {
        guard let facts else { return }
        picture = facts.picture
        self.sha256 = facts.sha256
        self.etag = facts.etag.map { SafeText.clean($0) }
        self.lastModified = facts.lastModified.map { SafeText.clean($0) }
        self.fetchedAt = facts.fetchedAt.map { $0.formatted(.iso8601) }
        self.contentType = facts.contentType.map { SafeText.clean($0) }
        self.mismatch = facts.mismatch(address: item.shown).map { SafeText.clean($0) }
    }
}

/// The duration of each step; steps that did not happen are omitted.
///
/// `connect` is the sum of `dns`, `tcp` and `tls`.
struct Milliseconds: Encodable {
    var queue, dns, tcp, tls, connect, ttfb, total, decode, store: Int?

    init?(_ result: DataResult) {
        guard result.metrics != nil || result.store != nil || result.decode != nil else { return nil }
        if let metrics = result.metrics {
            queue = metrics.queued.milliseconds
            dns = metrics.phases?.lookup.milliseconds
            tcp = metrics.phases?.connect.milliseconds
            tls = metrics.phases?.handshake.milliseconds
            connect = metrics.connect?.milliseconds
            ttfb = metrics.firstByte.milliseconds
            total = metrics.total.milliseconds
        }
        decode = result.decode?.milliseconds
        store = result.store?.milliseconds
    }
}

/// An error in JSON.
package struct ErrorFacts: Encodable {
    /// The kind of an error as a word, as in `docs/prefetch-events.schema.json`.
    package enum Kind: String, Encodable, CaseIterable {
        case request, environment, status, transport, timeout, host, response, cache, picture, incomplete, corrupt,
            source
        /// An earlier run failed with this code.
        case earlier
    }

    let code: Int
    let kind: Kind
    let text: String
    let retryable: Bool

    init(_ error: ImageError) {
        code = error.code
        kind = error.family
        text = error.title
        retryable = error.isRetryable
    }

    /// Creates the error of a picture that a filter rejects.
    init(rejectedBy filter: String) {
        let code = ImageError.response(.notAccepted(format: "")).code
        (self.code, kind, text, retryable) = (code, .picture, ItemOutcome.rejectedText(filter), false)
    }

    init(code: Int, text: String) { (self.code, kind, self.text, retryable) = (code, .earlier, text, false) }
}

extension ItemOutcome {
    /// The outcome as a word in JSON.
    var status: String {
        switch self {
        case .finished(let result): result.outcome.rawValue
        case .duplicate: "duplicate"
        case .doneBefore: "skipped"
        case .planned: "planned"
        case .leftOut: "skipped"
        case .rejected: "failed"
        case .failed(let error): error.isTaskCancelled ? "cancelled" : "failed"
        case .failedBefore: "failed"
        }
    }

    /// The reason of a failure; nil if the item did not fail.
    var failure: String? {
        switch self {
        case .failed(let error): error.isTaskCancelled ? nil : error.titleWithDelay
        case .failedBefore(let code): Self.beforeText(code: code)
        case .rejected(_, let filter): Self.rejectedText(filter)
        case .finished, .duplicate, .doneBefore, .planned, .leftOut: nil
        }
    }

    /// Returns the reason for the failure of a picture that a filter rejects.
    static func rejectedText(_ filter: String) -> String { "rejected: \(filter)" }

    /// The reason without its figures, by which failures are grouped.
    var failureKind: String? {
        guard case .failed(let error) = self, !error.isTaskCancelled else { return failure }
        return error.kind
    }

    /// Returns the reason for a failure of the interrupted run; only its error code is known.
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
    /// The title, with the pause that the server requested if it was too long to be waited for.
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
    var family: ErrorFacts.Kind {
        switch self {
        case .request: .request
        case _ where isOfEnvironment: .environment
        case .response(.invalidHTTPStatusCode): .status
        case .response(.transport): .transport
        case .response(.timedOut): .timeout
        case .response(.hostUnavailable), .response(.retryBudgetExhausted): .host
        case .response: .response
        case .cache: .cache
        case .processor(.damaged(_, .corrupt)): .corrupt
        case .processor(.damaged): .incomplete
        case .processor: .picture
        case .imageSetting(.alternativeSourcesExhausted(let failures)): failures.first?.error.family ?? .source
        case .imageSetting: .source
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

extension HostEvent.Change {
    /// The change in a few words.
    var text: String {
        switch self {
        case .parked(let pause): "asked for a pause of \(pause.shortText)"
        case .slowed(let rate):
            "refuses some requests as too many; slowed down to \(Units.tenths(rate.tenths)) requests/s"
        case .circuitOpened(let pause): "keeps failing; next try in \(pause.shortText)"
        case .givenUp: "has failed for too long; its pictures fail at once"
        case .resumed: "answers again"
        }
    }

    /// The state after the change, until the next one; nil if there is nothing to report.
    var stateText: String? {
        switch self {
        case .parked: "asked for a pause"
        case .slowed(let rate): "slowed down to \(Units.tenths(rate.tenths)) requests/s"
        case .circuitOpened: "keeps failing"
        case .givenUp: "has failed for too long; its pictures fail at once"
        case .resumed: nil
        }
    }
}

extension HostRejection {
    /// Why an item waits for its host, in a few words.
    package var reason: String {
        switch self {
        case .parked: "host asked for a pause"
        case .paced: "rate limit"
        case .slowed: "host slowed down"
        case .circuitOpen: "host failing"
        case .unavailable: "host given up"
        case .retryBudgetExhausted: "too many retries"
        }
    }
}

extension Double {
    /// Tenths, rounded and clamped; 0 for NaN.
    package var tenths: Int { isNaN ? 0 : Int(Swift.min(Swift.max(0, self * 10), 1e12).rounded()) }

    /// The whole part, clamped to ±10^15 because a damaged index may contain any time; 0 for NaN.
    package var whole: Int { isNaN ? 0 : Int(Swift.min(1e15, Swift.max(-1e15, self))) }
}

extension Duration {
    /// Seconds, rounded up.
    package var wholeSeconds: Int { Int(clamping: components.seconds + (components.attoseconds > 0 ? 1 : 0)) }

    var shortText: String { Units.duration(seconds: wholeSeconds) }
}
