import Synchronization

/// Whether the disk tier does its work.
public enum DiskStanding: Sendable, Hashable {
    case usable
    /// It takes nothing for now, and everything goes on from memory; the text says why.
    case unusable(String)
}

/// Tells when the disk tier stops to do its work and when it goes on; each change once.
final class DiskStandings: Sendable {
    private struct State {
        var standing: DiskStanding
        var listeners: [Int: AsyncStream<DiskStanding>.Continuation] = [:]
        var serial = 0
    }

    private let state: Mutex<State>

    init(_ standing: DiskStanding) { state = Mutex(State(standing: standing)) }

    deinit { state.withLock { Array($0.listeners.values) }.forEach { $0.finish() } }

    var current: DiskStanding { state.withLock(\.standing) }

    /// Every change from now on.
    func changes() -> AsyncStream<DiskStanding> {
        AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
            let number = state.withLock { state in
                state.serial += 1
                state.listeners[state.serial] = continuation
                return state.serial
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { state in _ = state.listeners.removeValue(forKey: number) }
            }
        }
    }

    /// Another reason for the same trouble is no news.
    func note(_ standing: DiskStanding) {
        state.withLock { state in
            switch (state.standing, standing) {
            case (.usable, .usable), (.unusable, .unusable): return
            default: break
            }
            state.standing = standing
            for listener in state.listeners.values { listener.yield(standing) }
        }
    }
}
