import AsyncHTTPClient
import Foundation
import NIOCore
import Synchronization

/// Collects a body under the limits, refuses what is no picture at its first bytes, and watches its pace.
struct BodyReader: Sendable {
    let expected: Int?
    let limits: DownloadLimits
    let onProgress: @Sendable (DownloadProgress) -> Void

    func read(_ body: HTTPClientResponse.Body) async throws(ImageError) -> Data {
        let pace = Pace(limits: limits)
        let outcome = await withTaskGroup(of: Result<Data, ImageError>.self) { group in
            group.addTask { await collect(body, pace: pace) }
            group.addTask { .failure(await pace.violation()) }
            let first = await group.next()
            group.cancelAll()
            return first ?? .failure(.cancelled)
        }
        if Task.isCancelled { throw .cancelled }
        return try outcome.get()
    }

    private func collect(_ body: HTTPClientResponse.Body, pace: Pace) async -> Result<Data, ImageError> {
        var data = Data()
        data.reserveCapacity(min(expected ?? 0, 8 << 20))
        var progress = ProgressThrottle(expected: expected, send: onProgress)
        do {
            for try await chunk in body {
                guard data.count + chunk.readableBytes <= limits.bytes else {
                    return .failure(.response(.tooLarge(limit: limits.bytes)))
                }
                let wasUndecided = data.count < FormatSniffer.bytesNeeded
                chunk.withUnsafeReadableBytes { data.append(contentsOf: $0) }
                if wasUndecided, let refusal = refusal(of: data, isWhole: false) { return .failure(refusal) }
                pace.note(bytes: data.count)
                progress.note(data.count)
            }
        } catch {
            return .failure(TransportErrors.imageError(from: error, received: data.count, expected: expected))
        }
        progress.finish(data.count)
        return verdict(on: data)
    }

    private func verdict(on data: Data) -> Result<Data, ImageError> {
        if let expected, data.count != expected {
            return .failure(.response(.truncated(received: data.count, expected: expected)))
        }
        return refusal(of: data, isWhole: true).map(Result.failure) ?? .success(data)
    }

    private func refusal(of data: Data, isWhole: Bool) -> ImageError? {
        guard case .refused(let appearance) = FormatSniffer.judge(data, isWhole: isWhole) else { return nil }
        return .response(.notAnImage(appearance))
    }
}

/// Lets progress through at most ten times a second, and always the last.
private struct ProgressThrottle {
    let expected: Int?
    let send: @Sendable (DownloadProgress) -> Void
    private var lastSent: Duration?

    init(expected: Int?, send: @escaping @Sendable (DownloadProgress) -> Void) {
        self.expected = expected
        self.send = send
    }

    mutating func note(_ received: Int) {
        let now = MonotonicTime.now()
        if let lastSent, now - lastSent < .milliseconds(100) { return }
        lastSent = now
        send(DownloadProgress(received: received, total: expected))
    }

    func finish(_ received: Int) { send(DownloadProgress(received: received, total: expected)) }
}
