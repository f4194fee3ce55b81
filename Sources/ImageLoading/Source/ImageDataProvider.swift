import Foundation

/// A source of an image's bytes other than the network; applications can add their own providers.
public protocol ImageDataProvider: Sendable {
    /// The key of the image in the cache; equal keys are read once at a time.
    var cacheKey: String { get }
    /// Whether the disk cache should store the bytes; false for bytes that are on this disk already.
    var isWorthCachingOnDisk: Bool { get }
    /// Reads the bytes; must stop when its task is cancelled.
    func data() async throws -> Data
    /// Reads the bytes and reports the number read so far, and the expected number if it is known.
    ///
    /// By default it calls `data()` and reports nothing.
    func data(onProgress: @escaping @Sendable (_ received: Int, _ expected: Int?) -> Void) async throws -> Data
}

extension ImageDataProvider {
    public var isWorthCachingOnDisk: Bool { true }

    public func data(
        onProgress: @escaping @Sendable (_ received: Int, _ expected: Int?) -> Void
    ) async throws -> Data { try await data() }
}
