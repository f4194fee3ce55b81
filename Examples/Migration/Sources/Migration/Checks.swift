import Foundation
import TerminalImageView

/// Runs the rows of a table, one after the other, and prints how each went.
@MainActor
final class Checks {
    /// The server's address without a last slash.
    let base: String
    /// A folder for caches and files, which is empty at the start.
    let folder: URL
    private(set) var failures = 0

    init(base: String, folder: URL) {
        self.base = base
        self.folder = folder
    }

    /// Runs one row of the table; it passes if the work returns true.
    func row(_ number: String, _ capability: String, _ work: @MainActor () async throws -> Bool) async {
        var outcome = "FAILED"
        do {
            if try await work() { outcome = "ok" }
        } catch {
            outcome = "FAILED: \(error.localizedDescription)"
        }
        if outcome != "ok" { failures += 1 }
        print("\(number) \(outcome): \(capability)")
    }

    /// Returns the address of a path of the server: `/a.png`.
    func url(_ path: String) throws -> URL {
        guard let url = URL(string: base + path) else { throw ImageError.request(.invalidURL(path)) }
        return url
    }

    /// Returns a new cache of its own.
    func cache(_ name: String = UUID().uuidString) throws -> ImageCache {
        try ImageCache(name: name, in: CacheFolder(path: folder.appending(path: "caches").path(percentEncoded: false)))
    }

    /// Returns a pipeline with a cache of its own.
    func pipeline() throws -> ImagePipeline { ImagePipeline(cache: try cache()) }

    /// Returns how many requests the server has received for a path.
    func requests(for path: String) async throws -> Int {
        let answer = try await ImageDownloader().download(
            DownloadRequest(url: try url("/count" + path)), priority: 0.5, onProgress: { _ in })
        return Int(String(decoding: answer.data, as: UTF8.self)) ?? -1
    }
}

/// Collects values from handlers.
actor Collected<Value: Sendable> {
    private(set) var values: [Value] = []

    func append(_ value: Value) { values.append(value) }
}
