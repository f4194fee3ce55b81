import FoundationEssentials
import Synchronization

/// A decoder of partial images from one load's bytes; it decodes the newest due scan, one at a time.
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
        (self.options, self.now, self.decode, self.send) = (options, now, decode, send)
        state = Mutex(State(schedule: ScanSchedule(options)))
    }

    /// Appends the file's next bytes; an offset of 0 starts the file again.
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

    /// Stops the decoding; nothing is sent afterwards.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.work?.cancel()
        }
    }

    private func run(_ data: Data, _ scan: ProgressiveScan) async {
        var due: (data: Data, scan: ProgressiveScan)? = (data, scan)
        while let (data, scan) = due {
            // Bytes that cannot be decoded yet do not fail the load.
            if let image = try? await decode(data, scan), state.withLock({ !$0.isClosed }) { send(image) }
            due = nextDue()
        }
    }

    /// Returns the next due scan; if there is none, ends the work under the same lock and returns nil.
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
