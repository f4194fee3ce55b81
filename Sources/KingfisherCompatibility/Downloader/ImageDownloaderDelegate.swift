import Foundation
import FoundationNetworking

/// An observer of a downloader's transfers; every method has a default that changes nothing.
public protocol ImageDownloaderDelegate: AnyObject {
    /// Called before a transfer.
    func imageDownloader(_ downloader: ImageDownloader, willDownloadImageForURL url: URL, with request: URLRequest?)
    /// Called after each transfer, with its response or its error.
    func imageDownloader(
        _ downloader: ImageDownloader, didFinishDownloadingImageForURL url: URL, with response: URLResponse?,
        error: (any Error)?)
    /// Returns the bytes of the image; nil fails the transfer.
    func imageDownloader(_ downloader: ImageDownloader, didDownload data: Data, with task: SessionDataTask) -> Data?
    /// Returns the bytes of the image; nil fails the transfer.
    func imageDownloader(_ downloader: ImageDownloader, didDownload data: Data, for url: URL) -> Data?
    /// Called with each downloaded image.
    func imageDownloader(
        _ downloader: ImageDownloader, didDownload image: Image, for url: URL, with response: URLResponse?)
    /// Returns whether a response with this status has the image; by default 200 to 399.
    func isValidStatusCode(_ code: Int, for downloader: ImageDownloader) -> Bool
    /// Returns whether a transfer goes on after the head of its response.
    func imageDownloader(
        _ downloader: ImageDownloader, didReceive response: URLResponse
    ) async -> URLSession.ResponseDisposition
}

extension ImageDownloaderDelegate {
    /// Does nothing.
    public func imageDownloader(
        _ downloader: ImageDownloader, willDownloadImageForURL url: URL, with request: URLRequest?
    ) {}
    /// Does nothing.
    public func imageDownloader(
        _ downloader: ImageDownloader, didFinishDownloadingImageForURL url: URL, with response: URLResponse?,
        error: (any Error)?
    ) {}
    /// Asks the variant with the address.
    public func imageDownloader(
        _ downloader: ImageDownloader, didDownload data: Data, with task: SessionDataTask
    ) -> Data? { task.originalURL.map { imageDownloader(downloader, didDownload: data, for: $0) } ?? data }
    /// Returns the bytes unchanged.
    public func imageDownloader(_ downloader: ImageDownloader, didDownload data: Data, for url: URL) -> Data? { data }
    /// Does nothing.
    public func imageDownloader(
        _ downloader: ImageDownloader, didDownload image: Image, for url: URL, with response: URLResponse?
    ) {}
    /// Accepts 200 to 399.
    public func isValidStatusCode(_ code: Int, for downloader: ImageDownloader) -> Bool { (200..<400).contains(code) }
    /// Continues.
    public func imageDownloader(
        _ downloader: ImageDownloader, didReceive response: URLResponse
    ) async -> URLSession.ResponseDisposition { .allow }
}
