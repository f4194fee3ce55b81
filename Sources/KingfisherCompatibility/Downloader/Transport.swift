import AlcedoHTTPDownload
import AlcedoHTTPRequests
import Foundation
import FoundationNetworking

/// The library's downloader behind an `ImageDownloader`: it follows its settings and can cancel its transfers.
final class Transport: DataDownloading {
    /// The settings; new ones get new connections.
    struct Settings: Sendable {
        var timeout: TimeInterval = 15 { didSet { (plain, trusting) = (nil, nil) } }
        var session = URLSessionConfiguration.ephemeral { didSet { (plain, trusting) = (nil, nil) } }
        var trustedHosts: Set<String>?
        var plain: AlcedoHTTPDownload.ImageDownloader?
        var trusting: AlcedoHTTPDownload.ImageDownloader?

        var made: [AlcedoHTTPDownload.ImageDownloader] { [plain, trusting].compactMap(\.self) }
    }

    private typealias Outcome = Result<Download, DownloadError>

    let settings = Locked(Settings())
    // Objects that are not kept.
    let delegate = Locked<@Sendable () -> (any ImageDownloaderDelegate & Sendable)?>({ nil })
    let responder = Locked<@Sendable () -> (any AuthenticationChallengeResponsible & Sendable)?>({ nil })
    let ownerReference = Locked<@Sendable () -> ImageDownloader?>({ nil })
    private let running = Locked<[DownloadRequest.ID: (url: URL, task: Task<Outcome, Never>)]>([:])

    var owner: ImageDownloader? { ownerReference.value() }

    func download(
        _ request: DownloadRequest, priority: Double, onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws(DownloadError) -> Download {
        let downloader = try await downloader(for: request.url)
        var copy = request
        copy.hooks = self
        for (name, value) in settings.value.session.httpAdditionalHeaders ?? [:] {
            copy.addHeader("\(name)", "\(value)")
        }
        let (url, hooked) = (request.url, copy)
        let task = Task { () -> Outcome in
            do throws(DownloadError) {
                return .success(try await downloader.download(hooked, priority: priority, onProgress: onProgress))
            } catch { return .failure(error) }
        }
        running.change { $0[request.id] = (url, task) }
        defer { running.change { $0[request.id] = nil } }
        return try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }

    func setPriority(_ priority: Double, of id: DownloadRequest.ID) async {
        for downloader in settings.value.made { await downloader.setPriority(priority, of: id) }
    }

    func removePartialBodies() {
        for downloader in settings.value.made { downloader.removePartialBodies() }
    }

    func cancel(where isMeant: @Sendable (URL) -> Bool) {
        for (url, task) in running.value.values where isMeant(url) { task.cancel() }
    }

    /// Tells the delegate of an image.
    func tell(of image: Image, _ url: URL) {
        guard let owner else { return }
        delegate.value()?.imageDownloader(owner, didDownload: image, for: url, with: nil)
    }

    private func downloader(for url: URL) async throws(DownloadError) -> AlcedoHTTPDownload.ImageDownloader {
        let isTrusting = try await trusts(url)
        return settings.change { settings in
            if let made = isTrusting ? settings.trusting : settings.plain { return made }
            var configuration = DownloaderConfiguration()
            let timeout = Duration(seconds: settings.timeout)
            (configuration.limits.connect, configuration.limits.head) = (timeout, timeout)
            configuration.limits.idle = timeout
            configuration.limits.total = Duration(seconds: settings.session.timeoutIntervalForResource)
            configuration.limits.concurrentPerHost = settings.session.httpMaximumConnectionsPerHost
            configuration.tls.isInsecure = isTrusting
            configuration.challengeResponder = ChallengeBridge(transport: self)
            let made = AlcedoHTTPDownload.ImageDownloader(configuration: configuration)
            if isTrusting { settings.trusting = made } else { settings.plain = made }
            return made
        }
    }

    /// Returns whether the certificate of an address is not checked, by the settings or by the responder.
    private func trusts(_ url: URL) async throws(DownloadError) -> Bool {
        guard url.scheme?.lowercased() == "https", let host = url.host() else { return false }
        if settings.value.trustedHosts?.contains(host) == true { return true }
        guard let owner, let responder = responder.value() else { return false }
        let challenge = URLAuthenticationChallenge(
            url: url, realm: nil, method: NSURLAuthenticationMethodServerTrust, failures: 0)
        switch await responder.downloader(owner, didReceive: challenge).0 {
        case .useCredential: return true
        case .cancelAuthenticationChallenge, .rejectProtectionSpace: throw .response(.cancelledByDelegate)
        case .performDefaultHandling: return false
        }
    }
}

/// The events of a transfer for the delegate.
extension Transport: DownloadHooks {
    func willDownload(_ request: DownloadRequest) async {
        guard let owner else { return }
        delegate.value()?.imageDownloader(
            owner, willDownloadImageForURL: request.url, with: URLRequest(request, timeout: settings.value.timeout))
    }

    func didReceive(_ response: DownloadResponse) async -> ResponseDisposition {
        guard let owner, let delegate = delegate.value(), let response = HTTPURLResponse(response) else {
            return .allow
        }
        return await delegate.imageDownloader(owner, didReceive: response) == .cancel ? .cancel : .allow
    }

    func isValid(statusCode: Int, of response: DownloadResponse) -> Bool {
        guard let owner, let delegate = delegate.value() else { return (200..<400).contains(statusCode) }
        return delegate.isValidStatusCode(statusCode, for: owner)
    }

    func dataModifier(for response: DownloadResponse) -> DataModifier? {
        guard let owner, let delegate = delegate.value() else { return nil }
        return { data in
            let task = SessionDataTask(response.url)
            guard let data = delegate.imageDownloader(owner, didDownload: data, with: task) else { throw NoData() }
            return data
        }
    }

    func didFinish(_ request: DownloadRequest, _ result: Result<Download, DownloadError>) async {
        guard let owner else { return }
        var (response, failure) = (URLResponse?.none, DownloadError?.none)
        switch result {
        case .success(let download):
            response = HTTPURLResponse(
                url: download.url, statusCode: download.metrics.statusCode ?? 200, httpVersion: nil, headerFields: nil)
        case .failure(let error): failure = error
        }
        delegate.value()?.imageDownloader(
            owner, didFinishDownloadingImageForURL: request.url, with: response, error: failure)
    }

    private struct NoData: Error {}
}

extension HTTPURLResponse {
    convenience init?(_ response: DownloadResponse) {
        self.init(
            url: response.url, statusCode: response.statusCode, httpVersion: response.version,
            headerFields: Dictionary(response.headers.map { ($0.name, $0.value) }) { $1 })
    }
}

extension URLRequest {
    init(_ request: DownloadRequest, timeout: TimeInterval) {
        self.init(url: request.url, timeoutInterval: timeout)
        for field in request.headers { addValue(field.value, forHTTPHeaderField: field.name) }
    }
}

extension DownloadRequest {
    /// Adds a header field unless the request has it.
    fileprivate mutating func addHeader(_ name: String, _ value: String) {
        guard !headers.contains(where: { $0.name.lowercased() == name.lowercased() }) else { return }
        headers.append(HeaderField(name: name, value: value))
    }

    /// Takes over what a program changed in a request: address, header fields and the limit of time.
    mutating func adopt(_ request: URLRequest, from before: URLRequest) {
        if let changed = request.url { url = changed }
        headers = (request.allHTTPHeaderFields ?? [:]).map { HeaderField(name: $0.key, value: $0.value) }
        if request.timeoutInterval != before.timeoutInterval { timeout = Duration(seconds: request.timeoutInterval) }
    }
}
