import Retrying
import Support

/// A redirect handler that delays the redirected request to keep its host's pace, like a first request.
struct RateLimitedRedirects: RedirectHandler {
    let hosts: HostHealth
    /// The caller's handler, which is called first.
    let handler: (any RedirectHandler)?

    func next(after redirect: Redirect) async -> DownloadRequest? {
        guard let handler else { return await paced(redirect.next) }
        guard let next = await handler.next(after: redirect) else { return nil }
        return await paced(next)
    }

    /// Waits for the host's pace; the next step detects a cancellation during the wait.
    private func paced(_ request: DownloadRequest) async -> DownloadRequest {
        try? await hosts.pace(at: request.url.hostKey)
        return request
    }
}
