import Foundation
import Synchronization

/// The received bytes of running transfers, forwarded to listeners that show partial images.
///
/// A late listener receives all bytes from the beginning. Only bytes that may be a progressive JPEG are kept for that.
final class PartialDataBroadcaster: Sendable {
    typealias Listener = @Sendable (_ bytes: Data, _ offset: Int) -> Void

    private struct Feed: Sendable {
        var listeners: [Int: Listener] = [:]
        var pieces: [Data] = []
        var count = 0
        var scanner = ProgressiveScanner()

        mutating func restart() { (pieces, count, scanner) = ([], 0, ProgressiveScanner()) }
    }

    private let state = Mutex((feeds: [BytesKey: Feed](), lastListener: 0))

    /// The number of transfers that have listeners or kept bytes.
    var count: Int { state.withLock(\.feeds.count) }

    /// Performs the work while the listener receives the bytes of a key.
    func listening<Value: Sendable>(
        to key: BytesKey, _ listener: @escaping Listener, during work: () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let number = state.withLock { state in
            state.lastListener += 1
            let feed = state.feeds[key] ?? Feed()
            var offset = 0
            for piece in feed.pieces {
                listener(piece, offset)
                offset += piece.count
            }
            state.feeds[key] = feed
            state.feeds[key]?.listeners[state.lastListener] = listener
            return state.lastListener
        }
        defer { change(key) { $0.listeners[number] = nil } }
        return try await work()
    }

    /// Appends a transfer's next bytes and forwards them; an offset of 0 starts again.
    func append(_ bytes: Data, at offset: Int, of key: BytesKey) {
        state.withLock { state in
            var feed = state.feeds.removeValue(forKey: key) ?? Feed()
            if offset == 0 { feed.restart() }
            defer { state.feeds[key] = feed }
            guard !feed.scanner.isDone, offset == feed.count else {
                feed.pieces = []
                return
            }
            feed.count += bytes.count
            _ = feed.scanner.append(bytes)
            if !feed.scanner.isDone { feed.pieces.append(bytes) }
            for listener in feed.listeners.values { listener(bytes, offset) }
        }
    }

    /// Discards the kept bytes of a finished transfer.
    func end(_ key: BytesKey) { change(key) { $0.restart() } }

    private func change(_ key: BytesKey, _ body: (inout Feed) -> Void) {
        state.withLock { state in
            guard var feed = state.feeds.removeValue(forKey: key) else { return }
            body(&feed)
            if !feed.listeners.isEmpty || feed.count > 0 { state.feeds[key] = feed }
        }
    }
}
