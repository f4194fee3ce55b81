import FoundationEssentials
import Synchronization

/// The transfers with their waiters: a transfer has the priority of its most urgent waiter, and its bytes are forwarded
/// to the waiters that show partial images.
final class TransferTable: Sendable {
    typealias BytesHandler = @Sendable (_ bytes: Data, _ offset: Int) -> Void

    /// A running transfer and the downloader that can change its priority.
    struct Transfer: Sendable {
        let id: DownloadRequest.ID
        let downloader: any DataDownloading
    }

    private struct Waiter {
        let priority: Double
        let onBytes: BytesHandler?
    }

    private struct Row {
        var waiters: [Int: Waiter] = [:]
        var transfer: Transfer?
        var received = ReceivedPieces()

        var priority: Double? { waiters.values.map(\.priority).max() }
    }

    private let state = Mutex((rows: [BytesKey: Row](), lastWaiter: 0))

    /// The number of keys with waiters or a running transfer.
    var count: Int { state.withLock(\.rows.count) }

    /// Performs the work of a waiter that needs the bytes of a key.
    ///
    /// - Parameter onBytes: Receives the transfer's bytes, first those that have arrived already.
    func waiting<Value: Sendable>(
        for key: BytesKey, priority: Double, onBytes: BytesHandler? = nil,
        _ work: () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await change(key) { row in
            if let onBytes { row.received.replay(to: onBytes) }
            row.waiters[number] = Waiter(priority: priority, onBytes: onBytes)
        }
        do throws(ImageError) {
            let value = try await work()
            await change(key) { $0.waiters[number] = nil }
            return value
        } catch {
            await change(key) { $0.waiters[number] = nil }
            throw error
        }
    }

    /// Registers a started transfer; returns its priority, or nil if it has no waiter.
    func begin(_ transfer: Transfer, for key: BytesKey) -> Double? {
        state.withLock { state in
            state.rows[key, default: Row()].transfer = transfer
            return state.rows[key]?.priority
        }
    }

    /// Returns the priority of the most urgent waiter; nil if there is none.
    func priority(of key: BytesKey) -> Double? { state.withLock { $0.rows[key]?.priority } }

    /// Appends a transfer's next bytes and forwards them; an offset of 0 starts again.
    func append(_ bytes: Data, at offset: Int, of key: BytesKey) {
        state.withLock { state in
            // The row is removed from the dictionary first, so that its pieces are not copied.
            guard var row = state.rows.removeValue(forKey: key) else { return }
            defer { state.rows[key] = row }
            guard row.received.append(bytes, at: offset) else { return }
            for waiter in row.waiters.values { waiter.onBytes?(bytes, offset) }
        }
    }

    /// Removes a finished transfer and its bytes.
    func end(_ key: BytesKey) {
        state.withLock { state in
            state.rows[key]?.transfer = nil
            state.rows[key]?.received = ReceivedPieces()
            if state.rows[key]?.waiters.isEmpty == true { state.rows[key] = nil }
        }
    }

    /// Changes the waiters, and the transfer's priority if the highest one changed.
    private func change(_ key: BytesKey, _ body: (inout Row) -> Void) async {
        let change = state.withLock { state -> (transfer: Transfer, priority: Double)? in
            var row = state.rows.removeValue(forKey: key) ?? Row()
            let before = row.priority
            body(&row)
            if !row.waiters.isEmpty || row.transfer != nil { state.rows[key] = row }
            guard let transfer = row.transfer, let priority = row.priority, priority != before else { return nil }
            return (transfer, priority)
        }
        if let change { await change.transfer.downloader.setPriority(change.priority, of: change.transfer.id) }
    }
}

/// The received bytes of a transfer, kept for late waiters as long as they may be a progressive JPEG.
private struct ReceivedPieces {
    private var pieces: [Data] = []
    private var count = 0
    private var scanner = ProgressiveScanner()

    /// Appends bytes; returns false if they cannot show a partial image.
    mutating func append(_ bytes: Data, at offset: Int) -> Bool {
        if offset == 0 { self = ReceivedPieces() }
        guard !scanner.isDone, offset == count else {
            pieces = []
            return false
        }
        count += bytes.count
        _ = scanner.append(bytes)
        if !scanner.isDone { pieces.append(bytes) }
        return true
    }

    func replay(to handler: TransferTable.BytesHandler) {
        var offset = 0
        for piece in pieces {
            handler(piece, offset)
            offset += piece.count
        }
    }
}
