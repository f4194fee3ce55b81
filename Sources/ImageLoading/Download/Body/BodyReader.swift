import AsyncHTTPClient
import Foundation
import NIOCore

/// Collects a body under the limits, refuses what is no picture at its first bytes, and watches its pace.
struct BodyReader: Sendable {
    /// What came, and why it is not all.
    struct Outcome: Sendable {
        var data: Data
        /// nil for a whole body.
        var error: ImageError?
    }

    /// What came in an earlier attempt; the body goes on after it.
    var prefix = Data()
    /// The length of all, with the prefix.
    let expected: Int?
    let limits: DownloadLimits
    let clock: TransferClock
    /// When the transfer began.
    let started: Duration
    /// Shared by all transfers; nil where there is no limit.
    var bandwidth: Bandwidth?
    /// False for bodies that are not the picture's bytes yet.
    var judgesFormat = true
    let onProgress: @Sendable (DownloadProgress) -> Void
    var onBytes: (@Sendable (_ bytes: Data, _ offset: Int) -> Void)?

    func read(_ body: HTTPClientResponse.Body) async -> Outcome {
        let pace = Pace(limits: limits, clock: clock, started: started, bandwidth: bandwidth)
        let progress = ProgressThrottle(expected: expected, clock: clock, send: onProgress)
        async let _ = progress.sendHeldBack()
        let outcome = await withTaskGroup(of: Event.self) { group in
            group.addTask { .ended(await collect(body, pace, progress)) }
            group.addTask { .tooSlow(await pace.violation()) }
            let first = await group.next()
            group.cancelAll()
            return Self.outcome(first, await group.next())
        }
        return Task.isCancelled ? Outcome(data: outcome.data, error: .cancelled) : outcome
    }

    /// A body that was whole when its time was up is whole.
    private static func outcome(_ first: Event?, _ second: Event?) -> Outcome {
        switch (first, second) {
        case (.ended(let outcome), _): outcome
        case (.tooSlow(let error), .ended(let outcome)):
            Outcome(data: outcome.data, error: outcome.error == nil ? nil : error)
        default: Outcome(data: Data(), error: .cancelled)
        }
    }

    private enum Event: Sendable {
        case ended(Outcome)
        case tooSlow(ImageError)
    }

    private func collect(_ body: HTTPClientResponse.Body, _ pace: Pace, _ progress: ProgressThrottle) async -> Outcome {
        var data = prefix
        data.reserveCapacity(min(expected ?? 0, 8 << 20))
        if !prefix.isEmpty { onBytes?(prefix, 0) }
        do {
            for try await chunk in body {
                guard data.count + chunk.readableBytes <= limits.bytes else {
                    return Outcome(data: data, error: .response(.tooLarge(limit: limits.bytes)))
                }
                let wasUndecided = data.count < FormatSniffer.bytesNeeded
                chunk.withUnsafeReadableBytes { data.append(contentsOf: $0) }
                if wasUndecided, let refusal = refusal(of: data, isWhole: false) {
                    return Outcome(data: data, error: refusal)
                }
                onBytes?(Data(data.suffix(chunk.readableBytes)), data.count - chunk.readableBytes)
                pace.note(bytes: data.count - prefix.count)
                progress.note(data.count)
                try await bandwidth?.take(chunk.readableBytes)
            }
        } catch {
            let error = TransportErrors.imageError(from: error, received: data.count, expected: expected)
            return Outcome(data: data, error: error)
        }
        progress.finish(data.count)
        return Outcome(data: data, error: verdict(on: data))
    }

    private func verdict(on data: Data) -> ImageError? {
        if let expected, data.count != expected {
            return .response(.truncated(received: data.count, expected: expected))
        }
        return refusal(of: data, isWhole: true)
    }

    private func refusal(of data: Data, isWhole: Bool) -> ImageError? {
        judgesFormat ? Self.refusal(of: data, isWhole: isWhole) : nil
    }

    static func refusal(of data: Data, isWhole: Bool) -> ImageError? {
        guard case .refused(let appearance) = FormatSniffer.judge(data, isWhole: isWhole) else { return nil }
        return .response(.notAnImage(appearance))
    }
}
