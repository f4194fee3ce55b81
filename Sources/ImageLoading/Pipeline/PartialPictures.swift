import Foundation
import Synchronization

/// Makes partial pictures of one load's bytes as they arrive, one at a time, the newest that is due.
final class PartialPictures: Sendable {
    typealias Decode = @Sendable (Data, ProgressiveScan) async throws(ImageError) -> Image

    private struct State: Sendable {
        var data = Data()
        var schedule: ScanSchedule
        var work: Task<Void, Never>?
        var isClosed = false
    }

    private let state: Mutex<State>
    private let options: ImageProgressive
    private let now: @Sendable () -> Duration
    private let decode: Decode
    private let send: @Sendable (Image) -> Void

    init(
        _ options: ImageProgressive, now: @escaping @Sendable () -> Duration, decode: @escaping Decode,
        send: @escaping @Sendable (Image) -> Void
    ) {
        self.options = options
        self.now = now
        self.decode = decode
        self.send = send
        state = Mutex(State(schedule: ScanSchedule(options)))
    }

    /// Takes the file's next bytes; an offset of 0 begins the file anew.
    func append(_ bytes: Data, at offset: Int) {
        state.withLock { state in
            if offset == 0 { (state.data, state.schedule) = (Data(), ScanSchedule(options)) }
            guard !state.isClosed, offset == state.data.count else { return }
            state.data.append(bytes)
            state.schedule.append(bytes)
            guard state.work == nil, let scan = state.schedule.next(at: now()) else { return }
            state.work = Task { [data = state.data] in await run(data, scan) }
        }
    }

    /// Nothing is sent after this.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.work?.cancel()
        }
    }

    private func run(_ data: Data, _ scan: ProgressiveScan) async {
        var due: (data: Data, scan: ProgressiveScan)? = (data, scan)
        while let (data, scan) = due {
            // What cannot be decoded yet is no failure of the load.
            if let image = try? await decode(data, scan), state.withLock({ !$0.isClosed }) { send(image) }
            due = nextDue()
        }
    }

    /// The next scan, or the end of the work, in one breath.
    private func nextDue() -> (Data, ProgressiveScan)? {
        state.withLock { state in
            guard !state.isClosed, let scan = state.schedule.next(at: now()) else {
                state.work = nil
                return nil
            }
            return (state.data, scan)
        }
    }
}
