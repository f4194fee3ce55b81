import AlcedoBrowserCore
import AlcedoLists
import AlcedoPrefetch
import AlcedoScreen
import AlcedoSupport
import AlcedoTools
import FoundationEssentials
import ImageLoading
import Raster
import Retrying

/// The facts about an item beyond its picture, as lines for the details.
struct ItemDescription {
    let entry: CacheEntry?
    let transfer: DownloadMetrics?
    let capture: CaptureFacts?
    let now: Date
    /// The redacted address of the low-data alternative.
    var smaller: String?
    /// The attempts that failed or were needed.
    var history: AttemptHistory?
    /// The state of the host in words; nil for a file.
    var host: String?
    /// The modification time of a local file.
    var modified: Date?

    var lines: [DetailLine] {
        line("file date", fileDate) + cached + line("low data", smaller) + pictured + answered + transferred + captured
            + indexed
    }

    // MARK: - How its server answered

    private var answered: [DetailLine] {
        line("answer", lastAnswer, .transfer)
            + line("attempts", history.map { "\($0.attempts) of \($0.limit)" }, .transfer)
            + line("redirects", redirects, .transfer)
    }

    private var lastAnswer: String? {
        if let answer = history?.answer, !answer.isEmpty { return answer }
        return transfer?.statusCode.map { ImageError.response(.invalidHTTPStatusCode($0, retryAfter: nil)).title }
    }

    private var redirects: String? {
        let chain = transfer?.redirectedTo ?? history?.redirects ?? []
        return chain.isEmpty ? nil : chain.map { Redaction.display($0.absoluteString) }.joined(separator: ", ")
    }

    // MARK: - In the cache

    private var cached: [DetailLine] {
        guard let entry else { return [] }
        let parts = [
            "stored \(ago(entry.stored))", "used \(Units.count(entry.hits)) \(entry.hits == 1 ? "time" : "times")",
            entry.isPinned ? "pinned" : expiry(of: entry),
        ]
        return [DetailLine("cached", parts.joined(separator: ", "))]
    }

    /// The facts of the file; those of the camera come first in their group.
    private var pictured: [DetailLine] {
        var facts = entry?.facts.picture ?? PictureFacts()
        if let capture { (facts.taken, facts.camera) = (capture.taken, capture.camera) }
        return facts.labelled.map { name, value in
            DetailLine(name, value, ["taken", "camera"].contains(name) ? .camera : .picture)
        }
    }

    /// The columns of the cache's index beside the picture's facts.
    private var indexed: [DetailLine] {
        line("host", host, .more) + line("ETag", entry?.facts.etag, .more)
            + line("modified", entry?.facts.lastModified, .more) + line("SHA-256", entry?.digest, .more)
            + (entry?.facts.headers ?? []).map { DetailLine("header", $0, .more) }
    }

    private func expiry(of entry: CacheEntry) -> String {
        guard let expires = entry.expires else { return "never expires" }
        let seconds = expires.timeIntervalSince(now).whole
        return seconds < 0 ? "expired" : "expires in \(Units.duration(ahead: seconds))"
    }

    private func ago(_ moment: Date) -> String {
        "\(Units.duration(seconds: now.timeIntervalSince(moment).whole)) ago"
    }

    private var fileDate: String? {
        modified.map { "\($0.formatted(.iso8601.year().month().day().dateSeparator(.dash))), \(ago($0))" }
    }

    // MARK: - Over the network

    private var transferred: [DetailLine] {
        guard let transfer else { return [] }
        let times = TransferTimes(transfer.phases, firstByte: transfer.firstByte).text
        let parts = [transfer.version, times, "all \(time(transfer.total))"]
        let waits = transfer.queued >= .milliseconds(1) ? ["waited \(time(transfer.queued))"] : []
        let all = (parts + waits).filter { !$0.isEmpty }
        return [DetailLine("transfer", all.joined(separator: ", "), .transfer)]
    }

    private func time(_ duration: Duration) -> String { Units.duration(milliseconds: duration.milliseconds) }

    // MARK: - In the file itself

    private var captured: [DetailLine] {
        guard let capture else { return [] }
        return [
            ("lens", lens), ("exposure", exposure), ("place", place), ("comment", capture.description),
            ("by", capture.artist), ("rights", capture.copyright), ("software", capture.software),
        ].flatMap { line($0, $1, .camera) }
    }

    private var lens: String? {
        let parts = [capture?.lens, capture?.focalLength.map { "\(short($0)) mm" }].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private var exposure: String? {
        let parts = [
            capture?.exposureTime.flatMap(shutter), capture?.aperture.map { "f/\(short($0))" },
            capture?.sensitivity.map { "ISO \($0)" },
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "  ")
    }

    /// Formats an exposure time as cameras do: 1/250 s, 2 s.
    private func shutter(_ seconds: Double) -> String? {
        guard seconds > 0, seconds < 1e6 else { return nil }
        return seconds < 0.4 ? "1/\(short((1 / seconds).rounded())) s" : "\(short(seconds)) s"
    }

    private var place: String? {
        guard let latitude = capture?.latitude, let longitude = capture?.longitude else { return nil }
        return "\(degrees(latitude)) \(latitude < 0 ? "S" : "N") \(degrees(longitude)) \(longitude < 0 ? "W" : "E")"
    }

    /// Formats an angle without its sign, with four decimals.
    private func degrees(_ angle: Double) -> String {
        let parts = Int((abs(angle) * 10_000).rounded())
        return "\(parts / 10_000).\((parts % 10_000).digits(4))"
    }

    /// Formats a number with one decimal, or without it if it is zero.
    private func short(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? String(tenths.whole) : String(tenths)
    }

    private func line(_ label: String, _ value: String?, _ group: DetailLine.Group = .file) -> [DetailLine] {
        value.map { [DetailLine(label, $0, group)] } ?? []
    }
}

extension TransferTimes {
    /// - Parameter phases: The times of the connection; nil if it was open before.
    init(_ phases: DownloadMetrics.Phases?, firstByte: Duration) {
        let connection = phases.map {
            Connection(
                lookup: $0.lookup.milliseconds, connect: $0.connect.milliseconds, handshake: $0.handshake.milliseconds)
        }
        self.init(connection, firstByte: firstByte.milliseconds)
    }
}
