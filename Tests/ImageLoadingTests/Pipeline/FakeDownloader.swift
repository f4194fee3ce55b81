import Foundation
import TestSupport

@testable import ImageLoading

/// Answers each address from a table, after the gate; counts what it was asked.
final class FakeDownloader: DataDownloading {
    let requests = Recorder<String>()
    let cancelled = Recorder<String>()
    /// How many headers each request came with.
    let headerCounts = Recorder<Int>()
    /// What each transfer began with, and every change of it.
    let priorities = Recorder<Double>()
    private let gate: Gate?
    private let answer: @Sendable (URL, Int) throws(DownloadError) -> Download

    init(gate: Gate? = nil, _ answer: @escaping @Sendable (URL, Int) throws(DownloadError) -> Download) {
        self.gate = gate
        self.answer = answer
    }

    /// Answers every address with the equal.
    convenience init(_ data: Data, isProvenWhole: Bool = true, gate: Gate? = nil) {
        self.init(gate: gate) { url, _ in .of(data, from: url, isProvenWhole: isProvenWhole) }
    }

    /// Fails every time.
    static func failing(_ error: DownloadError = .response(.transport(.refused))) -> FakeDownloader {
        FakeDownloader { _, _ throws(DownloadError) in throw error }
    }

    func download(
        _ request: DownloadRequest, priority: Double, onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws(DownloadError) -> Download {
        let address = request.url.absoluteString
        requests.add(address)
        headerCounts.add(request.headers.count)
        priorities.add(priority)
        let attempt = requests.all.count { $0 == address }
        await gate?.pass()
        if Task.isCancelled {
            cancelled.add(address)
            throw .cancelled
        }
        let done = try answer(request.url, attempt)
        onProgress(DownloadProgress(received: done.data.count, total: done.data.count))
        return done
    }

    func setPriority(_ priority: Double, of id: DownloadRequest.ID) async { priorities.add(priority) }
}

extension Download {
    static func of(_ data: Data, from url: URL, isProvenWhole: Bool = true) -> Download {
        Download(
            data: data, url: url, isProvenWhole: isProvenWhole, etag: "\"1\"", lastModified: nil,
            metrics: DownloadMetrics())
    }
}
