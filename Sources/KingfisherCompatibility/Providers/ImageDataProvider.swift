import Foundation
import ImageLoading

/// A source of an image's bytes other than the network; programs write one of both variants of `data`.
public protocol ImageDataProvider: ImageLoading.ImageDataProvider {
    /// Gives the handler the bytes, or the error.
    func data(handler: @escaping @Sendable (Result<Data, any Error>) -> Void)
}

extension ImageDataProvider {
    /// Returns the bytes that the handler gets.
    public func data() async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in data { continuation.resume(with: $0) } }
    }

    /// Gives the handler the bytes of the other variant.
    public func data(handler: @escaping @Sendable (Result<Data, any Error>) -> Void) {
        Task {
            let result: Result<Data, any Error>
            do { result = .success(try await data()) } catch { result = .failure(error) }
            handler(result)
        }
    }
}

extension Resource {
    /// Returns the source of the resource with another key; a file's source is a provider.
    public func convertToSource(overrideCacheKey: String?) -> Source {
        Source(ImageResource(downloadURL: downloadURL, cacheKey: overrideCacheKey ?? cacheKey))
    }
}

extension Source: Hashable {
    /// Compares kinds, keys and addresses.
    public static func == (left: Source, right: Source) -> Bool {
        left.cacheKey == right.cacheKey && left.url == right.url && left.isNetwork == right.isNetwork
    }

    /// Hashes the key and the address.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(cacheKey)
        hasher.combine(url)
    }

    var isNetwork: Bool { if case .network = self { true } else { false } }
}

/// A provider of a file's bytes.
public typealias LocalFileImageDataProvider = ImageLoading.LocalFileImageDataProvider
/// A provider that decodes base64 text.
public typealias Base64ImageDataProvider = ImageLoading.Base64ImageDataProvider
/// A provider of bytes in memory.
public typealias RawImageDataProvider = ImageLoading.RawImageDataProvider

extension ImageLoading.LocalFileImageDataProvider: ImageDataProvider {}
extension ImageLoading.Base64ImageDataProvider: ImageDataProvider {}
extension ImageLoading.RawImageDataProvider: ImageDataProvider {}
