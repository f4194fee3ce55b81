import Synchronization

/// The priorities of transfers: each transfer has the priority of its most urgent waiter.
final class TransferPriorities: Sendable {
    /// A waiting or running transfer and the downloader that can change its priority.
    struct Transfer: Sendable {
        let id: DownloadRequest.ID
        let downloader: any DataDownloading
    }

    private struct Line: Sendable {
        var wishes: [Int: Double] = [:]
        var transfer: Transfer?
        var priority: Double? { wishes.values.max() }
    }

    private struct Change: Sendable {
        let transfer: Transfer
        let priority: Double
    }

    private let state = Mutex((lines: [BytesKey: Line](), lastWish: 0))

    /// Performs the work of a waiter that needs the bytes of a key with a priority.
    func wishing<Value: Sendable>(
        _ priority: Double, for key: BytesKey, _ work: () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let wish = state.withLock { state in
            state.lastWish += 1
            return state.lastWish
        }
        await change(key) { $0.wishes[wish] = priority }
        do throws(ImageError) {
            let value = try await work()
            await change(key) { $0.wishes[wish] = nil }
            return value
        } catch {
            await change(key) { $0.wishes[wish] = nil }
            throw error
        }
    }

    /// Registers a started transfer; returns its priority, or nil if no waiter has set one.
    func begin(_ transfer: Transfer, for key: BytesKey) -> Double? {
        state.withLock { state in
            state.lines[key, default: Line()].transfer = transfer
            return state.lines[key]?.priority
        }
    }

    func end(_ key: BytesKey) {
        state.withLock { state in
            state.lines[key]?.transfer = nil
            if state.lines[key]?.wishes.isEmpty == true { state.lines[key] = nil }
        }
    }

    /// Changes the waiters' priorities, and the transfer's priority if the highest one changed.
    private func change(_ key: BytesKey, _ body: (inout Line) -> Void) async {
        let change = state.withLock { state -> Change? in
            var line = state.lines[key] ?? Line()
            let before = line.priority
            body(&line)
            state.lines[key] = line.wishes.isEmpty && line.transfer == nil ? nil : line
            guard let transfer = line.transfer, let priority = line.priority, priority != before else { return nil }
            return Change(transfer: transfer, priority: priority)
        }
        if let change { await change.transfer.downloader.setPriority(change.priority, of: change.transfer.id) }
    }
}
