import Foundation
import Synchronization

/// Hands the bytes of running transfers to those who want to see what there is of a picture.
///
/// Who comes late hears all from the beginning. Only what may be a progressive JPEG is kept for that.
final class ByteFeeds: Sendable {
    typealias Listener = @Sendable (_ bytes: Data, _ offset: Int) -> Void

    private struct Feed: Sendable {
        var listeners: [Int: Listener] = [:]
        var pieces: [Data] = []
        var count = 0
        var scanner = ProgressiveScanner()

        mutating func restart() { (pieces, count, scanner) = ([], 0, ProgressiveScanner()) }
    }

    private let state = Mutex((feeds: [BytesKey: Feed](), lastListener: 0))

    /// How many transfers are being fed or listened to.
    var count: Int { state.withLock(\.feeds.count) }

    /// Does the work while the listener hears the bytes of a key.
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

    /// Takes a transfer's next bytes; an offset of 0 begins anew.
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

    /// The transfer is over.
    func end(_ key: BytesKey) { change(key) { $0.restart() } }

    private func change(_ key: BytesKey, _ body: (inout Feed) -> Void) {
        state.withLock { state in
            guard var feed = state.feeds.removeValue(forKey: key) else { return }
            body(&feed)
            if !feed.listeners.isEmpty || feed.count > 0 { state.feeds[key] = feed }
        }
    }
}
