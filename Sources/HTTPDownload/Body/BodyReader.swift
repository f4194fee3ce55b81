import AsyncHTTPClient
import Foundation
import NIOCore

/// A reader that collects a body, enforces the limits, checks the first bytes and monitors the transfer rate.
struct BodyReader: Sendable {
    /// The received bytes, and the error that ended the body early.
    struct Outcome: Sendable {
        var data: Data
        /// The error; nil for a whole body.
        var error: DownloadError?
    }

    /// The bytes of an earlier attempt, which the body continues.
    var prefix = Data()
    /// The expected length of the whole body in bytes, prefix included; nil if unknown.
    let expected: Int?
    let limits: DownloadLimits
    let clock: TransferClock
    /// The time at which the transfer began.
    let started: Duration
    let deadlines: Deadlines
    /// The bandwidth limit of all transfers; nil if there is none.
    var bandwidth: Bandwidth?
    /// The byte counter of all transfers.
    let receivedBytes: ReceivedBytes
    /// The check of the body's format; nil accepts all bodies.
    var check: BodyCheck?
    /// The number of bytes after which reading ends; nil for the whole body.
    var firstBytes: Int?
    /// The content codings from the response's head.
    var codings: [ContentCoding] = []
    let onProgress: @Sendable (DownloadProgress) -> Void
    var onBytes: (@Sendable (_ bytes: Data, _ offset: Int) -> Void)?

    func read(_ body: HTTPClientResponse.Body) async -> Outcome {
        let pace = StallDetector(limits: limits, clock: clock, started: started, bandwidth: bandwidth)
        let progress = ProgressThrottle(expected: expected, clock: clock, send: onProgress)
        pace.watch { [deadlines] in deadlines.pass($0) }
        let outcome = await collect(body, pace, progress)
        pace.stop()
        progress.stop()
        return Outcome(data: outcome.data, error: finalError(outcome.error))
    }

    /// Returns the final error; a body that was whole when a deadline passed is a success.
    private func finalError(_ error: DownloadError?) -> DownloadError? {
        if let passed = deadlines.passed { return error == nil ? nil : passed }
        return Task.isCancelled ? .cancelled : error
    }

    private func collect(_ body: HTTPClientResponse.Body, _ pace: StallDetector, _ progress: ProgressThrottle) async
        -> Outcome
    {
        var data = prefix
        var isUndecided = check != nil
        data.reserveCapacity(min(expected ?? 0, 8 << 20))
        if !prefix.isEmpty { onBytes?(prefix, 0) }
        do {
            for try await chunk in body {
                receivedBytes.add(chunk.readableBytes)
                guard data.count + chunk.readableBytes <= limits.bytes else {
                    return Outcome(data: data, error: .response(.tooLarge(limit: limits.bytes)))
                }
                chunk.withUnsafeReadableBytes { data.append(contentsOf: $0) }
                if isUndecided, let refusal = refusal(of: data, isWhole: false, &isUndecided) {
                    return Outcome(data: data, error: refusal)
                }
                // Most small bodies arrive in one chunk, which needs no copy.
                let isAll = data.count == chunk.readableBytes
                onBytes?(isAll ? data : Data(data.suffix(chunk.readableBytes)), data.count - chunk.readableBytes)
                pace.record(bytes: data.count - prefix.count)
                progress.record(data.count)
                try await bandwidth?.acquire(chunk.readableBytes)
                if let firstBytes, data.count >= firstBytes { break }
            }
        } catch {
            let error = TransportErrors.downloadError(from: error, received: data.count, expected: expected)
            return Outcome(data: data, error: error)
        }
        progress.finish(data.count)
        return Outcome(data: data, error: verdict(on: data))
    }

    private func verdict(on data: Data) -> DownloadError? {
        if let expected, data.count < min(expected, firstBytes ?? .max) || firstBytes == nil && data.count != expected {
            return .response(.truncated(received: data.count, expected: expected))
        }
        var isUndecided = false
        return refusal(of: data, isWhole: true, &isUndecided)
    }

    private func refusal(of data: Data, isWhole: Bool, _ isUndecided: inout Bool) -> DownloadError? {
        switch check?(data, isWhole) {
        case nil, .accepted: isUndecided = false
        case .undecided: isUndecided = true
        case .refused(let appearance):
            if codings.isEmpty { return .response(.notAnImage(appearance)) }
            isUndecided = false
            return ContentCoding.unknown(in: codings).map(ContentCoding.unknownError)
        case .notAccepted(let format): return .response(.notAccepted(format: format))
        }
        return nil
    }
}

extension DownloadRequest {
    /// Returns the error for a whole body that the check refuses.
    func refusal(of data: Data) -> DownloadError? {
        switch bodyCheck?(data, true) {
        case .refused(let appearance): .response(.notAnImage(appearance))
        case .notAccepted(let format): .response(.notAccepted(format: format))
        case nil, .accepted, .undecided: nil
        }
    }
}
