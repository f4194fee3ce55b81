import AlcedoImageCodecs
import FaultServer
import Foundation
import Raster
import Synchronization
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// A scripted server and a downloader, for one test.
struct DownloadStage: Sendable {
    let server: FaultServer
    let downloader: ImageDownloader

    /// Sets the stage, plays, and clears it whatever happens.
    static func play<Result>(
        _ scripts: [String: [FaultScript]], clock: any Clock<Duration> = ContinuousClock(),
        serverClock: any Clock<Duration> = ContinuousClock(),
        tls: ServerTLS? = nil,
        configure: (inout DownloaderConfiguration) throws -> Void = { _ in },
        _ act: (DownloadStage) async throws -> Result
    ) async throws -> Result {
        var configuration = DownloaderConfiguration()
        try configure(&configuration)
        let server = try await FaultServer.start(scripts, clock: serverClock, tls: tls)
        let downloader = ImageDownloader(configuration: configuration, clock: clock)
        let stage = DownloadStage(server: server, downloader: downloader)
        do {
            let result = try await act(stage)
            await stage.clear()
            return result
        } catch {
            await stage.clear()
            throw error
        }
    }

    private func clear() async {
        downloader.shutdown()
        await server.stop()
    }

    /// The number of bytes that the downloader keeps of broken and cancelled transfers.
    var keptBytes: Int { downloader.parts.withLock(\.bytes) }

    func request(_ path: String = "/x") throws -> DownloadRequest {
        DownloadRequest.picture(try #require(URL(string: path.contains("://") ? path : server.url(path))))
    }

    func download(
        _ path: String = "/x", _ edit: (inout DownloadRequest) -> Void = { _ in },
        onProgress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async -> Result<Download, DownloadError> {
        guard var request = try? request(path) else { return .failure(.request(.invalidURL(path))) }
        edit(&request)
        return await download(request, onProgress: onProgress)
    }

    func download(
        _ request: DownloadRequest, onProgress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async -> Result<Download, DownloadError> {
        do throws(DownloadError) {
            return .success(try await downloader.download(request, onProgress: onProgress))
        } catch {
            return .failure(error)
        }
    }
}

/// Hooks made of functions.
struct AnyHooks: DownloadHooks {
    var onWill: @Sendable (DownloadRequest) async -> Void = { _ in }
    var onResponse: @Sendable (DownloadResponse) async -> ResponseDisposition = { _ in .allow }
    var onStatus: @Sendable (Int) -> Bool = { $0 == 200 }
    var modifier: DataModifier?
    var onFinish: @Sendable (Result<Download, DownloadError>) async -> Void = { _ in }

    func willDownload(_ request: DownloadRequest) async { await onWill(request) }
    func didReceive(_ response: DownloadResponse) async -> ResponseDisposition { await onResponse(response) }
    func isValid(statusCode: Int, of response: DownloadResponse) -> Bool { onStatus(statusCode) }
    func dataModifier(for response: DownloadResponse) -> DataModifier? { modifier }
    func didFinish(_ request: DownloadRequest, _ result: Result<Download, DownloadError>) async {
        await onFinish(result)
    }
}

/// Lets the clock run, sleep by sleep, while the work goes on.
func whileTimePasses<Value: Sendable>(on clock: ManualClock, _ work: Task<Value, Never>) async -> Value {
    let passing = Task {
        while !Task.isCancelled {
            clock.advanceToNextSleeper()
            await Task.yield()
        }
    }
    let value = await work.value
    passing.cancel()
    return value
}

extension DownloadRequest {
    /// Creates a request for an image; a body of another format stops the transfer at its first bytes.
    static func picture(_ url: URL, headers: [HeaderField] = []) -> DownloadRequest {
        var request = DownloadRequest(url: url, headers: headers)
        request.bodyCheck = { bytes, isWhole in
            switch FormatSniffer.judge(bytes, isWhole: isWhole) {
            case .format: .accepted
            case .undecided: .undecided
            case .refused(let appearance): .refused(appearance)
            }
        }
        return request
    }
}
