import Retrying
import Support

/// Lets the request that a redirect leads to wait for its host's pace, as every first request has waited.
struct PacedRedirects: RedirectHandler {
    let hosts: HostHealth
    /// The caller's own, which comes first.
    let handler: (any RedirectHandler)?

    func next(after redirect: Redirect) async -> DownloadRequest? {
        guard let handler else { return await paced(redirect.next) }
        guard let next = await handler.next(after: redirect) else { return nil }
        return await paced(next)
    }

    /// Who is cancelled meanwhile hears of it at the next step.
    private func paced(_ request: DownloadRequest) async -> DownloadRequest {
        try? await hosts.pace(at: request.url.hostKey)
        return request
    }
}
