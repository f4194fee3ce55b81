import BrowserCore
import Foundation
import ImageLoading
import Lists
import Raster

/// The result of an item with all facts, as a line of `prefetch --json` and of reports.
struct ItemLine: Encodable {
    let type = "item"
    let list: String
    let line: Int
    let url: String
    let key: String
    let title: String?
    let tags: [String]?
    let status: String
    let attempts: Int
    var http, bytes: Int?
    var format, verdict, mismatch, contentType: String?
    var color: ColorFacts?
    var width, height, frames, durationMs, orientation: Int?
    var alpha: Bool?
    var sha256, phash, etag, lastModified, fetchedAt: String?
    var from, via, proto, thumbnail: String?
    var ms: Milliseconds?
    var error: ErrorFacts?

    init(_ item: ItemRecord, _ outcome: ItemOutcome) {
        list = item.list
        line = item.line
        url = item.shown
        key = item.shownKey
        title = item.entry.title.map(Redaction.text)
        tags = item.entry.tags.isEmpty ? nil : item.entry.tags
        attempts = item.attempts
        status = outcome.status
        switch outcome {
        case .finished(let result):
            add(result, item)
        case .failed(let reason):
            if let refused = item.refused { add(refused, item) }
            http = reason.statusCode ?? item.statusCode ?? http
            error = ErrorFacts(reason)
        case .failedBefore(let code): error = ErrorFacts(code: code, text: ItemOutcome.beforeText(code: code))
        case .duplicate, .doneBefore, .planned: break
        }
    }
}

extension ItemLine {
    private mutating func add(_ result: DataResult, _ item: ItemRecord) {
        http = result.metrics?.statusCode
        bytes = result.byteCount
        addFacts(result.facts, item)
        from = result.origin
        via = item.place(of: result)
        proto = result.metrics?.version
        ms = Milliseconds(result)
    }

    mutating func addFacts(_ facts: ImageFacts?, _ item: ItemRecord) {
        guard let facts else { return }
        (format, verdict) = (facts.header?.format.rawValue, facts.verdict?.rawValue)
        (width, height) = (facts.header?.size.width, facts.header?.size.height)
        let countsFrames = !facts.isBeginning || ![.gif, .webP].contains(facts.header?.format)
        (frames, durationMs) = (countsFrames ? facts.header?.frameCount : nil, facts.duration?.milliseconds)
        (color, alpha) = (facts.header?.color, facts.hasAlpha)
        orientation = facts.orientation
        (sha256, phash) = (facts.sha256, facts.hash?.description)
        (etag, lastModified) = (facts.etag.map { SafeText.clean($0) }, facts.lastModified.map { SafeText.clean($0) })
        fetchedAt = facts.fetchedAt.map { $0.formatted(.iso8601) }
        contentType = facts.contentType.map { SafeText.clean($0) }
        mismatch = facts.mismatch(address: item.shown).map { SafeText.clean($0) }
    }
}

/// The duration of each step; steps that did not happen are omitted.
///
/// `connect` contains DNS, TCP and TLS, which the HTTP client does not report separately.
struct Milliseconds: Encodable {
    var queue, connect, ttfb, total, decode, store: Int?

    init?(_ result: DataResult) {
        guard result.metrics != nil || result.store != nil || result.decode != nil else { return nil }
        if let metrics = result.metrics {
            queue = metrics.queued.milliseconds
            connect = metrics.connect?.milliseconds
            ttfb = metrics.firstByte.milliseconds
            total = metrics.total.milliseconds
        }
        decode = result.decode?.milliseconds
        store = result.store?.milliseconds
    }
}

/// An error in JSON.
struct ErrorFacts: Encodable {
    let code: Int
    let kind: String
    let text: String
    let retryable: Bool

    init(_ error: ImageError) {
        code = error.code
        kind = error.family
        text = error.title
        retryable = error.isRetryable
    }

    init(code: Int, text: String) { (self.code, kind, self.text, retryable) = (code, "earlier", text, false) }
}
